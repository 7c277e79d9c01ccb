//! Sets of words that are asked about often: a look-up allocates nothing and folds nothing.
//!
//! In: the words of a data file, small. Out: whether a word is among them, whatever the case of its letters.
//! Invariant: words are compared by a 64-bit hash that ignores the case of ASCII and Latin-1 letters. Not here:
//! what follows from it.

use crate::word_hash::hash;

/// A set of words.
pub(crate) struct WordSet {
    slots: Vec<u64>, // 0 = free; the length is a power of two, at least twice the number of words
}

impl WordSet {
    /// Reads words that blanks part.
    pub(crate) fn read(file: &str) -> Self {
        Self::of(file.split_ascii_whitespace())
    }

    /// A set of these words.
    pub(crate) fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let hashes: Vec<u64> = words.map(|word| hash(word.as_bytes())).collect();
        let mut set = Self { slots: vec![0; (4 * hashes.len()).next_power_of_two()] };
        for hash in hashes {
            set.insert(hash);
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
        self.has(hash(word.as_bytes()))
    }

    /// True when the set holds the word of this hash.
    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = home(hash);
        for _ in 0..self.slots.len() {
            match self.slots.get(at & mask).copied().unwrap_or(0) {
                0 => return false,
                slot if slot == hash => return true,
                _ => at = at.wrapping_add(1),
            }
        }
        false
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
