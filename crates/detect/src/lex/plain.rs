//! Plain words: most words of most texts, told from all others by their first sixteen bytes.
//!
//! In: a text and a place where a word may begin. Out: the word's length and hash, where it is plain: at most fifteen
//! letters of ASCII (a value that is made of letters alone is longer), no capital behind a small letter, and behind it
//! a byte at which every value ends that begins with a word. Invariant: what is no plain word is left to the general
//! way; a plain word begins no value by its form, it can only be a word of a list, or end a value behind `:` or `_` (the
//! tests of `pass` compare both ways). Cost: a few instructions a word and no loop.

use super::ONES;
use crate::word_hash::{hash_of_chunks, load};

/// A plain word: its length in bytes and its hash in the lexicon.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct PlainWord {
    /// Length in bytes, 1 to 15.
    pub(crate) len: usize,
    /// The hash of the lexicon.
    pub(crate) hash: u64,
}

/// Longest plain word: a value that is made of letters alone is longer.
const MAX_PLAIN_BYTES: usize = 15;

/// Bytes behind a word at which every value ends that might begin with the word; NUL stands for the end of the text.
const ENDS: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b"\0\t\n\r !\"'()*,;?";
    let mut place = 0;
    while place < ends.len() {
        #[expect(clippy::indexing_slicing, reason = "bounded by the loop; a byte is less than the length")]
        {
            table[ends[place] as usize] = true;
        }
        place += 1;
    }
    table
};

/// The plain word at `at`, where a word begins; none where something else stands.
#[inline(always)]
pub(crate) fn word_at(bytes: &[u8], at: usize) -> Option<PlainWord> {
    let first = load(bytes, at);
    let run = letters(first);
    if run < 8 {
        let next = (first >> (8 * run)) as u8;
        let plain = run > 0 && ends(bytes, at + run, next) && !has_hump(first, run);
        return plain.then(|| PlainWord { len: run, hash: hash_of_chunks(first, 0, run) });
    }
    let second = load(bytes, at + 8);
    let more = letters(second);
    if more == 8 {
        return None;
    }
    let next = (second >> (8 * more)) as u8;
    let hump_between = more > 0 && (first >> 56) & !second & 0x20 != 0;
    let humps = has_hump(first, 8) || hump_between || (more > 0 && has_hump(second, more));
    let len = 8 + more;
    (!humps && ends(bytes, at + len, next))
        .then(|| PlainWord { len, hash: hash_of_chunks(first, second, len) })
}

/// Bytes of a block that words are told apart in.
const BLOCK: usize = 64;
/// Bytes that are read of a block, so that what stands behind the last word is in reach.
const READ: usize = BLOCK + 16;

/// The plain words of a block of text.
pub(super) struct Words<'a> {
    bytes: &'a [u8; READ],
    letters: u64, // one bit for each byte; a small letter before a capital is none, so no word ends behind it
}

impl<'a> Words<'a> {
    #[inline(always)]
    pub(super) fn of(bytes: &'a [u8; READ]) -> Self {
        let mut letters = [0; BLOCK];
        for ((byte, next), letter) in bytes.iter().zip(bytes.iter().skip(1)).zip(&mut letters) {
            let hump = u8::from(byte.wrapping_sub(b'a') < 26) & u8::from(next.wrapping_sub(b'A') < 26);
            *letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26) & (hump ^ 1);
        }
        Self { bytes, letters: bits(&letters) }
    }

    /// The plain word at a letter; none where it is of another kind or does not end within the block.
    #[inline(always)]
    pub(super) fn at(&self, offset: usize) -> Option<PlainWord> {
        if offset >= BLOCK {
            return None;
        }
        let len = (self.letters >> offset).trailing_ones() as usize;
        let end = offset + len;
        if len > MAX_PLAIN_BYTES || end >= BLOCK {
            return None;
        }
        let next = self.bytes.get(end).copied()?;
        if !ends(self.bytes, end, next) {
            return None;
        }
        let chunk: &[u8; 16] = self.bytes.get(offset..)?.first_chunk()?;
        let chunk = u128::from_le_bytes(*chunk);
        Some(PlainWord { len, hash: hash_of_chunks(chunk as u64, (chunk >> 64) as u64, len) })
    }
}

/// Gathers flags, each 0 or 1, as bits.
#[inline(always)]
fn bits(flags: &[u8; BLOCK]) -> u64 {
    let (eights, _) = flags.as_chunks::<8>();
    let gathered = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().enumerate().fold(0, |word, (place, flags)| word | gathered(flags) << (8 * place))
}

/// Whether a word ends for good before `next`: a full stop must end its sentence.
#[inline]
fn ends(bytes: &[u8], end: usize, next: u8) -> bool {
    let ends = |byte: u8| ENDS.get(usize::from(byte)).copied().unwrap_or(false);
    ends(next) || (next == b'.' && bytes.get(end + 1).is_none_or(|after| matches!(after, b' ' | b'\n')))
}

/// Number of letters at the start of a chunk.
#[inline]
const fn letters(chunk: u64) -> usize {
    let small = (chunk & (ONES * 0x7f)) | (ONES * 0x20);
    let letters = (small + ONES * (0x80 - b'a' as u64)) & !(small + ONES * (0x7f - b'z' as u64));
    let others = !(letters & !chunk) & (ONES << 7);
    others.trailing_zeros() as usize / 8
}

/// Whether a small letter stands before a capital among the first letters of a chunk, of which there is one at least.
#[inline]
const fn has_hump(chunk: u64, count: usize) -> bool {
    let small = chunk & (ONES * 0x20);
    let humps = small & !(chunk >> 8);
    // the last letter has none behind it
    humps << (64 - 8 * count) << 8 != 0
}
