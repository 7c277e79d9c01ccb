//! Words and marks of a line, with what the features need to know of each.
//!
//! In: one line of text. Out: tokens in order; no two overlap, white space lies between them. Invariant: both ends of
//! a token are character boundaries; a token holds at most [`MAX_WORD_CHARS`] characters, a line [`MAX_TOKENS`] tokens.
//! Not here: what a token may name (`features`, `chain`).

use super::hash::{self, Hash};
use crate::lists::{Lists, WordEvidence};

/// Tokens that are read together; a longer line is cut.
pub(super) const MAX_TOKENS: usize = 400;
/// Characters of one word; a longer run is cut.
const MAX_WORD_CHARS: usize = 60;
/// Characters of the beginning and the end of a word that the features look at.
pub(super) const AFFIX: usize = 4;

/// One word or mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The lower-case form.
    pub(super) word: Hash,
    /// The form as written.
    pub(super) cased: Hash,
    pub(super) prefixes: [Hash; AFFIX],
    pub(super) suffixes: [Hash; AFFIX],
    pub(super) shape: Hash,
    /// What lists say of it, in bits.
    pub(super) listed: u8,
    pub(super) case: Case,
    /// No white space stands before it.
    pub(super) glued: bool,
    /// The word before a colon, an equals sign or a bar that still speaks for it, and with the word before that.
    pub(super) key: Hash,
    pub(super) key_pair: Hash,
    /// How far the key is, up to 3.
    pub(super) key_distance: u8,
    /// The nearest words, marks skipped.
    pub(super) word_before: Hash,
    pub(super) word_after: Hash,
    /// A sentence or a cell begins here.
    pub(super) begins: bool,
}

/// How the letters of a token are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Case {
    #[default]
    Mark,
    Digits,
    Lower,
    /// A capital, then small letters.
    Title,
    Upper,
    /// One capital.
    Initial,
    Mixed,
    /// Letters without case.
    Other,
}

impl Case {
    pub(super) const fn is_word(self) -> bool {
        !matches!(self, Self::Mark | Self::Digits)
    }
}

/// Reads the tokens of a text from a byte on into `tokens`, up to the end of a line or as many as are read together.
/// Returns where to go on, or `None` at the end of the text.
pub(super) fn read(text: &str, from: usize, lists: &Lists, tokens: &mut Vec<Token>) -> Option<usize> {
    tokens.clear();
    let rest = text.get(from..)?;
    let mut chars = rest.char_indices().peekable();
    let mut glued = false;
    while let Some(&(at, first)) = chars.peek() {
        if first == '\n' || tokens.len() >= MAX_TOKENS {
            let skip = if first == '\n' { 1 } else { 0 };
            return Some(from + at + skip);
        }
        if first.is_whitespace() {
            chars.next();
            glued = false;
            continue;
        }
        let mut build = Build::default();
        let mut end = at;
        if first.is_alphanumeric() {
            while let Some(&(place, c)) = chars.peek() {
                let joins = c.is_alphanumeric() || is_combining(c) || build.takes_apostrophe(c, rest, place);
                if !joins || build.chars >= MAX_WORD_CHARS {
                    break;
                }
                build.add(c);
                end = place + c.len_utf8();
                chars.next();
            }
        } else {
            build.add(first);
            end = at + first.len_utf8();
            chars.next();
        }
        let mut token = build.token(from + at, from + end, glued);
        if token.case.is_word() {
            token.listed = bits(lists.word(rest.get(at..end).unwrap_or_default()));
        }
        tokens.push(token);
        glued = true;
    }
    (!rest.is_empty()).then_some(text.len())
}

fn is_combining(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x5b0..=0x5c7 | 0x64b..=0x65f | 0x900..=0x903 | 0x93a..=0x94f | 0x200c..=0x200d)
}

/// A token on the way.
#[derive(Default)]
struct Build {
    chars: usize,
    word: hash::Running,
    cased: hash::Running,
    shape: hash::Running,
    prefixes: [Hash; AFFIX],
    last: [char; AFFIX],
    last_kind: u8,
    run: u8,
    uppers: usize,
    lowers: usize,
    digits: usize,
    first_upper: bool,
    alphanumeric: usize,
}

impl Build {
    /// `O'Brien`, `D’Angelo`: one capital, an apostrophe, and letters after it.
    fn takes_apostrophe(&self, c: char, rest: &str, place: usize) -> bool {
        if !matches!(c, '\'' | '’') || self.chars != 1 {
            return false;
        }
        let o = self.last.last().is_some_and(|c| matches!(c, 'o'));
        let mut after = rest.get(place + c.len_utf8()..).unwrap_or_default().chars();
        (self.first_upper || o)
            && after.next().is_some_and(char::is_alphabetic)
            && after.next().is_some_and(char::is_alphabetic)
    }

