//! The words, numbers and marks around a place of a text.
//!
//! In: a text and the place where a word or number stands. Out: tokens of a window around it. Invariant: at most
//! `LEFT` bytes before and `RIGHT` bytes after are read, in whole lines of text first. Not here: what they mean.

use crate::address::kinds::{Kind, kind_of};
use crate::canonical::is_word_char;
use crate::work;

/// Most bytes read before the place.
const LEFT: usize = 112;
/// Most bytes read after it.
const RIGHT: usize = 144;

/// What a token is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Class {
    /// `12`, `12b`, `7/9`, `3º`, `s/n`.
    Number,
    /// A word that begins with a capital, or is of a script without them.
    Capital,
    /// A word that begins with a small letter.
    Small,
    /// Any other sign; blanks are left out, tabs and line ends are not.
    Mark(char),
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    /// First byte in the text.
    pub(crate) start: usize,
    /// The token itself.
    pub(crate) text: &'a str,
    /// What it is.
    pub(crate) class: Class,
    /// Whether no blank stands before it.
    pub(crate) glued: bool,
}

impl Token<'_> {
    /// One past the last byte.
    pub(crate) const fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// What the word may be in an address.
    pub(crate) fn kind(&self) -> Kind {
        if matches!(self.class, Class::Capital | Class::Small) { kind_of(self.text) } else { Kind::default() }
    }

    /// Whether it is the mark.
    pub(crate) fn is(&self, mark: char) -> bool {
        self.class == Class::Mark(mark)
    }

    /// Number of digits that it begins with.
    pub(crate) fn digits(&self) -> usize {
        // `s/n` stands for one.
        self.text.bytes().take_while(u8::is_ascii_digit).count()
            + usize::from(self.text.starts_with(['s', 'S']))
    }
}

/// Tokens around a place.
pub(crate) struct Tokens<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    list: Vec<Token<'a>>,
}

impl<'a> Tokens<'a> {
    /// Reads the tokens around the word or number at `start`, and says which of them begins there.
    pub(crate) fn around(text: &'a str, start: usize) -> Option<(Self, usize)> {
        let mut from = start.saturating_sub(LEFT);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        // The window begins between words.
        if from > 0 {
            let head = text.get(from..start)?;
            from += head.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(head.len());
        }
        let mut to = (start + RIGHT).min(text.len());
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        work::count(to - from);
        let list = read(text.get(..to)?, from);
        let at = list.iter().position(|token| token.start == start)?;
        Some((Self { text, list }, at))
    }

    /// The token at an index.
    pub(crate) fn at(&self, index: usize) -> Option<&Token<'a>> {
        self.list.get(index)
    }

    /// The token before an index.
    pub(crate) fn before(&self, index: usize) -> Option<&Token<'a>> {
        self.list.get(index.checked_sub(1)?)
    }

    /// The token at an index, if it has the class.
    pub(crate) fn class(&self, index: usize) -> Option<Class> {
        self.at(index).map(|token| token.class)
    }

    /// Whether the token at an index is the mark.
    pub(crate) fn is(&self, index: usize, mark: char) -> bool {
        self.at(index).is_some_and(|token| token.is(mark))
    }

    /// What the word at an index may be.
    pub(crate) fn kind(&self, index: usize) -> Kind {
        self.at(index).map_or(Kind::default(), Token::kind)
    }

    /// The text from the first byte of a token to the last byte of another.
    pub(crate) fn slice(&self, first: usize, last: usize) -> &'a str {
        let span = self.at(first).map(|token| token.start).zip(self.at(last).map(Token::end));
        span.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }
}

fn read(text: &str, from: usize) -> Vec<Token<'_>> {
    let mut list = Vec::with_capacity(48);
    let mut at = from;
    let mut glued = false;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        if first.is_whitespace() && !matches!(first, '\n' | '\t') {
            at += first.len_utf8();
            glued = false;
            continue;
        }
        let (len, class) = if without_number(rest) {
            (3, Class::Number)
        } else if first.is_ascii_digit() {
            (number(rest), Class::Number)
        } else if is_word_char(first) {
            let len = word(rest);
            (len, letters(rest.get(..len).unwrap_or_default()))
        } else {
            (first.len_utf8(), Class::Mark(first))
        };
        list.push(Token { start: at, text: rest.get(..len).unwrap_or_default(), class, glued });
        glued = true;
        at += len.max(1);
    }
    list
}

