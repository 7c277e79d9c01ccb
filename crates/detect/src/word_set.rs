//! Sets of words that are asked about often: a look-up allocates nothing and folds nothing.
//!
//! In: the words of a data file, small. Out: whether a word is among them, whatever the case of its letters.
//! Invariant: words are compared by a 64-bit hash that ignores the case of ASCII and Latin-1 letters. Not here:
//! what follows from it.

use crate::lexicon::hash;

/// A set of words.
pub(crate) struct WordSet {
    slots: Vec<u64>, // 0 = free; the length is a power of two, at least twice the number of words
}

impl WordSet {
    /// Reads words that blanks part.
    pub(crate) fn read(file: &str) -> Self {
        let count = file.split_ascii_whitespace().count();
        let mut set = Self { slots: vec![0; (4 * count).next_power_of_two()] };
        for word in file.split_ascii_whitespace() {
            set.insert(hash(word.as_bytes()));
        }
        set
    }

    fn insert(&mut self, hash: u64) {
        let mask = self.slots.len() - 1;
        let free = (0..self.slots.len())
            .map(|step| home(hash).wrapping_add(step) & mask)
            .find(|at| self.slots.get(*at).is_some_and(|slot| *slot == 0 || *slot == hash));
        if let Some(slot) = free.and_then(|at| self.slots.get_mut(at)) {
            *slot = hash;
        }
    }

    /// True when the word is in the set.
    pub(crate) fn contains(&self, word: &str) -> bool {
        let hash = hash(word.as_bytes());
        let mask = self.slots.len() - 1;
        (0..self.slots.len())
            .map(|step| self.slots.get(home(hash).wrapping_add(step) & mask).copied().unwrap_or(0))
            .take_while(|slot| *slot != 0)
            .any(|slot| slot == hash)
    }
}

const fn home(hash: u64) -> usize {
    (hash >> 1) as usize
}

#[cfg(test)]
mod tests {
    use super::WordSet;

    #[test]
    fn words_are_found_in_any_case() {
        let set = WordSet::read("admin prénom\nn/a");
        for word in ["admin", "ADMIN", "Prénom", "PRÉNOM", "N/A"] {
            assert!(set.contains(word), "{word}");
        }
        for word in ["", "admi", "admins", "na"] {
            assert!(!set.contains(word), "{word}");
        }
    }
}