    fn add(&mut self, c: char) {
        let lower = lower(c);
        self.word.add(lower);
        self.cased.add(c);
        if let Some(place) = self.prefixes.get_mut(self.chars) {
            *place = self.word.finish();
        }
        self.last.rotate_left(1);
        if let Some(last) = self.last.last_mut() {
            *last = lower;
        }
        let kind = if c.is_ascii_digit() || c.is_numeric() {
            self.digits += 1;
            1
        } else if c.is_lowercase() {
            self.lowers += 1;
            2
        } else if c.is_uppercase() {
            self.uppers += 1;
            self.first_upper |= self.chars == 0;
            3
        } else if c.is_alphabetic() {
            4
        } else {
            5
        };
        self.alphanumeric += usize::from(kind != 5);
        self.run = if kind == self.last_kind { self.run.saturating_add(1) } else { 1 };
        // Runs are cut at three, a mark stands for itself.
        if self.run <= 3 {
            self.shape.add(if kind == 5 { c } else { char::from(b'0' + kind) });
        }
        self.last_kind = kind;
        self.chars += 1;
    }

    fn token(&self, start: usize, end: usize, glued: bool) -> Token {
        let word = self.word.finish();
        let mut suffixes = [0; AFFIX];
        let mut suffix = hash::Running::default();
        for (place, c) in suffixes.iter_mut().zip(self.last.iter().rev()) {
            if *c == '\0' {
                break;
            }
            suffix.add(*c);
            *place = suffix.finish();
        }
        let case = self.case();
        Token {
            start,
            end,
            word: if case == Case::Digits { self.shape.finish() } else { word },
            cased: self.cased.finish(),
            prefixes: self.prefixes,
            suffixes,
            shape: self.shape.finish(),
            case,
            glued,
            ..Token::default()
        }
    }

    fn case(&self) -> Case {
        let letters = self.alphanumeric - self.digits;
        match (letters, self.uppers, self.lowers) {
            (0, ..) if self.digits > 0 => Case::Digits,
            (0, ..) => Case::Mark,
            (_, 0, 0) => Case::Other,
            (_, 0, _) => Case::Lower,
            (1, 1, _) => Case::Initial,
            (_, 1, _) if self.first_upper && self.digits == 0 => Case::Title,
            (_, _, 0) => Case::Upper,
            _ => Case::Mixed,
        }
    }
}

fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

/// What lists say as eight bits: given name, surname, common as a name, two for how common as a word, word of programs,
/// place.
fn bits(word: WordEvidence) -> u8 {
    u8::from(word.given.is_some())
        | u8::from(word.surname) << 1
        | u8::from(word.frequency >= 2) << 2
        | (word.everyday & 3) << 3
        | u8::from(word.technical) << 5
        | u8::from(word.place) << 6
}

/// Tells each token of a line what stands around it.
pub(super) fn relate(text: &str, tokens: &mut [Token]) {
    let mut before = Before::default();
    for token in tokens.iter_mut() {
        before.visit(text, token);
    }
    let mut after = 0;
    for token in tokens.iter_mut().rev() {
        token.word_after = after;
        if token.case.is_word() {
            after = token.word;
        }
    }
}

#[derive(Default)]
struct Before {
    words: [Hash; 2],
    key: Hash,
    key_pair: Hash,
    distance: u8,
    within: bool,
}

impl Before {
    fn visit(&mut self, text: &str, token: &mut Token) {
        token.word_before = self.words[0];
        token.begins = !self.within;
        token.key = self.key;
        token.key_pair = self.key_pair;
        token.key_distance = self.distance;
        if token.case != Case::Mark {
            if self.key != 0 {
                self.distance = (self.distance + 1).min(3);
            }
            self.within = true;
            if token.case.is_word() {
                self.words = [token.word, self.words[0]];
            }
            return;
        }
        match text.get(token.start..token.end).unwrap_or_default() {
            ":" | "=" | "|" | "\t" => {
                self.key = self.words[0];
                self.key_pair = hash::pair(self.words[0], self.words[1]);
                self.distance = 0;
                self.within = false;
            }
            "," | ";" | "{" | "}" | "[" | "]" => {
                self.key = 0;
                self.key_pair = 0;
                self.distance = 0;
            }
            "." | "!" | "?" => self.within = false,
            _ => {}
        }
    }
}
