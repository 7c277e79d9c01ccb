//! Phrases of one or more words, looked up where they begin: places, diseases, drugs.
//!
//! In: a text and the start of a word. Out: the longest phrase of the book that begins there and ends with a word,
//! and its number. Keys are folded: no marks on letters, small letters, a blank for hyphens and runs of blanks.
//! Invariant: a look reads no further than the phrases of the book go, so at most `MAX_PHRASE_BYTES`; nothing is
//! allocated. Not here: what a phrase means, whether the place in the text is one where it may stand.

use std::borrow::Cow;

use cloakgate_vocab::Span;
use fst::raw::{Fst, Node, Output};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::canonical::is_word_char;
use crate::hash_filter::HashFilter;
use crate::lex::{PlainWord, plain_word_at};
use crate::lexicon::MAX_WORD_BYTES;
use crate::word_hash::{hash, pair};

/// Longest phrase of a book, folded, in bytes.
const MAX_PHRASE_BYTES: usize = 80;
/// Most bytes of a text that a phrase is looked for in, marks and blanks included.
const MAX_LOOK_BYTES: usize = 4 * MAX_PHRASE_BYTES;

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
    heads: Heads,
}

/// Filters of the beginnings of phrases, by the hashes of words that are all ASCII.
struct Heads {
    first: Filter,  // first words
    whole: Filter,  // first words that are a phrase
    marked: Filter, // first words that go on otherwise than with a blank
    pairs: Filter,  // first words with the second ones
}

/// 128 KiB, so that few words without a phrase pass.
type Filter = HashFilter<16_384>;

impl Heads {
    fn new() -> Self {
        Self { first: Filter::new(), whole: Filter::new(), marked: Filter::new(), pairs: Filter::new() }
    }

    /// Notes what the node at the end of `path` says: a phrase begins with the bytes of the path.
    fn note(&mut self, path: &[u8], node: &Node<'_>) {
        let mut words = path.splitn(2, |byte| *byte == b' ');
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        let goes_on = |with: fn(u8) -> bool| node.transitions().any(|next| with(next.inp));
        match second {
            None if !first.is_empty() => {
                if node.is_final() || goes_on(|byte| matches!(byte, b' ' | b'\'')) {
                    self.first.add(hash(first));
                }
                if node.is_final() {
                    self.whole.add(hash(first));
                }
                if goes_on(|byte| !byte.is_ascii_alphanumeric() && byte != b' ') {
                    self.marked.add(hash(first));
                }
            }
            Some(second)
                if !second.is_empty()
                    && (node.is_final() || goes_on(|byte| !byte.is_ascii_alphanumeric())) =>
            {
                self.pairs.add(pair(hash(first), hash(second)));
            }
            _ => {}
        }
    }
}

impl PhraseBook {
    /// Reads a book that `xtask data` has written. `None` when the bytes are no book.
    pub(crate) fn read(bytes: &'static [u8]) -> Option<Self> {
        let fst = Fst::new(Cow::Borrowed(bytes)).ok()?;
        let mut book = Self { fst, heads: Heads::new() };
        book.note_heads();
        Some(book)
    }

    /// Sets the filters: each key up to the end of its second word, walked without listing all keys.
    fn note_heads(&mut self) {
        let mut path: Vec<u8> = Vec::new();
        let mut pending = vec![(self.fst.root().addr(), 0, None)];
        while let Some((address, depth, byte)) = pending.pop() {
            path.truncate(depth);
            path.extend(byte);
            let node = self.fst.node(address);
            self.heads.note(&path, &node);
            let start = path.iter().position(|byte| *byte == b' ').map(|blank| blank + 1);
            let word = path.len() - start.unwrap_or(0);
            for next in node.transitions() {
                let letter = next.inp.is_ascii_alphanumeric() && word < MAX_WORD_BYTES;
                if letter || (next.inp == b' ' && start.is_none() && word > 0) {
                    pending.push((next.addr, path.len(), Some(next.inp)));
                }
            }
        }
    }

    /// False when no phrase begins with the word of ASCII letters that has this hash.
    #[inline]
    pub(crate) fn may_begin(&self, word_hash: u64) -> bool {
        self.heads.first.may_hold(word_hash)
    }

    /// False when no phrase begins with a plain word at `start`, as its hash and what follows show.
    #[inline]
    pub(crate) fn may_begin_plain(&self, text: &str, start: usize, word: PlainWord) -> bool {
        self.may_begin(word.hash) && (self.heads.whole.may_hold(word.hash) || self.goes_on(text, start, word))
    }

