//! What the network is told of a word: its norm, its first character, its last three, its shape, and its vector.
//!
//! In: a token's text, and its norm where the tokenizer knows one. Out: five rows of numbers. Each of the first four is
//! the sum of four rows of a table, which the attribute's id chooses; the fifth is the word's vector, or zeros.

use std::collections::HashMap;

use super::classes::{Classes, DIGIT, LETTER};
use super::data::{Row, WIDTH, ZERO, halves, strings};
use super::ids::Ids;

/// Rows that go in for each word.
pub(super) const PARTS: usize = 5;
/// Rows of the four tables, and what their hash begins with.
const TABLES: [(usize, u64); 4] = [(5000, 8), (1000, 9), (2500, 10), (2500, 11)];
/// Characters from which on a word's shape is only that it is long.
const LONG: usize = 100;
/// How many of a row of the same kind are part of a shape.
const SAME: usize = 4;
const ROW_BYTES: usize = WIDTH * 2;

/// Tables of what is known of words.
pub(super) struct Words {
    ids: Ids,
    /// Ids of words whose norm is not their lower case, with the norm's id.
    norms: HashMap<u64, u64>,
    tables: [&'static [u8]; TABLES.len()],
    vectors: Vectors,
}

impl Words {
    /// `norms`: pairs of a word and its norm, then ids of words and their norms.
    pub(super) fn new(
        ids: Ids,
        norms: [&'static [u8]; 3],
        tables: [&'static [u8]; TABLES.len()],
        vectors: Vectors,
    ) -> Option<Self> {
        let [pairs, keys, values] = norms;
        let mut norms = HashMap::new();
        let (pairs, keys, values) = (strings(pairs)?, keys.as_chunks().0, strings(values)?);
        for pair in pairs.chunks_exact(2) {
            if let [word, norm] = pair {
                norms.insert(ids.of(word), ids.of(norm));
            }
        }
        for (key, norm) in keys.iter().zip(&values) {
            norms.insert(u64::from_le_bytes(*key), ids.of(norm));
        }
        let sizes = tables.iter().zip(TABLES).all(|(table, (rows, _))| table.len() == rows * ROW_BYTES);
        (sizes && keys.len() == values.len()).then_some(Self { ids, norms, tables, vectors })
    }

    /// The id of a norm.
    pub(super) fn id(&self, text: &str) -> u64 {
        self.ids.of(text)
    }

    /// The rows of a word, whose hash is known. `norm` is 0 unless the tokenizer knows it.
    pub(super) fn rows(&self, text: &str, hash: u64, norm: u64, classes: &Classes) -> [Row; PARTS] {
        let [norm, prefix, suffix, shape, word] = self.attributes(text, hash, norm, classes);
        let embed = |place: usize, id: u64| {
            let table = self.tables.get(place).copied().unwrap_or_default();
            let (count, seed) = TABLES.get(place).copied().unwrap_or((1, 0));
            let mut sum = ZERO;
            for number in places(id, seed) {
                let start = number as usize % count * ROW_BYTES;
                let row = table.get(start..start + ROW_BYTES).unwrap_or_default();
                sum.iter_mut().zip(halves(row)).for_each(|(sum, number)| *sum += number);
            }
            sum
        };
        [embed(0, norm), embed(1, prefix), embed(2, suffix), embed(3, shape), self.vectors.of(word)]
    }

    /// Ids of norm, prefix, suffix, shape and the word itself.
    pub(super) fn attributes(&self, text: &str, hash: u64, norm: u64, classes: &Classes) -> [u64; PARTS] {
        let word = self.ids.of_hash(hash);
        let norm = match norm {
            0 => self.norms.get(&word).copied().unwrap_or_else(|| self.ids.of(&text.to_lowercase())),
            known => known,
        };
        let prefix = text.chars().next().map_or(0, char::len_utf8);
        let suffix = text.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
        [
            norm,
            self.ids.of(text.get(..prefix).unwrap_or_default()),
            self.ids.of(text.get(suffix..).unwrap_or_default()),
            self.ids.of(&shape(text, classes)),
            word,
        ]
    }
}

/// `X` for capitals, `x` for other letters, `d` for digits, and all else as it is; four of a kind in a row at most.
pub(super) fn shape(text: &str, classes: &Classes) -> String {
    if text.chars().nth(LONG - 1).is_some() {
        return "LONG".to_owned();
    }
    let mut shape = String::new();
    let (mut last, mut count) = (None, 0);
    for character in text.chars() {
        let class = classes.of(character);
        let kind = match character {
            _ if class & LETTER != 0 && character.is_uppercase() => 'X',
            _ if class & LETTER != 0 => 'x',
            _ if class & DIGIT != 0 => 'd',
            other => other,
        };
        count = if last == Some(kind) { count + 1 } else { 0 };
        last = Some(kind);
        if count < SAME {
            shape.push(kind);
        }
    }
    shape
}

/// The four rows of a table that an id chooses, before the remainder: `MurmurHash3` (x64, 128 bits) of its eight bytes.
fn places(id: u64, seed: u64) -> [u32; 4] {
    let mix = |mut hash: u64| {
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^ (hash >> 33)
    };
    let block = id.wrapping_mul(0x87C3_7B91_1142_53D5).rotate_left(31).wrapping_mul(0x4CF5_AD43_2745_937F);
    let second = seed ^ 8;
    let first = (block ^ second).wrapping_add(second);
    let second = mix(second.wrapping_add(first));
    let first = mix(first).wrapping_add(second);
    let second = second.wrapping_add(first);
    #[expect(clippy::cast_possible_truncation, reason = "the halves are what is wanted")]
    let halves = |hash: u64| (hash as u32, (hash >> 32) as u32);
    let ((a, b), (c, d)) = (halves(first), halves(second));
    [a, b, c, d]
}

/// The vectors of words.
pub(super) struct Vectors {
    rows: &'static [[u8; ROW_BYTES]],
    /// Where the words of each bucket end.
    ends: &'static [[u8; 4]],
    /// Words: 25 bits of the id above 15 bits of row.
    slots: &'static [[u8; 5]],
}

impl Vectors {
    const ROWS: usize = 20_000;
    const BUCKETS: usize = 1 << 16;
    const ROW_BITS: u32 = 15;
    const CHECK: u64 = (1 << 25) - 1;

    pub(super) fn read(rows: &'static [u8], ends: &'static [u8], slots: &'static [u8]) -> Option<Self> {
        let (rows, ends, slots) = (rows.as_chunks().0, ends.as_chunks().0, slots.as_chunks().0);
        let sizes = rows.len() == Self::ROWS && ends.len() == Self::BUCKETS;
        sizes.then_some(Self { rows, ends, slots })
    }

    /// The vector of a word, or zeros.
    fn of(&self, word: u64) -> Row {
        let mut vector = ZERO;
        if let Some(row) = self.place(word).and_then(|place| self.rows.get(place)) {
            vector.iter_mut().zip(halves(row)).for_each(|(out, number)| *out = number);
        }
        vector
    }

    /// The row of a word.
    pub(super) fn place(&self, word: u64) -> Option<usize> {
        let bucket = (word >> 48) as usize;
        let end = |bucket: usize| self.ends.get(bucket).map(|bytes| u32::from_le_bytes(*bytes) as usize);
        let start = bucket.checked_sub(1).map_or(Some(0), end)?;
        let slots = self.slots.get(start..end(bucket)?)?;
        let numbers = slots.iter().map(|[a, b, c, d, e]| u64::from_le_bytes([*a, *b, *c, *d, *e, 0, 0, 0]));
        let check = word & Self::CHECK;
        let found = numbers.into_iter().find(|number| number >> Self::ROW_BITS == check)?;
        usize::try_from(found & ((1 << Self::ROW_BITS) - 1)).ok()
    }
}
