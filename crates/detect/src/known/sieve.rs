//! A filter before the index: most words of most texts are no anchor, and one look says so.
//!
//! In: words. Out: whether an anchor may be among them. The hash is keyed, cheap, and blind to the case of ASCII
//! letters, so that such words need not be folded first. Invariant: a word that is an anchor always passes; one
//! that is not passes about once in fifty. Not here: being sure, which takes the index its own hash.

use crate::word_hash::load;

/// Bits of the filter for each anchor.
const BITS_PER_ANCHOR: usize = 16;
/// Cells of the smallest filter.
const MIN_CELLS: usize = 16;

/// Hash of words under a session's key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Scheme {
    seed: u64,
    multiplier: u64, // odd
}

impl Scheme {
    /// A scheme from sixteen secret bytes.
    pub(super) const fn new(key: &[u8; 16]) -> Self {
        let bits = u128::from_le_bytes(*key);
        Self { seed: (bits >> 64) as u64, multiplier: (bits as u64 ^ 0x9e37_79b9_7f4a_7c15) | 1 }
    }

    /// Hash of the `len` bytes at `start`; `None` when one of them is no ASCII, and folding must come first.
    #[inline]
    pub(super) fn ascii(self, bytes: &[u8], start: usize, len: usize) -> Option<u32> {
        let (hash, seen) = self.mix(bytes, start, len);
        (seen & 0x8080_8080_8080_8080 == 0).then_some(hash)
    }

    /// Hash of a folded word.
    pub(super) fn folded(self, word: &[u8]) -> u32 {
        self.mix(word, 0, word.len()).0
    }

    #[inline]
    fn mix(self, bytes: &[u8], start: usize, len: usize) -> (u32, u64) {
        const LOWER: u64 = 0x2020_2020_2020_2020;
        let mut state = self.seed ^ (len as u64);
        let mut seen = 0;
        let (mut at, mut left) = (start, len);
        while left > 8 {
            let chunk = load(bytes, at);
            seen |= chunk;
            state = self.fold(state ^ (chunk | LOWER));
            at += 8;
            left -= 8;
        }
        if left > 0 {
            let chunk = load(bytes, at) & (u64::MAX >> (64 - 8 * left));
            seen |= chunk;
            state = self.fold(state ^ (chunk | LOWER));
        }
        ((state >> 32) as u32, seen)
    }

    #[inline]
    const fn fold(self, state: u64) -> u64 {
        let product = (state as u128) * (self.multiplier as u128);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// The filter: two bits of one cell for each hash.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    cells: Vec<u64>, // empty, or a power of two
}

impl Sieve {
    /// True when the filter has room for so many anchors.
    pub(super) const fn has_room(&self, anchors: usize) -> bool {
        self.cells.len() * 64 >= anchors * BITS_PER_ANCHOR && !self.cells.is_empty()
    }

    /// An empty filter with room for twice as many anchors.
    pub(super) fn for_anchors(anchors: usize) -> Self {
        let cells = (2 * anchors * BITS_PER_ANCHOR / 64).next_power_of_two().max(MIN_CELLS);
        Self { cells: vec![0; cells] }
    }

    /// Adds a hash.
    pub(super) fn add(&mut self, hash: u32) {
        let at = self.cell(hash);
        if let Some(cell) = self.cells.get_mut(at) {
            *cell |= bits(hash);
        }
    }

    /// False when the hash was never added.
    #[inline]
    pub(super) fn may_hold(&self, hash: u32) -> bool {
        let wanted = bits(hash);
        self.cells.get(self.cell(hash)).is_some_and(|cell| cell & wanted == wanted)
    }

    #[inline]
    const fn cell(&self, hash: u32) -> usize {
        (hash >> 12) as usize & self.cells.len().wrapping_sub(1)
    }
}

#[inline]
const fn bits(hash: u32) -> u64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63)
}

#[cfg(test)]
mod tests {
    use super::{Scheme, Sieve};

    const SCHEME: Scheme = Scheme::new(b"sixteen of bytes");

    #[test]
    fn the_hash_ignores_case_and_what_stands_around() {
        for word in ["a", "marie", "dubois12", "internationale", "a23456789012345678901234567890"] {
            let text = format!("x{}y", word.to_uppercase());
            let hash = SCHEME.folded(word.as_bytes());
            assert_eq!(SCHEME.ascii(text.as_bytes(), 1, word.len()), Some(hash), "{word}");
            assert_eq!(SCHEME.ascii(word.as_bytes(), 0, word.len()), Some(hash), "{word}");
            assert_ne!(SCHEME.folded(format!("{word}b").as_bytes()), hash, "{word}");
            assert_ne!(Scheme::new(b"another 16 bytes").folded(word.as_bytes()), hash, "{word}");
        }
        assert_eq!(SCHEME.ascii("é".as_bytes(), 0, 2), None);
    }

    #[test]
    fn what_was_added_passes_and_little_else() {
        let mut sieve = Sieve::default();
        assert!(!sieve.has_room(0) && !sieve.may_hold(7));
        sieve = Sieve::for_anchors(5_000);
        let hash = |number: u32| SCHEME.folded(format!("word{number}").as_bytes());
        (0..10_000).for_each(|number| sieve.add(hash(number)));
        assert!(sieve.has_room(10_000) && !sieve.has_room(40_000));
        assert!((0..10_000).all(|number| sieve.may_hold(hash(number))));
        let passed = (10_000..20_000).filter(|number| sieve.may_hold(hash(*number))).count();
        assert!(passed < 500, "{passed}");
    }
}
