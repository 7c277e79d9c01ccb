//! Sets of hashes that may take others for their own: one bit is read for each question.
//!
//! In: hashes of words. Out: whether one may be in the set. Invariant: what was added is held. Not here: the hash
//! (`word_hash`).

/// A set of hashes, in `WORDS` words of 64 bits; a power of two.
pub(crate) struct HashFilter<const WORDS: usize>(Box<[u64; WORDS]>);

impl<const WORDS: usize> HashFilter<WORDS> {
    /// The empty set.
    pub(crate) fn new() -> Self {
        Self(Box::new([0; WORDS]))
    }

    /// Adds a hash.
    pub(crate) fn add(&mut self, hash: u64) {
        let (word, bit) = Self::place(hash);
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    /// False when the hash is not in the set.
    #[inline]
    pub(crate) fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = Self::place(hash);
        self.0.get(word).is_some_and(|word| word >> bit & 1 == 1)
    }

    /// The word and the bit that stand for a hash: its first bits.
    const fn place(hash: u64) -> (usize, u64) {
        let shift = u64::BITS - u64::BITS.trailing_zeros() - WORDS.trailing_zeros();
        let bit = hash >> shift;
        ((bit / 64) as usize, bit % 64)
    }
}

#[cfg(test)]
mod tests {
    use super::HashFilter;
    use crate::word_hash::hash;

    #[test]
    fn what_was_added_is_held_and_little_else() {
        let mut filter = HashFilter::<1024>::new();
        let words: Vec<String> = (0..2000).map(|number| format!("word{number}")).collect();
        let (held, others) = words.split_at(1000);
        held.iter().for_each(|word| filter.add(hash(word.as_bytes())));
        assert!(held.iter().all(|word| filter.may_hold(hash(word.as_bytes()))));
        let taken = others.iter().filter(|word| filter.may_hold(hash(word.as_bytes()))).count();
        assert!(taken < 60, "{taken} of 1000");
    }
}
