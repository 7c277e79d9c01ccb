//! What is remembered of the texts that were cloaked under one id: which stand-in means which value, and where.
//!
//! In: values with their stand-ins, cloaked texts with what was replaced in them. Out: look-ups, choices that only
//! the session's key explains, bytes to keep. Invariant: an entry never changes but for being forgotten, a stand-in
//! that was taken stays taken, and no text is kept, only keyed hashes of it. Not here: clock, randomness, storage.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hasher;

use cloakgate_vocab::{Secret, Sensitive};
use siphasher::sip::SipHasher24;

use self::keyed::{Domain, hash, hasher};
use self::record::Record;
use crate::text::Field;
use crate::text::uncloak::trie::trimmed;
use crate::text::uncloak::units::units;

mod bytes;
mod canonical;
mod entry;
mod error;
mod forget;
mod keyed;
pub(crate) mod record;
mod recording;
mod store;

pub use canonical::canonical;
pub use entry::Kind;
pub(crate) use entry::{Entry, NewEntry, Replaced};
pub use error::SessionError;

/// Most entries of one session.
pub const MAX_ENTRIES: usize = 100_000;
/// Most cloaked texts of one session.
pub const MAX_TEXTS: usize = 10_000;
/// Most bytes that one session takes when it is written down; about that, for it is counted while it grows.
pub const MAX_STATE_BYTES: usize = 32 << 20;

/// What one session of cloaked texts remembers.
#[derive(Clone)]
pub struct TextSession {
    key: Secret<32>,
    entries: Vec<Entry>,
    by_identity: HashMap<u64, u32>,
    by_shown: HashMap<u64, u32>,
    counts: HashMap<Kind, u32>,
    /// Originals at places, each once.
    values: Vec<Value>,
    by_value: HashMap<u64, u32>,
    /// Words that stand for several values, as they are shown, each once.
    labels: Vec<Box<str>>,
    by_label: HashMap<u64, u32>,
    records: Vec<Record>,
    /// How many entries there were when the last text was recorded.
    recorded_entries: u32,
    /// Hashes words; keyed once.
    words: SipHasher24,
    size: usize,
}

/// An original as it stood at a place.
#[derive(Clone)]
struct Value {
    text: Sensitive,
    field: Field,
    forgotten: bool,
}

