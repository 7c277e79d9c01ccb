//! Forgets a value.

use cloakgate_vocab::Sensitive;

use super::{TextSession, canonical};

impl TextSession {
    /// Forgets a value in all its spellings: nothing restores it any more, and what stood for it stays taken. The parts
    /// of a forgotten name go with it, unless another name has them too. Returns how many things were forgotten.
    pub fn forget(&mut self, value: &str) -> usize {
        let wanted = canonical(value);
        let mut gone = self.wipe(&|form| form == wanted, true);
        let parts: Vec<String> =
            wanted.split(' ').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        if gone > 0 && parts.len() > 1 {
            // Looked at to see whether another name still has the part.
            let whole = |entry: &&super::Entry| entry.kind == super::Kind::PERSON && !entry.forgotten;
            let others: Vec<String> =
                self.entries.iter().filter(whole).map(|entry| canonical(entry.original.expose())).collect();
            for part in parts {
                if !others.iter().any(|other| other.split(' ').any(|one| one == part)) {
                    gone += self.wipe(&|form| form == part, false);
                }
            }
        }
        gone
    }

    /// Wipes what has a canonical form; of entries only names, unless all kinds are meant.
    fn wipe(&mut self, is_meant: &dyn Fn(&str) -> bool, all_kinds: bool) -> usize {
        let mut gone = 0;
        // Originals are looked at to find the one that is to go.
        for entry in self.entries.iter_mut().filter(|entry| !entry.forgotten) {
            if (all_kinds || entry.kind.is_name()) && is_meant(&canonical(entry.original.expose())) {
                entry.original = Sensitive::new("");
                entry.identity = Sensitive::new("");
                entry.forgotten = true;
                gone += 1;
            }
        }
        for value in self.values.iter_mut().filter(|value| !value.forgotten) {
            if (all_kinds || value.field == crate::text::Field::Name)
                && is_meant(&canonical(value.text.expose()))
            {
                value.text = Sensitive::new("");
                value.forgotten = true;
                gone += 1;
            }
        }
        gone
    }
}
