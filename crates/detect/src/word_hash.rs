//! The hash by which words of texts and of lists are compared.
//!
//! In: a word, or a place of a text and a length. Out: 64 bits that are never all zero. The case of ASCII and Latin-1 letters
//! does not count. Invariant: each way to the hash of a word gives the same, and words of up to sixteen bytes take no
//! loop. Not here: which words there are (`lexicon`, `word_set`, `phrases`).

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;

/// Hash of a word; the case of ASCII and Latin-1 letters does not count.
pub(crate) fn hash(word: &[u8]) -> u64 {
    hash_at(word, 0, word.len())
}

/// Hash of the word of `len` bytes at `start`: eight bytes are read at once, where the text goes on that far.
#[inline]
pub(crate) fn hash_at(bytes: &[u8], start: usize, len: usize) -> u64 {
    let second = if len > 8 { load(bytes, start + 8) } else { 0 };
    let mut state = opened(load(bytes, start), second, len);
    let mut at = 16;
    while at < len {
        state = (state ^ ((load(bytes, start + at) | FOLD) & low_bytes(len - at))).wrapping_mul(MULTIPLIER);
        state ^= state >> 29;
        at += 8;
    }
    closed(state)
}

/// The same for a word of at most sixteen bytes, given the chunks that it begins with.
#[inline]
pub(crate) fn hash_of_chunks(first: u64, second: u64, len: usize) -> u64 {
    closed(opened(first, second, len))
}

/// Makes letters of ASCII and Latin-1 small.
const FOLD: u64 = 0x2020_2020_2020_2020;

/// What the first sixteen bytes of a word are taken up with, for each length.
const OPENINGS: [Opening; 17] = {
    let mut table = [Opening { state: 0, masks: (0, 0) }; 17];
    let mut len = 0;
    while len < table.len() {
        let second = len.saturating_sub(8);
        #[expect(clippy::indexing_slicing, reason = "bounded by the loop")]
        {
            table[len] = Opening {
                state: (len as u64).wrapping_mul(MULTIPLIER),
                masks: (low_bytes(len - second), low_bytes(second)),
            };
        }
        len += 1;
    }
    table
};

#[derive(Clone, Copy)]
struct Opening {
    state: u64,
    masks: (u64, u64), // which bytes count
}

/// Takes up the first sixteen bytes of a word; neither chunk waits for the other.
#[inline]
fn opened(first: u64, second: u64, len: usize) -> u64 {
    let Opening { state, masks } = OPENINGS.get(len).copied().unwrap_or_else(|| long_opening(len));
    let state = state ^ ((first | FOLD) & masks.0);
    state.wrapping_mul(MULTIPLIER).wrapping_add(((second | FOLD) & masks.1).wrapping_mul(SECOND_MULTIPLIER))
}

fn long_opening(len: usize) -> Opening {
    Opening { state: (len as u64).wrapping_mul(MULTIPLIER), masks: (u64::MAX, u64::MAX) }
}

/// The mask of the first `count` bytes of a chunk, all at most.
#[inline]
const fn low_bytes(count: usize) -> u64 {
    if count < 8 { (1 << (8 * count)) - 1 } else { u64::MAX }
}

#[inline]
const fn closed(state: u64) -> u64 {
    (state ^ (state >> 32)) | 1
}

/// The eight bytes at `at`, as far as the text goes; the first one is the lowest.
#[inline]
pub(crate) fn load(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => tail(bytes, at),
    }
}

/// The last bytes of a text, as the low bytes of a word.
fn tail(bytes: &[u8], at: usize) -> u64 {
    let left = bytes.len().saturating_sub(at);
    match bytes.last_chunk::<8>() {
        Some(chunk) if (1..8).contains(&left) => u64::from_le_bytes(*chunk) >> (8 * (8 - left)),
        _ => bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take(8)
            .rev()
            .fold(0, |word, byte| (word << 8) | u64::from(*byte)),
    }
}

/// Hash of two words that stand behind each other.
pub(crate) const fn pair(before: u64, word: u64) -> u64 {
    (before.rotate_left(17) ^ word).wrapping_mul(MULTIPLIER)
}
