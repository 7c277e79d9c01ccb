//! Phrases of one or more words, looked up where they begin: places, diseases, drugs.
//!
//! In: a text and the start of a word. Out: the longest phrase of the book that begins there and ends with a word,
//! and its number. Keys are folded: no marks on letters, small letters, a blank for hyphens and runs of blanks.
//! Invariant: a look reads no further than the phrases of the book go, so at most `MAX_PHRASE_BYTES`; nothing is
//! allocated. Not here: what a phrase means, whether the place in the text is one where it may stand.

use std::borrow::Cow;

use cloakgate_vocab::Span;
use fst::raw::{Fst, Output};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::canonical::is_word_char;
use crate::lexicon::{MAX_WORD_BYTES, hash};

/// Longest phrase of a book, folded, in bytes.
const MAX_PHRASE_BYTES: usize = 80;
/// Most bytes of a text that a phrase is looked for in, marks and blanks included.
const MAX_LOOK_BYTES: usize = 4 * MAX_PHRASE_BYTES;
/// Bits of the filter of first words: 128 KiB, so that few words without a phrase pass.
const FILTER_BITS: usize = 1 << 20;

/// The form in which phrases are kept and compared.
#[must_use]
pub fn fold(phrase: &str) -> String {
    let mut folded = String::with_capacity(phrase.len());
    let mut gap = false;
    for c in phrase.chars() {
        for part in Folded::of(c).chars() {
            if part == ' ' {
                gap = !folded.is_empty();
                continue;
            }
            if std::mem::take(&mut gap) {
                folded.push(' ');
            }
            folded.push(part);
        }
    }
    folded
}

/// What one character becomes: at most four small letters without marks, a blank, or nothing.
#[derive(Clone, Copy)]
struct Folded {
    parts: [char; 4],
    len: usize, // len <= 4
}

impl Folded {
    #[inline]
    fn of(c: char) -> Self {
        let one = |part: char| Self { parts: [part, ' ', ' ', ' '], len: 1 };
        match c {
            'a'..='z' | '0'..='9' => one(c),
            'A'..='Z' => one(c.to_ascii_lowercase()),
            ' ' | '-' | '\t' | '\n' | '\r' | '_' | '\u{a0}' | '‐' | '‑' | '–' => one(' '),
            '\'' | '’' | 'ʼ' | '`' | '´' => one('\''),
            '.' => Self { parts: [' '; 4], len: 0 },
            'ß' => Self { parts: ['s', 's', ' ', ' '], len: 2 },
            'ø' | 'Ø' => one('o'),
            'ł' | 'Ł' => one('l'),
            'đ' | 'Đ' => one('d'),
            'ı' => one('i'),
            _ if c.is_ascii() => one(c),
            _ => Self::decomposed(c),
        }
    }

    fn decomposed(c: char) -> Self {
        let mut folded = Self { parts: [' '; 4], len: 0 };
        let plain = c.nfkd().filter(|part| !is_combining_mark(*part)).flat_map(char::to_lowercase);
        for part in plain.filter(|part| !is_combining_mark(*part)) {
            if let Some(place) = folded.parts.get_mut(folded.len) {
                *place = part;
                folded.len += 1;
            }
        }
        folded
    }

    fn chars(&self) -> impl Iterator<Item = char> + '_ {
        self.parts.iter().take(self.len).copied()
    }
}

/// A set of phrases with a number for each.
pub(crate) struct PhraseBook {
    fst: Fst<Cow<'static, [u8]>>,
    first_words: Vec<u64>, // FILTER_BITS bits: hashes of first words that are all ASCII
}

impl PhraseBook {
    /// Reads a book that `xtask data` has written. `None` when the bytes are no book.
    pub(crate) fn read(bytes: &'static [u8]) -> Option<Self> {
        let fst = Fst::new(Cow::Borrowed(bytes)).ok()?;
        let mut book = Self { fst, first_words: vec![0; FILTER_BITS / 64] };
        book.note_first_words();
        Some(book)
    }

    /// Sets the filter: each key up to its first blank, walked without listing all keys.
    fn note_first_words(&mut self) {
        let mut words = Vec::new();
        let mut pending = vec![(self.fst.root().addr(), Vec::new())];
        while let Some((address, word)) = pending.pop() {
            let node = self.fst.node(address);
            let ends = node.transitions().any(|next| matches!(next.inp, b' ' | b'\''));
            if (node.is_final() || ends) && !word.is_empty() {
                words.push(hash(&word));
            }
            for next in node.transitions().filter(|next| next.inp.is_ascii_alphanumeric()) {
                let longer: Vec<u8> = word.iter().copied().chain([next.inp]).collect();
                if longer.len() <= MAX_WORD_BYTES {
                    pending.push((next.addr, longer));
                }
            }
        }
        for hash in words {
            let bit = filter_bit(hash);
            if let Some(cell) = self.first_words.get_mut(bit / 64) {
                *cell |= 1 << (bit % 64);
            }
        }
    }

