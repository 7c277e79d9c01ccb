//! Prefixes, suffixes and infixes.

use super::Tokenizer;
use crate::cnn::classes::{
    ALPHA, BEFORE_STOP, CURRENCY, ICON, LOWER_OR_QUOTE, PREFIX, SUFFIX, UPPER, UPPER_OR_QUOTE,
};

/// Bytes of the longest unit of measurement, and some more.
const UNIT_BYTES: usize = 16;
/// Currencies of more than one character.
const DOLLARS: [&str; 3] = ["US$", "C$", "A$"];

/// Bytes of the dots at the start, if there is more than one.
fn dots(text: impl Iterator<Item = u8>) -> usize {
    let count = text.take_while(|byte| *byte == b'.').count();
    if count > 1 { count } else { 0 }
}

impl Tokenizer {
    /// How many bytes at the start are a prefix.
    pub(super) fn prefix(&self, text: &str) -> usize {
        let Some(first) = text.chars().next() else { return 0 };
        match first {
            '.' => dots(text.bytes()),
            '+' => usize::from(!text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)),
            'U' | 'C' | 'A' => {
                let found = DOLLARS.iter().find(|dollar| text.starts_with(**dollar));
                found.map_or(0, |dollar| dollar.len())
            }
            _ if self.classes.of(first) & PREFIX != 0 => first.len_utf8(),
            _ => 0,
        }
    }

    /// How many bytes at the end are a suffix: the longest that is one.
    pub(super) fn suffix(&self, text: &str) -> usize {
        let mut characters = text.chars().rev();
        let Some(last) = characters.next() else { return 0 };
        let before = characters.next();
        let ends_number = |length: usize| {
            let number = text.len().checked_sub(length).and_then(|end| text.get(..end)).unwrap_or_default();
            number.as_bytes().last().is_some_and(u8::is_ascii_digit)
        };
        let class = self.classes.of(last);
        let length = last.len_utf8();
        let mark = match last {
            '.' => match dots(text.bytes().rev()) {
                0 => usize::from(self.is_stop(before, characters.next())),
                run => run,
            },
            '…' if before == Some('…') => 2 * length,
            's' | 'S' => match before {
                Some(quote @ ('\'' | '’')) => length + quote.len_utf8(),
                _ => 0,
            },
            '+' => usize::from(ends_number(1)),
            '$' => {
                let dollar =
                    DOLLARS.iter().find(|dollar| text.ends_with(**dollar) && ends_number(dollar.len()));
                dollar.map_or(usize::from(ends_number(1)), |dollar| dollar.len())
            }
            _ if class & SUFFIX != 0 || (class & CURRENCY != 0 && ends_number(length)) => length,
            _ => 0,
        };
        mark.max(self.unit(text))
    }

    /// Whether a single full stop after these two characters is a suffix.
    fn is_stop(&self, before: Option<char>, second: Option<char>) -> bool {
        self.classes.has(before, BEFORE_STOP)
            || (self.classes.has(before, UPPER) && self.classes.has(second, UPPER))
            || (second == Some('°') && matches!(before, Some('F' | 'f' | 'C' | 'c' | 'K' | 'k')))
    }

    /// How many bytes after the last digit are a unit.
    fn unit(&self, text: &str) -> usize {
        let tail = text.bytes().rev().take(UNIT_BYTES).position(|byte| byte.is_ascii_digit()).unwrap_or(0);
        let unit = text.get(text.len() - tail..).filter(|unit| self.units.contains(unit));
        unit.map_or(0, str::len)
    }

    /// Gives start and end of each infix.
    pub(super) fn infixes(&self, text: &str, mut found: impl FnMut(usize, usize)) {
        let (mut before, mut done) = (None, 0);
        for (at, character) in text.char_indices() {
            let length = if at < done || character.is_ascii_alphanumeric() {
                0
            } else {
                self.infix(before, character, text.get(at..).unwrap_or_default())
            };
            if length > 0 {
                done = at + length;
                found(at, done);
            }
            before = Some(character);
        }
    }

    /// How many bytes at the start of `rest`, which begins with `character`, are an infix.
    fn infix(&self, before: Option<char>, character: char, rest: &str) -> usize {
        let length = character.len_utf8();
        let behind = |length: usize| rest.get(length..).and_then(|behind| behind.chars().next());
        let is_digit =
            |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
        let alpha_or_digit = |character| is_digit(character) || self.classes.has(character, ALPHA);
        let next = behind(length);
        let sign = matches!(character, '+' | '-' | '*' | '^')
            && is_digit(before)
            && (next == Some('-') || is_digit(next));
        if sign {
            return length;
        }
        match character {
            '.' => match dots(rest.bytes()) {
                0 => usize::from(
                    self.classes.has(before, LOWER_OR_QUOTE) && self.classes.has(next, UPPER_OR_QUOTE),
                ),
                run => run,
            },
            '…' => length,
            ',' => usize::from(self.classes.has(before, ALPHA) && self.classes.has(next, ALPHA)),
            ':' | '<' | '>' | '=' | '/' => {
                usize::from(alpha_or_digit(before) && self.classes.has(next, ALPHA))
            }
            '-' | '–' | '—' | '~' if alpha_or_digit(before) => {
                let hyphens = ["-", "–", "—", "--", "---", "——", "~"];
                let fits = |hyphen: &&&str| {
                    rest.starts_with(**hyphen) && self.classes.has(behind(hyphen.len()), ALPHA)
                };
                hyphens.iter().find(fits).map_or(0, |hyphen| hyphen.len())
            }
            _ if self.classes.of(character) & ICON != 0 => length,
            _ => 0,
        }
    }
}