impl TextSession {
    /// An empty session. The key is 32 random bytes; equal keys make equal choices.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        let key = Secret::new(key);
        Self {
            words: hasher(&key, Domain::Word),
            key,
            entries: Vec::new(),
            by_identity: HashMap::new(),
            by_shown: HashMap::new(),
            counts: HashMap::new(),
            values: Vec::new(),
            by_value: HashMap::new(),
            labels: Vec::new(),
            by_label: HashMap::new(),
            records: Vec::new(),
            recorded_entries: 0,
            size: 0,
        }
    }

    /// How many values have a stand-in of their own.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// How many texts were cloaked.
    #[must_use]
    pub fn texts(&self) -> usize {
        self.records.len()
    }

    /// All values that the session can restore, each spelling; to be hashed, never shown.
    pub fn originals(&self) -> impl Iterator<Item = (Field, &Sensitive)> {
        let entries = self.entries.iter().filter(|entry| !entry.forgotten);
        let values = self.values.iter().filter(|value| !value.forgotten);
        entries
            .map(|entry| (entry.field, &entry.original))
            .chain(values.map(|value| (value.field, &value.text)))
    }

    /// A choice below `of` that is the same for the same subject in this session, and says nothing of it to others.
    /// A second try is another subject (`"alice 2"`). Zero when there is nothing to choose from.
    pub(crate) fn choose(&self, domain: &str, subject: &str, of: usize) -> usize {
        let mut hasher = hasher(&self.key, Domain::Choice);
        hasher.write_usize(domain.len());
        hasher.write(domain.as_bytes());
        hasher.write(subject.as_bytes());
        // The high half of the product is below `of`, and even to one part in 2^64 / of.
        ((u128::from(hasher.finish()) * of as u128) >> 64) as usize
    }

    /// The entry of a value, by kind and canonical form.
    pub(crate) fn entry(&self, kind: &Kind, identity: &str) -> Option<&Entry> {
        let index = self.by_identity.get(&self.identity_hash(kind, identity))?;
        let entry = self.entries.get(*index as usize)?;
        // Looked at to compare: a hash alone must not decide whose value this is.
        (entry.kind == *kind && entry.identity.expose() == identity && !entry.forgotten).then_some(entry)
    }

    /// The entry that is shown so, in any case; the first one, where a word stands for several.
    pub(crate) fn shown_as(&self, shown: &str) -> Option<&Entry> {
        if self.by_shown.is_empty() {
            return None; // a new session: nothing need be hashed
        }
        self.entries.get(*self.by_shown.get(&self.shown_hash(shown))? as usize)
    }

    /// True when a stand-in is in use, in any case, even for a value that was forgotten.
    pub(crate) fn is_taken(&self, shown: &str) -> bool {
        !self.by_shown.is_empty() && self.by_shown.contains_key(&self.shown_hash(shown))
    }

    /// How many entries of a kind there are, forgotten ones too.
    pub(crate) fn count(&self, kind: &Kind) -> usize {
        self.counts.get(kind).map_or(0, |count| *count as usize)
    }

    /// Adds a value that the session does not know yet.
    ///
    /// # Errors
    /// When kind and identity are known, a unique stand-in is taken, or a limit is reached.
    pub(crate) fn add(&mut self, new: NewEntry<'_>) -> Result<&Entry, SessionError> {
        if self.entries.len() >= MAX_ENTRIES {
            return Err(SessionError::Entries);
        }
        let known = self.entry(&new.kind, new.identity).is_some();
        let shown_hash = self.shown_hash(new.shown);
        if known || (new.unique && self.by_shown.contains_key(&shown_hash)) {
            return Err(SessionError::Taken);
        }
        self.grow(new.shown.len() + new.identity.len() + new.original.len() + 16)?;
        let entry = Entry {
            kind: new.kind,
            field: new.field,
            identity: Sensitive::new(new.identity),
            shown: Box::from(new.shown),
            original: Sensitive::new(new.original),
            unique: new.unique,
            forgotten: false,
        };
        self.keep_entry(entry, shown_hash)
    }

    /// All entries in their order, forgotten ones too.
    pub(crate) fn all_entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry at an index.
    pub(crate) fn entry_at(&self, index: u32) -> Option<&Entry> {
        self.entries.get(index as usize)
    }

    /// Words that stand for several values, each as it was shown.
    pub(crate) fn labels(&self) -> &[Box<str>] {
        &self.labels
    }

    /// The index of a label.
    pub(crate) fn label(&self, shown: &str) -> Option<u32> {
        self.by_label.get(&hash(&self.key, Domain::Label, shown)).copied()
    }

    /// How many entries there were when the last text was recorded; what is shown for them may come in with a text.
    pub(crate) fn recorded_entries(&self) -> u32 {
        self.recorded_entries
    }

    /// What was remembered of each cloaked text.
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// An original by its index, with its field; `None` when it was forgotten.
    pub(crate) fn value_at(&self, index: u32) -> Option<(&Sensitive, Field)> {
        let value = self.values.get(index as usize).filter(|value| !value.forgotten)?;
        Some((&value.text, value.field))
    }

    /// A hasher for folded words.
    pub(crate) fn words(&self) -> &SipHasher24 {
        &self.words
    }

    /// The hash of a whole text.
    pub(crate) fn text_hash(&self, text: &str) -> u64 {
        hash(&self.key, Domain::Text, text)
    }

    /// The hash of one line.
    pub(crate) fn line_hash(&self, line: &str) -> u64 {
        hash(&self.key, Domain::Line, line)
    }

    /// Counts what is about to be kept.
    fn grow(&mut self, bytes: usize) -> Result<(), SessionError> {
        let size = self.size.saturating_add(bytes);
        if size > MAX_STATE_BYTES {
            return Err(SessionError::Bytes);
        }
        self.size = size;
        Ok(())
    }

    fn keep_entry(&mut self, entry: Entry, shown_hash: u64) -> Result<&Entry, SessionError> {
        let index = u32::try_from(self.entries.len()).map_err(|_| SessionError::Entries)?;
        if !entry.forgotten {
            // Looked at to be hashed under the session's key.
            let identity = self.identity_hash(&entry.kind, entry.identity.expose());
            self.by_identity.insert(identity, index);
        }
        self.by_shown.entry(shown_hash).or_insert(index);
        *self.counts.entry(entry.kind.clone()).or_default() += 1;
        self.entries.push(entry);
        self.entries.last().ok_or(SessionError::Entries)
    }

    /// The index of an original, which is kept once.
    fn keep_value(&mut self, value: Value) -> u32 {
        // Looked at to be hashed under the session's key.
        let mut hasher = hasher(&self.key, Domain::Value);
        hasher.write_u8(value.field.number());
        hasher.write(value.text.expose().as_bytes());
        let hash = hasher.finish();
        if let Some(known) = self.by_value.get(&hash)
            && self.values.get(*known as usize).is_some_and(|known| known.text == value.text)
        {
            return *known;
        }
        let index = self.values.len() as u32; // far below 2^32: the size of a session is limited
        if !value.forgotten {
            self.by_value.insert(hash, index);
        }
        self.values.push(value);
        index
    }

    /// The index of a word that stands for several values.
    fn keep_label(&mut self, label: Box<str>) -> u32 {
        let hash = hash(&self.key, Domain::Label, &label);
        *self.by_label.entry(hash).or_insert_with(|| {
            self.labels.push(label);
            self.labels.len() as u32 - 1 // far below 2^32: the size of a session is limited
        })
    }

    fn identity_hash(&self, kind: &Kind, identity: &str) -> u64 {
        let mut hasher = hasher(&self.key, Domain::Identity);
        hasher.write(kind.label().as_bytes());
        hasher.write_u8(0);
        hasher.write(identity.as_bytes());
        hasher.finish()
    }

    /// The hash of a stand-in as it is known again: in any case, with any blanks and hyphens.
    fn shown_hash(&self, shown: &str) -> u64 {
        let mut hasher = hasher(&self.key, Domain::Shown);
        let units = units(shown, &self.words);
        let units = trimmed(&units);
        for unit in units {
            hasher.write_u64(unit.hash);
        }
        if units.is_empty() {
            hasher.write(shown.as_bytes());
        }
        hasher.finish()
    }
}

impl fmt::Debug for TextSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextSession")
            .field("entries", &self.entries.len())
            .field("texts", &self.records.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