    /// False when no phrase begins with the word of ASCII letters that has this hash.
    #[inline]
    pub(crate) fn may_begin(&self, word_hash: u64) -> bool {
        let bit = filter_bit(word_hash);
        self.first_words.get(bit / 64).is_some_and(|cell| cell & (1 << (bit % 64)) != 0)
    }

    /// The longest phrase that begins at `start` and ends where a word does, with its number.
    pub(crate) fn longest_at(&self, text: &str, start: usize) -> Option<(Span, u64)> {
        let rest = text.get(start..)?;
        let mut node = self.fst.root();
        let mut output = Output::zero();
        let mut best = None;
        let mut gap = false;
        let mut steps = 0;
        let mut characters = rest.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            for part in Folded::of(c).chars() {
                if part == ' ' {
                    gap = true;
                    continue;
                }
                let mut utf8 = [0; 4];
                let bytes = part.encode_utf8(&mut utf8).as_bytes();
                let blank = std::mem::take(&mut gap).then_some(b' ');
                for byte in blank.iter().chain(bytes) {
                    let Some(index) = node.find_input(*byte) else { return best };
                    let next = node.transition(index);
                    output = output.cat(next.out);
                    node = self.fst.node(next.addr);
                    steps += 1;
                }
            }
            if steps > MAX_PHRASE_BYTES || at > MAX_LOOK_BYTES {
                return best;
            }
            let ends = is_word_char(c) && characters.peek().is_none_or(|(_, next)| !is_word_char(*next));
            if ends && node.is_final() {
                let number = output.cat(node.final_output()).value();
                best = Some((Span::sized(start, at + c.len_utf8()), number));
            }
        }
        best
    }
}

const fn filter_bit(hash: u64) -> usize {
    (hash >> 40) as usize & (FILTER_BITS - 1)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{PhraseBook, fold};
    use crate::lexicon::hash;

    fn book(phrases: &[&str]) -> PhraseBook {
        let mut keys: Vec<String> = phrases.iter().map(|phrase| fold(phrase)).collect();
        keys.sort();
        let map = fst::Map::from_iter(keys.iter().zip(1_u64..)).unwrap();
        let bytes: Cow<'static, [u8]> = Cow::Owned(map.as_fst().as_bytes().to_vec());
        let mut book = PhraseBook {
            fst: fst::raw::Fst::new(bytes).unwrap(),
            first_words: vec![0; super::FILTER_BITS / 64],
        };
        book.note_first_words();
        book
    }

    #[test]
    fn phrases_are_folded() {
        for (phrase, folded) in [
            ("Saint-Étienne", "saint etienne"),
            ("  St.  Louis ", "st louis"),
            ("Straße", "strasse"),
            ("Crohn’s disease", "crohn's disease"),
            ("İstanbul", "istanbul"),
            ("Łódź", "lodz"),
            ("東京", "東京"),
        ] {
            assert_eq!(fold(phrase), folded);
        }
    }

    #[test]
    fn the_longest_phrase_that_ends_with_a_word_counts() {
        let book = book(&["type 1 diabetes", "diabetes", "Saint-Étienne", "York", "東京", "lupus"]);
        for (text, found) in [
            ("type 1 diabetes mellitus", Some("type 1 diabetes")),
            ("Type-1\n diabetes", Some("Type-1\n diabetes")),
            ("type 2 diabetes", None),
            ("diabetesx", None),
            ("DIABETES.", Some("DIABETES")),
            ("Saint Etienne!", Some("Saint Etienne")),
            ("SAINT-ÉTIENNE", Some("SAINT-ÉTIENNE")),
            ("York's", Some("York")),
            ("東京", Some("東京")),
            ("", None),
        ] {
            let span = book.longest_at(text, 0).map(|(span, _)| span);
            assert_eq!(span.and_then(|span| span.of(text)), found, "{text}");
        }
        assert!(book.may_begin(hash(b"Type")) && book.may_begin(hash(b"LUPUS")));
        assert!(!book.may_begin(hash(b"mellitus")));
    }
}