/// `s/n`: a house without a number.
fn without_number(text: &str) -> bool {
    matches!(text.get(..3), Some("s/n" | "S/N" | "S/n"))
        && !text.get(3..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Length of a word, with the parts that an apostrophe or hyphen joins.
fn word(text: &str) -> usize {
    let run = |text: &str| text.chars().take_while(|c| is_word_char(*c)).map(char::len_utf8).sum::<usize>();
    let mut len = run(text);
    while let Some(joint) = text.get(len..).and_then(|rest| rest.chars().next()) {
        let next = len + joint.len_utf8();
        let rest = text.get(next..).unwrap_or_default();
        if !matches!(joint, '\'' | '’' | '-') || !rest.starts_with(char::is_alphabetic) {
            break;
        }
        len = next + run(rest);
    }
    // `nº`, `n°`
    let tail = text.get(len..).unwrap_or_default();
    let sign = tail.chars().next().filter(|c| matches!(c, 'º' | '°')).map_or(0, char::len_utf8);
    len + sign
}

fn letters(word: &str) -> Class {
    let first = word.chars().next().unwrap_or_default();
    // `l'Opéra`, `d'Alcalá`: the part behind the apostrophe counts.
    let inner = word.split(['\'', '’']).nth(1).is_some_and(|part| part.starts_with(char::is_uppercase));
    if first.is_lowercase() && !inner { Class::Small } else { Class::Capital }
}

/// Length of a number: `12`, `12b`, `12 bis` without the blank, `7/9`, `12-14`, `3º`, `51/03`.
fn number(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut len = digits(text);
    len += suffix(text.get(len..).unwrap_or_default());
    for _ in 0..2 {
        let rest = text.get(len..).unwrap_or_default();
        let Some(joint) = rest.chars().next().filter(|c| matches!(c, '/' | '-' | '–')) else { break };
        let more = rest.get(joint.len_utf8()..).unwrap_or_default();
        let count = digits(more);
        if count > 0 {
            len += joint.len_utf8() + count;
            len += suffix(text.get(len..).unwrap_or_default());
        } else if more.starts_with(|c: char| c.is_ascii_alphabetic())
            && !more.chars().nth(1).is_some_and(char::is_alphanumeric)
        {
            len += joint.len_utf8() + 1;
        } else {
            break;
        }
    }
    let rest = text.get(len..).unwrap_or_default();
    let dot = usize::from(rest.starts_with('.'));
    let ordinal = rest.get(dot..).and_then(|rest| rest.chars().next());
    let letter = dot > 0 && !rest.chars().nth(2).is_some_and(char::is_alphanumeric);
    ordinal
        .filter(|c| matches!(c, 'º' | 'ª' | '°') || (letter && matches!(c, 'o' | 'a')))
        .map_or(len, |sign| len + dot + sign.len_utf8())
}

/// Letters that belong to a number: `b`, `bis`, `th`, `PZ`.
fn suffix(text: &str) -> usize {
    let len: usize = text.chars().take(5).take_while(|c| is_word_char(*c)).map(char::len_utf8).sum();
    let word = text.get(..len).unwrap_or_default();
    if word.chars().count() <= 4 { len } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Class, Tokens};

    fn shown(text: &str) -> Vec<&str> {
        let (tokens, _) = Tokens::around(text, 0).unwrap();
        tokens.list.iter().map(|token| token.text).collect()
    }

    #[test]
    fn texts_fall_into_words_numbers_and_marks() {
        assert_eq!(shown("C/ Mayor nº 2, 6º A"), ["C", "/", "Mayor", "nº", "2", ",", "6º", "A"]);
        assert_eq!(shown("12bis avenue de l'Opéra"), ["12bis", "avenue", "de", "l'Opéra"]);
        assert_eq!(shown("Saint-Priest 7/9\nx"), ["Saint-Priest", "7/9", "\n", "x"]);
        assert_eq!(shown("14, 3.º C"), ["14", ",", "3.º", "C"]);
        let (tokens, at) = Tokens::around("no Elm 5", 3).unwrap();
        assert_eq!((at, tokens.class(at)), (1, Some(Class::Capital)));
    }
}
