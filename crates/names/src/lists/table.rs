//! A table of words with a number each, small enough to be built in.
//!
//! In: bytes that `build` made. Out: the number of a word. A slot keeps 20 bits of a word's hash and the place of its
//! number in a list of all numbers, so a word that is not in the table is taken for one that is about once in 50,000
//! times: good for evidence, not for proof. Layout, little-endian u32: count of numbers, count of buckets, the
//! numbers, then 16 slots a bucket. A word that finds its bucket full stands in a later one.
//!
//! Invariant: a look reads buckets up to the first that is not full; `build` leaves every tenth slot free.

use std::collections::BTreeMap;

/// Slots of a bucket: one line of cache.
const BUCKET: usize = 16;
/// Bits of a slot that say which number, counted from 1; 0 is a free slot.
const NUMBER_BITS: u32 = 12;

/// Words with numbers.
pub(crate) struct Table {
    numbers: Vec<u32>,
    slots: Vec<u32>, // whole buckets, at least one of them not full
}

impl Table {
    /// Reads what `build` made. `None` when the bytes are something else.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<4>();
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
        let count = words.next()? as usize;
        let buckets = words.next()? as usize;
        let numbers: Vec<u32> = words.by_ref().take(count).collect();
        let slots: Vec<u32> = words.collect();
        let whole =
            rest.is_empty() && numbers.len() == count && Some(slots.len()) == buckets.checked_mul(BUCKET);
        (whole && slots.contains(&0)).then_some(Self { numbers, slots })
    }

    /// The number of the word with this hash.
    #[inline]
    pub(crate) fn number(&self, hash: Hash) -> Option<u32> {
        let (buckets, _) = self.slots.as_chunks::<BUCKET>();
        let mut at = hash.bucket(buckets.len());
        let mark = hash.mark();
        loop {
            let bucket = buckets.get(at)?;
            if let Some(slot) = bucket.iter().find(|slot| *slot >> NUMBER_BITS == mark && **slot != 0) {
                let place = (slot & ((1 << NUMBER_BITS) - 1)) as usize;
                return self.numbers.get(place.checked_sub(1)?).copied();
            }
            if bucket.contains(&0) {
                return None;
            }
            at = (at + 1) % buckets.len();
        }
    }
}

/// The hash of a word, taken in byte by byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash(u64);

impl Hash {
    /// Of no bytes.
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// With one byte more.
    #[inline]
    pub(crate) const fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u64).wrapping_mul(0x0100_0000_01b3))
    }

    /// With a character more.
    #[inline]
    pub(crate) fn char(self, c: char) -> Self {
        let mut utf8 = [0; 4];
        c.encode_utf8(&mut utf8).bytes().fold(self, Self::byte)
    }

    /// Of a whole word as it is.
    pub(crate) fn of(word: &str) -> Self {
        word.bytes().fold(Self::new(), Self::byte)
    }

    /// All of it, as a key of a map.
    pub(crate) const fn key(self) -> u64 {
        self.mixed()
    }

    const fn mixed(self) -> u64 {
        let mut hash = self.0;
        hash ^= hash >> 33;
        hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^ (hash >> 33)
    }

    const fn bucket(self, buckets: usize) -> usize {
        (((self.mixed() >> 32) * buckets as u64) >> 32) as usize
    }

    const fn mark(self) -> u32 {
        self.mixed() as u32 >> NUMBER_BITS
    }
}

/// Makes the bytes of a table. `None` when there are more than 4,095 different numbers.
#[must_use]
pub fn build_table(words: &BTreeMap<String, u32>) -> Option<Vec<u8>> {
    let mut numbers: Vec<u32> = words.values().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() >= 1 << NUMBER_BITS {
        return None;
    }
    let count = words.len() * 10 / 9 / BUCKET + 1;
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (word, number) in words {
        let hash = Hash::of(word);
        let place = numbers.binary_search(number).ok()? as u32 + 1;
        let mut at = hash.bucket(count);
        while buckets.get(at)?.len() == BUCKET {
            at = (at + 1) % count;
        }
        buckets.get_mut(at)?.push(hash.mark() << NUMBER_BITS | place);
    }
    let mut bytes = Vec::new();
    let head = [numbers.len() as u32, count as u32];
    let slots = buckets.into_iter().flat_map(|bucket| bucket.into_iter().chain([0; BUCKET]).take(BUCKET));
    for word in head.into_iter().chain(numbers).chain(slots) {
        bytes.extend(word.to_le_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Hash, Table, build_table};

    #[test]
    fn words_have_their_numbers() {
        let words: BTreeMap<String, u32> = (0..5000).map(|n| (format!("word{n}"), n % 300)).collect();
        let table = Table::read(&build_table(&words).unwrap()).unwrap();
        for (word, number) in &words {
            assert_eq!(table.number(Hash::of(word)), Some(*number), "{word}");
        }
        let wrong = (0..20_000).filter(|n| table.number(Hash::of(&format!("other{n}"))).is_some()).count();
        assert!(wrong <= 5, "{wrong}");
    }

    #[test]
    fn other_bytes_are_no_table() {
        let bytes = build_table(&BTreeMap::from([("a".to_owned(), 7)])).unwrap();
        assert!(Table::read(&bytes).is_some());
        assert!(Table::read(&bytes[..bytes.len() - 4]).is_none());
        assert!(Table::read(&bytes[1..]).is_none());
        assert!(Table::read(&[]).is_none());
        assert!(Table::read(&[0; 8]).is_none());
    }
}
