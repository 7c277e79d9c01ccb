//! What is useful to a model and still somebody's: ages, amounts, dates, web addresses, names of accounts, gender
//! words, weights, places, and all that is medical. Off until a setting turns it on.
//!
//! In: the words, numbers and marks of the one scan. Out: hits. Invariant: each look is bounded, so the scan stays
//! linear; nothing here runs for categories that nobody wants. Not here: values that a key names (`fields`).

pub(crate) mod age;
mod beside;
mod context;
mod date;
pub(crate) mod gender;
pub(crate) mod medical;
mod money;
pub(crate) mod place;
mod url;
mod username;
mod weight;

use std::sync::LazyLock;

use cloakgate_vocab::{Category, Detector, Span, Strength};

use crate::birth;
use crate::lex::PlainWord;
use crate::number_words::FIRST;
use crate::recognise::Hit;
use crate::settings::CategorySet;
use crate::word_set::WordSet;

/// Categories that are looked for here.
const CATEGORIES: [Category; 10] = [
    Category::Age,
    Category::Money,
    Category::Date,
    Category::Url,
    Category::Username,
    Category::Gender,
    Category::Weight,
    Category::Location,
    Category::Medical,
    Category::Medication,
];

/// Words of ASCII that are something, or begin it, places and what is medical aside.
static HEADS: LazyLock<WordSet> = LazyLock::new(|| {
    let names = birth::months().chain(date::days()).chain(gender::words());
    WordSet::of(names.chain(FIRST.iter().copied()).filter(|word| word.is_ascii()))
});

/// The part of the scan that looks for extended categories.
pub(crate) struct Extended<'a> {
    text: &'a str,
    wanted: CategorySet,
    read_to: [usize; CATEGORIES.len()], // where the last hit of each category ended
    beside: beside::Beside,
}

impl<'a> Extended<'a> {
    /// Nothing when no extended category is wanted.
    pub(crate) fn new(text: &'a str, wanted: CategorySet) -> Option<Self> {
        let any = CATEGORIES.iter().any(|category| wanted.contains(*category));
        any.then(|| Self { text, wanted, read_to: [0; CATEGORIES.len()], beside: beside::Beside::default() })
    }

    /// A plain word with the byte and the hash of the word before it: most can be nothing, as their hashes show.
    #[inline]
    pub(crate) fn plain(
        &mut self,
        start: usize,
        word: PlainWord,
        (behind, before): (u8, u64),
        out: &mut Vec<Hit>,
    ) {
        let bytes = self.text.as_bytes();
        let marked = matches!(behind, b'/' | b'\\' | b'~' | b'=');
        let capital = bytes.get(start).is_some_and(u8::is_ascii_uppercase);
        let (text, span) = (self.text, Span::sized(start, word.len));
        if medical::may_begin(text, start, word) {
            self.medical(span, word.hash, out);
        }
        if capital && place::may_begin(text, start, word) {
            self.look(Category::Location, start, out, || place::at_word(text, span, word.hash));
        }
        if HEADS.has(word.hash) {
            self.look(Category::Date, start, out, || date::at_word(text, span));
            self.look(Category::Gender, start, out, || gender::at_word(text, span));
            self.look(Category::Age, start, out, || age::at_word(text, span));
            self.look(Category::Money, start, out, || money::at_word(text, span));
        }
        if marked || (behind == b' ' && username::may_follow(bytes.get(..start).unwrap_or_default(), before))
        {
            self.look(Category::Username, start, out, || username::at_word(text, span));
        }
    }

    /// A word of letters behind the word of the hash `before`; `hash` is that of the lexicon, 0 for words longer than it
    /// looks up.
    pub(crate) fn word(&mut self, span: Span, hash: u64, before: u64, out: &mut Vec<Hit>) {
        let text = self.text;
        let bytes = text.as_bytes();
        let word = bytes.get(span.range()).unwrap_or_default();
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 {
            // `84yo`, `72kg`, `$5M`
            self.number(Span::sized(span.start(), digits), out);
        }
        self.medical(span, hash, out);
        self.look(Category::Location, span.start(), out, || place::at_word(text, span, hash));
        let head = HEADS.has(hash);
        // Of the words of ASCII letters all are known that begin a date or tell a gender.
        if head || !word.iter().all(u8::is_ascii_alphabetic) {
            self.look(Category::Date, span.start(), out, || date::at_word(text, span));
            self.look(Category::Gender, span.start(), out, || gender::at_word(text, span));
        }
        if head {
            self.look(Category::Age, span.start(), out, || age::at_word(text, span));
            self.look(Category::Money, span.start(), out, || money::at_word(text, span));
        }
        let marked = span.start().checked_sub(1).and_then(|at| bytes.get(at));
        if matches!(marked, Some(b'/' | b'\\' | b'~' | b'='))
            || username::may_follow(bytes.get(..span.start()).unwrap_or_default(), before)
        {
            self.look(Category::Username, span.start(), out, || username::at_word(text, span));
        }
        self.look(Category::Url, span.start(), out, || url::at_word(text, span));
    }

    /// A condition or what treats one; the book is asked once for both.
    fn medical(&mut self, word: Span, hash: u64, out: &mut Vec<Hit>) {
        if !(self.wanted.contains(Category::Medical) || self.wanted.contains(Category::Medication)) {
            return;
        }
        let text = self.text;
        match medical::term(text, word, hash) {
            Some((span, category)) => self.look(category, word.start(), out, || Some((span, "medical"))),
            None => self.look(Category::Medical, word.start(), out, || medical::icd_code(text, word)),
        }
    }

    /// A group of digits that is a word of its own.
    pub(crate) fn number(&mut self, span: Span, out: &mut Vec<Hit>) {
        let text = self.text;
        if self.beside.tells(text, span) {
            self.look(Category::Age, span.start(), out, || age::at_number(text, span));
            self.look(Category::Weight, span.start(), out, || weight::at_number(text, span));
            self.look(Category::Money, span.start(), out, || money::at_number(text, span));
            self.look(Category::Medical, span.start(), out, || medical::pregnancy(text, span));
        }
        self.look(Category::Date, span.start(), out, || date::at_number(text, span));
    }

    /// `@`
    pub(crate) fn at_sign(&mut self, at: usize, out: &mut Vec<Hit>) {
        let text = self.text;
        self.look(Category::Username, at, out, || username::at_sign(text, at));
    }

    /// `://`
    pub(crate) fn scheme(&mut self, at: usize, out: &mut Vec<Hit>) {
        let text = self.text;
        self.look(Category::Url, at, out, || url::at_scheme(text, at));
    }

    /// Looks for one category at a place, unless nobody wants it or the place lies in the last hit.
    #[inline]
    fn look(
        &mut self,
        category: Category,
        at: usize,
        out: &mut Vec<Hit>,
        find: impl FnOnce() -> Option<(Span, &'static str)>,
    ) {
        if !self.wanted.contains(category) {
            return;
        }
        let Some(place) = CATEGORIES.iter().position(|other| *other == category) else { return };
        let Some(read_to) = self.read_to.get_mut(place).filter(|read_to| at >= **read_to) else { return };
        if let Some((span, rule)) = find() {
            *read_to = span.end();
            out.push(Hit {
                span,
                category,
                detector: Detector(rule),
                strength: Strength::Context,
                pieces: Vec::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
