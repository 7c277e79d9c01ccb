//! Numbers that stand for strings: what the network's tables are looked up by.
//!
//! A string's id is its 64-bit hash, `MurmurHash64A` with seed 1, unless it is one of the library's own names for
//! attributes and grammar, which have small numbers. A text may hold such a name as a word (`ID`, `X`, `ORG`), and then
//! its number is meant all the same.

/// The hash of a string.
pub(super) fn hash(text: &[u8]) -> u64 {
    const FACTOR: u64 = 0xC6A4_A793_5BD1_E995;
    const SHIFT: u32 = 47;
    let (blocks, tail) = text.as_chunks();
    let mut hash = 1 ^ (text.len() as u64).wrapping_mul(FACTOR);
    for block in blocks {
        let mut block = u64::from_le_bytes(*block).wrapping_mul(FACTOR);
        block ^= block >> SHIFT;
        hash = (hash ^ block.wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    }
    if !tail.is_empty() {
        let last = tail.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte));
        hash = (hash ^ last).wrapping_mul(FACTOR);
    }
    hash ^= hash >> SHIFT;
    hash = hash.wrapping_mul(FACTOR);
    hash ^ (hash >> SHIFT)
}

/// The library's own names.
pub(super) struct Ids {
    /// Hashes with the number of the name, sorted.
    symbols: Vec<(u64, u64)>,
}

impl Ids {
    /// From the names in the order of their numbers.
    pub(super) fn new(symbols: &[&str]) -> Self {
        let mut symbols: Vec<_> = symbols.iter().map(|name| hash(name.as_bytes())).zip(0..).collect();
        symbols.sort_unstable();
        Self { symbols }
    }

    /// The id of a string.
    pub(super) fn of(&self, text: &str) -> u64 {
        self.of_hash(hash(text.as_bytes()))
    }

    /// The id of the string with this hash.
    pub(super) fn of_hash(&self, hash: u64) -> u64 {
        let place = self.symbols.binary_search_by_key(&hash, |(hash, _)| *hash);
        place.ok().and_then(|place| self.symbols.get(place)).map_or(hash, |(_, number)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ids, hash};

    #[test]
    fn hashes_are_the_library_s() {
        for (text, expected) in [
            ("the", 7_425_985_699_627_899_538),
            ("Alice", 11_143_966_581_707_015_846),
            ("international", 6_392_893_036_165_415_004),
            ("été", 416_107_850_921_971_791),
        ] {
            assert_eq!(hash(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_name_of_the_library_has_its_number() {
        let ids = Ids::new(&["", "IS_ALPHA", "ID"]);
        assert_eq!(ids.of(""), 0);
        assert_eq!(ids.of("ID"), 2);
        assert_eq!(ids.of("id"), hash(b"id"));
    }
}
