//! Cuts a text into the pieces of words that the network knows.
//!
//! In: any text. Out: piece numbers in order, each with the bytes of the text that it stands for. Small letters, no
//! accents, Chinese characters and marks of punctuation each a word; a word is cut greedily into the longest known
//! pieces, or is one unknown piece. Invariant: spans are in order and on character boundaries; cost is linear.
//! A text that spells `[SEP]` or another mark of the network is cut like any other text.

use std::collections::HashMap;

use cloakgate_vocab::Span;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::char::decompose_canonical;

/// What stands for a word that has no pieces.
const UNKNOWN: u32 = 1;
/// What a run of pieces begins with.
pub(super) const BEGIN: u32 = 2;
/// What a run of pieces ends with.
pub(super) const END: u32 = 3;
/// Pieces that are marks of the network and stand for no text.
const MARKS: usize = 5;
/// A word of more characters is unknown.
const MAX_WORD_CHARS: usize = 100;

/// A piece of a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Piece {
    pub(super) number: u32,
    /// Whether a word begins with it.
    pub(super) first: bool,
    /// Bytes of the text.
    pub(super) span: Span,
}

/// The known pieces.
pub(super) struct WordPieces {
    /// Pieces that words begin with.
    first: HashMap<&'static str, u32>,
    /// Pieces that words go on with.
    further: HashMap<&'static str, u32>,
    /// Bytes of the longest.
    longest: usize,
}

/// A word as it is looked up: plain small letters, each with where it came from.
#[derive(Default)]
struct Word {
    letters: String,
    /// For each character its end in `letters`, and its bytes in the text.
    places: Vec<(usize, Span)>,
}

impl WordPieces {
    /// The pieces of a list, one a line, numbered from 0; `##` stands before those that words go on with.
    pub(super) fn read(list: &'static str) -> Option<Self> {
        let mut read = Self { first: HashMap::new(), further: HashMap::new(), longest: 0 };
        for (number, line) in list.lines().enumerate().skip(MARKS) {
            let number = u32::try_from(number).ok()?;
            let (map, piece) = match line.strip_prefix("##") {
                Some(piece) if !piece.is_empty() => (&mut read.further, piece),
                _ => (&mut read.first, line),
            };
            map.insert(piece, number);
            read.longest = read.longest.max(piece.len());
        }
        Some(read)
    }

    /// The pieces of `text`.
    pub(super) fn cut(&self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(text.len() / 3);
        let mut word = Word::default();
        for (start, c) in text.char_indices() {
            let span = Span::sized(start, c.len_utf8());
            if c.is_ascii_alphanumeric() {
                word.push(c.to_ascii_lowercase(), span);
            } else if is_removed(c) {
            } else if c.is_whitespace() {
                self.finish(&mut word, &mut pieces);
            } else if is_chinese(c) {
                self.finish(&mut word, &mut pieces);
                self.add(c, span, &mut word, &mut pieces);
                self.finish(&mut word, &mut pieces);
            } else {
                self.add(c, span, &mut word, &mut pieces);
            }
        }
        self.finish(&mut word, &mut pieces);
        pieces
    }

    /// Takes in what becomes of a character without its accents.
    fn add(&self, c: char, span: Span, word: &mut Word, pieces: &mut Vec<Piece>) {
        decompose_canonical(c, |part| {
            if get_general_category(part) == GeneralCategory::NonspacingMark {
                return;
            }
            for letter in part.to_lowercase() {
                if is_punctuation(letter) {
                    self.finish(word, pieces);
                    word.push(letter, span);
                    self.finish(word, pieces);
                } else {
                    word.push(letter, span);
                }
            }
        });
    }

    /// Cuts the word, and leaves it empty.
    fn finish(&self, word: &mut Word, pieces: &mut Vec<Piece>) {
        let (Some((_, head)), Some((_, tail))) = (word.places.first(), word.places.last()) else { return };
        let whole = Span::new(head.start(), tail.end()).unwrap_or(*head);
        let before = pieces.len();
        if word.places.len() > MAX_WORD_CHARS || self.cut_word(word, pieces).is_none() {
            pieces.truncate(before);
            pieces.push(Piece { number: UNKNOWN, first: true, span: whole });
        }
        word.letters.clear();
        word.places.clear();
    }

    /// The longest known pieces, one after another; `None` when no piece is known somewhere.
    fn cut_word(&self, word: &Word, pieces: &mut Vec<Piece>) -> Option<()> {
        let mut start = 0;
        let mut places = word.places.as_slice();
        while let Some((_, head)) = places.first() {
            let map = if start == 0 { &self.first } else { &self.further };
            let (taken, number, end, tail) =
                places.iter().enumerate().rev().find_map(|(place, (end, span))| {
                    if end - start > self.longest {
                        return None;
                    }
                    let number = map.get(word.letters.get(start..*end)?)?;
                    Some((place + 1, *number, *end, *span))
                })?;
            let span = Span::new(head.start(), tail.end()).unwrap_or(*head);
            pieces.push(Piece { number, first: start == 0, span });
            start = end;
            places = places.get(taken..)?;
        }
        Some(())
    }
}

impl Word {
    /// Adds a letter. Of a word that is too long to be known, only where it ends counts.
    fn push(&mut self, letter: char, span: Span) {
        if self.places.len() > MAX_WORD_CHARS {
            self.places.pop();
        } else {
            self.letters.push(letter);
        }
        self.places.push((self.letters.len(), span));
    }
}

/// Characters that are read as if they were not there.
fn is_removed(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        _ => matches!(
            get_general_category(c),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

/// Characters of which each is a word.
fn is_chinese(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x2_0000..=0x2_a6df
        | 0x2_a700..=0x2_b73f
        | 0x2_b740..=0x2_b81f
        | 0x2_b920..=0x2_ceaf
        | 0x2_f800..=0x2_fa1f)
}

/// Marks of which each is a word.
fn is_punctuation(c: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation,
        OpenPunctuation, OtherPunctuation,
    };
    c.is_ascii_punctuation()
        || !c.is_ascii()
            && matches!(
                get_general_category(c),
                ConnectorPunctuation
                    | DashPunctuation
                    | ClosePunctuation
                    | FinalPunctuation
                    | InitialPunctuation
                    | OtherPunctuation
                    | OpenPunctuation
            )
}