    /// Whether a phrase may go on behind a plain word: with a second word, or a mark.
    fn goes_on(&self, text: &str, start: usize, word: PlainWord) -> bool {
        let (bytes, end) = (text.as_bytes(), start + word.len);
        let goes_to = |next: usize| {
            plain_word_at(bytes, next)
                .is_none_or(|next| self.heads.pairs.may_hold(pair(word.hash, next.hash)))
        };
        match bytes.get(end) {
            Some(b' ' | b'\n') => goes_to(end + 1),
            // Full stops are left out of phrases, tabs and the like are blanks.
            Some(b'.') if matches!(bytes.get(end + 1), Some(b' ' | b'\n')) => goes_to(end + 2),
            Some(b'.' | b'\t' | b'\r') => true,
            Some(_) => self.heads.marked.may_hold(word.hash),
            None => false,
        }
    }

    /// The numbers of all phrases.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        let mut stream = self.fst.stream();
        while let Some((_, number)) = fst::Streamer::next(&mut stream) {
            numbers.push(number.value());
        }
        numbers
    }

    /// The longest phrase that begins at `start` and ends where a word does, with its number.
    pub(crate) fn longest_at(&self, text: &str, start: usize) -> Option<(Span, u64)> {
        let rest = text.get(start..)?;
        let bytes = rest.as_bytes();
        let mut walk =
            Walk { fst: &self.fst, node: self.fst.root(), output: Output::zero(), gap: false, steps: 0 };
        let mut best = None;
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            let (len, word) = if byte.is_ascii_alphanumeric() {
                if !walk.step(byte.to_ascii_lowercase()) {
                    return best;
                }
                (1, true)
            } else {
                let c = rest.get(at..)?.chars().next()?;
                if !walk.sign(c) {
                    return best;
                }
                (c.len_utf8(), is_word_char(c))
            };
            if walk.steps > MAX_PHRASE_BYTES || at > MAX_LOOK_BYTES {
                return best;
            }
            at += len;
            if word && walk.node.is_final() && !begins_with_word_char(rest.get(at..)?) {
                let number = walk.output.cat(walk.node.final_output()).value();
                best = Some((Span::sized(start, at), number));
            }
        }
        best
    }
}

fn begins_with_word_char(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric(),
        Some(_) => text.chars().next().is_some_and(is_word_char),
        None => false,
    }
}

/// A place in the book while a text is read.
struct Walk<'a> {
    fst: &'a Fst<Cow<'static, [u8]>>,
    node: Node<'a>,
    output: Output,
    gap: bool, // whether a blank is due before the next letter
    steps: usize,
}

impl Walk<'_> {
    /// Takes one folded byte that is no blank; false when no phrase goes on so.
    fn step(&mut self, byte: u8) -> bool {
        (!std::mem::take(&mut self.gap) || self.follow(b' ')) && self.follow(byte)
    }

    /// Takes a character of any kind.
    fn sign(&mut self, c: char) -> bool {
        Folded::of(c).chars().all(|part| {
            if part == ' ' {
                self.gap = true;
                return true;
            }
            let gap = std::mem::take(&mut self.gap);
            let mut utf8 = [0; 4];
            let bytes = part.encode_utf8(&mut utf8).as_bytes();
            (!gap || self.follow(b' ')) && bytes.iter().all(|byte| self.follow(*byte))
        })
    }

    fn follow(&mut self, byte: u8) -> bool {
        let Some(index) = self.node.find_input(byte) else { return false };
        let next = self.node.transition(index);
        self.output = self.output.cat(next.out);
        self.node = self.fst.node(next.addr);
        self.steps += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{PhraseBook, fold};
    use crate::lex::plain_word_at;
    use crate::word_hash::hash;

    fn book(phrases: &[&str]) -> PhraseBook {
        let mut keys: Vec<String> = phrases.iter().map(|phrase| fold(phrase)).collect();
        keys.sort();
        let map = fst::Map::from_iter(keys.iter().zip(1_u64..)).unwrap();
        let bytes: Cow<'static, [u8]> = Cow::Owned(map.as_fst().as_bytes().to_vec());
        let mut book = PhraseBook { fst: fst::raw::Fst::new(bytes).unwrap(), heads: super::Heads::new() };
        book.note_heads();
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

    #[test]
    fn the_word_behind_a_plain_one_tells_most_places_from_phrases() {
        let book = book(&["type 1 diabetes", "lupus", "heart attack", "bee's knee", "bee sting", "iron"]);
        for (text, may) in [
            ("heart attack", true),
            ("heart\nattack now", true),
            ("heart and soul", false),
            ("heart, attack", false),
            ("bee, attack", true), // `bee's`: what follows is not looked at
            ("type one", false),
            ("type 1", true),
            ("type, 1", false),
            ("lupus and x", true),
            ("iron", true),
        ] {
            let word = plain_word_at(text.as_bytes(), 0).unwrap();
            assert_eq!(book.may_begin_plain(text, 0, word), may, "{text}");
            assert!(may || book.longest_at(text, 0).is_none(), "{text}");
        }
    }
}
