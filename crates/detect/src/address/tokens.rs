//! The words, numbers and marks around a place of a text.
//!
//! In: a text and the place where a word or number stands. Out: tokens of a window around it. Invariant: at most
//! `LEFT` bytes before and `RIGHT` bytes after are read, in whole lines of text first. Not here: what they mean.

use crate::address::kinds::{Kind, kind_of};
use crate::address::near::Numbers;
use crate::canonical::is_word_char;
use crate::lex::alphanumeric_run;
use crate::work;

/// Most bytes read before the place.
pub(super) const LEFT: usize = 112;
/// Most bytes read after it.
const RIGHT: usize = 144;
/// Longest token.
const MAX_TOKEN_BYTES: usize = 256;
/// So many blanks inside a line part two columns.
const WIDE_GAP: usize = 4;
/// Most tokens kept before old ones are let go.
const MAX_KEPT: usize = 512;

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

/// Reads the tokens of a text, each once as long as the places that are asked for go forward.
pub(crate) struct Reader<'a> {
    text: &'a str,
    list: Vec<Token<'a>>, // from `from` to `to`, in order
    from: usize,
    to: usize,
    numbers: Numbers,
}

/// Tokens around a place.
pub(crate) struct Tokens<'a, 'list> {
    /// The whole text.
    pub(crate) text: &'a str,
    list: &'list [Token<'a>],
}

impl<'a> Reader<'a> {
    /// A reader that has read nothing.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, list: Vec::new(), from: 0, to: 0, numbers: Numbers::default() }
    }

    /// Whether a digit, or `s/n`, stands near a place.
    pub(crate) fn number_near(&mut self, start: usize) -> bool {
        self.numbers.near(self.text.as_bytes(), start)
    }

    /// The whole text.
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// The tokens around the word or number at `start`, and which of them begins there.
    pub(crate) fn around(&mut self, start: usize) -> Option<(Tokens<'a, '_>, usize)> {
        // Letters of Thai and the like take three bytes each.
        let wide = start
            .checked_sub(2)
            .and_then(|at| self.text.as_bytes().get(at))
            .is_some_and(|byte| *byte >= 0x80);
        let left = if wide { 2 * LEFT } else { LEFT };
        let floor = self.text.ceil_char_boundary(start.saturating_sub(left));
        let mut from = floor;
        // The window begins between words.
        if from > 0 {
            let head = self.text.get(from..start)?;
            from += head.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(head.len());
        }
        let to = (start + RIGHT).min(self.text.len());
        if from < self.from || from > self.to {
            self.list.clear();
            (self.from, self.to) = (from, from);
        }
        self.forget(from);
        if self.to < to {
            let read_to = read(self.text, self.to, to, &mut self.list);
            work::count(read_to - self.to);
            self.to = read_to;
        }
        let index = |place: usize| self.list.partition_point(|token| token.start < place);
        let first = index(from);
        let list = self.list.get(first..index(to))?;
        let at = index(start) - first;
        list.get(at).filter(|token| token.start == start)?;
        Some((Tokens { text: self.text, list }, at))
    }

    /// Lets go of tokens before a place, when there are many.
    fn forget(&mut self, from: usize) {
        if self.list.len() > MAX_KEPT {
            let kept = self.list.partition_point(|token| token.start < from);
            self.list.drain(..kept);
            self.from = from;
        }
    }
}

impl<'a> Tokens<'a, '_> {
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

/// Reads the tokens that begin between two places; returns where to go on.
fn read<'a>(text: &'a str, from: usize, to: usize, list: &mut Vec<Token<'a>>) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    let mut glued = list.last().is_some_and(|token| token.end() == from);
    while at < to
        && let Some(byte) = bytes.get(at).copied()
    {
        if byte == b' ' && bytes.get(at..at + WIDE_GAP) == Some(&[b' '; WIDE_GAP]) && is_inner(bytes, at) {
            list.push(Token { start: at, text: "", class: Class::Mark('\t'), glued: false });
            at += WIDE_GAP;
            continue;
        }
        if matches!(byte, b' ' | b'\r' | 0x0b | 0x0c) {
            at += 1;
            glued = false;
            continue;
        }
        let (len, class) = match plain(bytes, at, byte) {
            Some(read) => read,
            None => {
                let Some(rest) = text.get(at..) else { break };
                let first = rest.chars().next().unwrap_or_default();
                if first.is_whitespace() && !matches!(first, '\n' | '\t') {
                    at += first.len_utf8();
                    glued = false;
                    continue;
                }
                of_any(rest.get(..rest.floor_char_boundary(MAX_TOKEN_BYTES)).unwrap_or(rest), first)
            }
        };
        list.push(Token { start: at, text: text.get(at..at + len).unwrap_or_default(), class, glued });
        glued = true;
        at += len.max(1);
    }
    at
}

/// Whether blanks at a place stand inside a line, behind a word.
fn is_inner(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

/// A token of ASCII that the next sign surely ends: most of most texts.
#[inline]
fn plain(bytes: &[u8], at: usize, first: u8) -> Option<(usize, Class)> {
    if !first.is_ascii_alphanumeric() {
        return first.is_ascii().then(|| (1, Class::Mark(char::from(first))));
    }
    let bytes = bytes.get(..at + MAX_TOKEN_BYTES + 1).unwrap_or(bytes);
    let len = alphanumeric_run(bytes, at);
    if len > MAX_TOKEN_BYTES {
        return None;
    }
    let next = bytes.get(at + len).copied().unwrap_or(b' ');
    if first.is_ascii_digit() {
        let digits = bytes.get(at..at + len)?.iter().all(u8::is_ascii_digit);
        let ends = next.is_ascii() && !matches!(next, b'/' | b'-' | b'.');
        return (digits && ends).then_some((len, Class::Number));
    }
    // `s/n` begins with a letter and goes on with a slash.
    let ends = next.is_ascii() && !matches!(next, b'\'' | b'-' | b'/');
    let class = if first.is_ascii_lowercase() { Class::Small } else { Class::Capital };
    ends.then_some((len, class))
}

/// A token of any script.
fn of_any(rest: &str, first: char) -> (usize, Class) {
    if without_number(rest) {
        (3, Class::Number)
    } else if first.is_ascii_digit() {
        (number(rest), Class::Number)
    } else if is_word_char(first) {
        let len = word(rest);
        (len, letters(rest.get(..len).unwrap_or_default()))
    } else {
        (first.len_utf8(), Class::Mark(first))
    }
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
    use super::{Class, Reader};

    fn shown(text: &str) -> Vec<&str> {
        let mut reader = Reader::new(text);
        let (tokens, _) = reader.around(0).unwrap();
        tokens.list.iter().map(|token| token.text).collect()
    }

    #[test]
    fn texts_fall_into_words_numbers_and_marks() {
        assert_eq!(shown("C/ Mayor nº 2, 6º A"), ["C", "/", "Mayor", "nº", "2", ",", "6º", "A"]);
        assert_eq!(shown("12bis avenue de l'Opéra"), ["12bis", "avenue", "de", "l'Opéra"]);
        assert_eq!(shown("Saint-Priest 7/9\nx"), ["Saint-Priest", "7/9", "\n", "x"]);
        assert_eq!(shown("14, 3.º C"), ["14", ",", "3.º", "C"]);
        let mut reader = Reader::new("no Elm 5");
        let (tokens, at) = reader.around(3).unwrap();
        assert_eq!((at, tokens.class(at)), (1, Some(Class::Capital)));
    }
}
