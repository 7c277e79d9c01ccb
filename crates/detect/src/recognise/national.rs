//! Numbers that states, insurers and banks give to people: which of them a text is.
//!
//! In: a run of digits or a word, with what the nearest key says. Out: hits. One row for each kind of number lies in
//! `kinds`; rows are looked up by the length of the number without separators. What is improbable by chance stands
//! alone; the rest needs a word that says so. Invariant: a look reads at most `MAX_WRITTEN_BYTES`.
//! Not here: keys whose value follows at once (`fields`), check rules (`kinds`).

use std::sync::LazyLock;

use cloakgate_vocab::{Category, Span, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, run_end, run_start};
use super::digits::{Cue, Groups};

mod arithmetic;
mod kinds;
pub(super) mod mrz;

/// Most letters and digits of a number.
const MAX_LENGTH: usize = 24;
/// Longest number with its separators.
const MAX_WRITTEN_BYTES: usize = 40;
/// A number in the groups of its kind is as improbable as one of this many.
const GROUPED_ODDS: u32 = 50;
/// A check that lets through more than one in so many random numbers says nothing.
const LEAST_ODDS: u32 = 5;
/// Personal numbers are more frequent than others under keys that name none.
const PERSONAL_ODDS: u32 = 3;
/// From here on, a check is as good as a word that names the number.
const STRONG_ODDS: u32 = 200;

/// Whether a number needs a word beside it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Alone {
    /// It does.
    Never,
    /// Not when it is written in the groups of its kind.
    Grouped,
    /// It does not.
    Always,
}

/// One kind of number.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Country and name: `pl.pesel`.
    name: &'static str,
    /// What a finding is called.
    pub(crate) category: Category,
    /// Forms without separators: `9` digit, `A` letter, `*` either, other letters themselves.
    shapes: &'static [&'static str],
    /// Forms with separators in which it is usually written.
    grouped: &'static [&'static str],
    /// One in so many random strings of the shape passes the check.
    odds: u32,
    alone: Alone,
    check: fn(&[u8]) -> bool,
    /// Names of the number where it is used, in small letters.
    pub(crate) cues: &'static [&'static str],
    /// Invented numbers that pass.
    #[cfg_attr(not(test), expect(dead_code, reason = "worked examples, proved by the tests"))]
    examples: &'static [&'static str],
}

/// All rows.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    kinds::KINDS.iter().copied()
}

/// Letters and digits of a number in capitals, without separators.
struct Compact {
    bytes: [u8; MAX_LENGTH],
    len: usize, // len <= MAX_LENGTH
}

impl Compact {
    fn of(written: &str) -> Option<Self> {
        let mut compact = Self { bytes: [0; MAX_LENGTH], len: 0 };
        for byte in written.bytes() {
            match byte {
                b' ' | b'-' | b'.' | b'/' | b'(' | b')' | b'+' => {}
                _ if byte.is_ascii_alphanumeric() => {
                    *compact.bytes.get_mut(compact.len)? = byte.to_ascii_uppercase();
                    compact.len += 1;
                }
                _ => return None,
            }
        }
        Some(compact)
    }

    fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Rows by the length of the number, those of digits alone first.
static BY_LENGTH: LazyLock<[Vec<&'static Kind>; MAX_LENGTH + 1]> = LazyLock::new(|| {
    std::array::from_fn(|length| {
        kinds().filter(|kind| kind.shapes.iter().any(|shape| shape.len() == length)).collect()
    })
});

/// The same rows without those that need a word beside them.
static ALONE: LazyLock<[Vec<&'static Kind>; MAX_LENGTH + 1]> = LazyLock::new(|| {
    std::array::from_fn(|length| {
        let kinds = BY_LENGTH.get(length).into_iter().flatten().copied();
        kinds.filter(|kind| kind.alone != Alone::Never).collect()
    })
});

fn fits(pattern: &str, written: &[u8]) -> bool {
    pattern.len() == written.len()
        && pattern.bytes().zip(written).all(|(class, byte)| match class {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_alphabetic(),
            b'*' => byte.is_ascii_alphanumeric(),
            _ => byte.to_ascii_uppercase() == class,
        })
}

impl Kind {
    fn is_grouped(&self, written: &str) -> bool {
        self.grouped.iter().any(|pattern| fits(pattern, written.as_bytes()))
    }

    fn passes(&self, compact: &Compact) -> bool {
        self.shapes.iter().any(|shape| fits(shape, compact.as_slice())) && (self.check)(compact.as_slice())
    }

    /// One in so many strings is this number by chance.
    fn odds_as(&self, written: &str) -> u32 {
        self.odds * if self.is_grouped(written) { GROUPED_ODDS } else { 1 }
    }

    /// Whether nothing but the check and the form must speak for it.
    fn stands_alone(&self, written: &str, compact: &Compact) -> bool {
        match self.alone {
            Alone::Never => false,
            Alone::Grouped => self.is_marked(written),
            Alone::Always => written.len() == compact.len || self.is_marked(written),
        }
    }

    /// In the groups of its kind. Digits with blanks alone are amounts and phone numbers too.
    fn is_marked(&self, written: &str) -> bool {
        let marked =
            |pattern: &str| self.odds >= 1000 || pattern.bytes().any(|byte| !matches!(byte, b'9' | b' '));
        self.grouped.iter().any(|pattern| fits(pattern, written.as_bytes()) && marked(pattern))
    }
}

/// How sure a look must be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Bar {
    /// Any check that a random number may fail.
    Any,
    /// A check that few random numbers pass.
    Strong,
}

/// The kind that a whole value is, if a check proves one: the expected category counts first, then what is least
/// probable by chance.
pub(crate) fn kind_of(written: &str, expected: Option<Category>, bar: Bar) -> Option<&'static Kind> {
    if written.len() > MAX_WRITTEN_BYTES {
        return None;
    }
    let compact = Compact::of(written)?;
    let least = if bar == Bar::Strong { STRONG_ODDS } else { LEAST_ODDS };
    let likely = |kind: &Kind| match kind.category {
        _ if expected.is_some() => kind.odds_as(written),
        Category::NationalId => PERSONAL_ODDS * kind.odds_as(written),
        _ => kind.odds_as(written),
    };
    // `id` and its like name no account and no device.
    let meant = |kind: &Kind| {
        expected.is_some() || !matches!(kind.category, Category::BankAccount | Category::OtherId)
    };
    BY_LENGTH
        .get(compact.len)?
        .iter()
        .filter(|kind| kind.odds_as(written) >= least && meant(kind) && kind.passes(&compact))
        .max_by_key(|kind| (Some(kind.category) == expected, likely(kind)))
        .copied()
}

/// Whether a value has letters and digits where some kind has them, whatever its check says.
pub(crate) fn is_shaped(written: &str) -> bool {
    let Some(compact) = Compact::of(written) else { return false };
    let lettered = |kind: &Kind| {
        kind.shapes.iter().any(|shape| shape.contains(['A', '*']) && fits(shape, compact.as_slice()))
    };
    let letters = compact.as_slice().iter().filter(|byte| byte.is_ascii_uppercase()).count();
    (letters > 0 || written.len() > compact.len)
        && letters < compact.len
        && BY_LENGTH.get(compact.len).is_some_and(|kinds| {
            kinds.iter().any(|kind| (letters > 0 && lettered(kind)) || kind.is_grouped(written))
        })
}

/// The kind that a value is without any word beside it.
fn alone(written: &str) -> Option<&'static Kind> {
    let compact = Compact::of(written)?;
    ALONE
        .get(compact.len)?
        .iter()
        .filter(|kind| kind.stands_alone(written, &compact) && kind.passes(&compact))
        .max_by_key(|kind| kind.odds_as(written))
        .copied()
}

/// What is known of a place before its text is read.
fn found(text: &str, span: Span, cue: Cue) -> Option<Hit> {
    let written = span.of(text).filter(|written| written.len() <= MAX_WRITTEN_BYTES)?;
    if !is_apart(text, span) {
        return None;
    }
    if let Some(kind) = alone(written) {
        return Some(Hit::new(span.start(), span.end(), kind.category, kind.name, Strength::Checked));
    }
    let Cue::Id(expected) = cue else { return None };
    let kind = kind_of(written, expected, Bar::Any)?;
    let named = expected.is_none_or(|expected| expected == kind.category);
    (named && !(is_epoch(written) && kind.odds < STRONG_ODDS))
        .then(|| Hit::new(span.start(), span.end(), kind.category, kind.name, Strength::Context))
}

/// Seconds or milliseconds since 1970, of this century's years.
fn is_epoch(written: &str) -> bool {
    matches!(written.len(), 10 | 13)
        && written.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(written.as_bytes(), [b'1', b'4'..=b'9', ..])
}

/// False for a part of a longer word or code.
fn is_apart(text: &str, span: Span) -> bool {
    let (left, right) = (before(text, span.start()), at(text, span.end()));
    let glued_left = matches!(left, b'-' | b'.' | b'/' | b'+')
        && span.start().checked_sub(2).is_some_and(|index| is_identifier(at(text, index)));
    let glued_right = matches!(right, b'-' | b'.') && is_identifier(at(text, span.end() + 1));
    let joined = |byte: u8| is_identifier(byte) || matches!(byte, b'#' | b'$' | b'@' | b'%' | b'\\');
    !(joined(left) || joined(right) || glued_left || glued_right)
}

/// Reports the number that a run of digit groups is, letters beside it included.
pub(super) fn in_run(groups: &Groups<'_>, cue: Cue) -> Option<Hit> {
    let text = groups.text;
    let last = groups.len().checked_sub(1)?;
    let (start, end) = (groups.start(0), groups.end(last));
    if let Some(hit) = found(text, Span::sized(start, end - start), cue) {
        return Some(hit);
    }
    let (left, right) = (left_flank(text, start), right_flank(text, end));
    if left < start || right > end {
        let wider = [(left, right), (start, right), (left, end)];
        let hit = wider.into_iter().find_map(|(from, to)| found(text, Span::sized(from, to - from), cue));
        if hit.is_some() {
            return hit;
        }
    }
    if matches!(cue, Cue::Id(_)) && last > 0 {
        let ends = (0..last).rev().map(|group| groups.end(group));
        return ends.filter_map(|end| found(text, Span::sized(start, end - start), cue)).next();
    }
    (0..=last)
        .filter(|group| groups.width(*group) >= 13)
        .find_map(|group| found(text, Span::sized(groups.start(group), groups.width(group)), cue))
}

/// Where a few capitals before the run begin, at most one separator between.
fn left_flank(text: &str, start: usize) -> usize {
    let gap = start - usize::from(matches!(before(text, start), b' ' | b'-' | b'.'));
    let from = run_start(text, gap, 4, |byte| byte.is_ascii_uppercase());
    if from < gap && !is_identifier(before(text, from)) { from } else { start }
}

/// Where up to two short groups of capitals and digits after the run end: `-308T`, ` J 003`, `-Z`, `(7)`.
fn right_flank(text: &str, end: usize) -> usize {
    let mut reach = end;
    for _ in 0..2 {
        let gap = reach + usize::from(matches!(at(text, reach), b' ' | b'-' | b'.' | b'+'));
        let to = run_end(text, gap, 4, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if to == gap || is_identifier(at(text, to)) {
            break;
        }
        reach = to;
    }
    reach
}

/// False for nearly all words: numbers have digits, and capitals where they have letters.
#[inline]
pub(crate) fn may_be_number(word: &[u8]) -> bool {
    let digit = |place: usize| word.get(place).is_some_and(u8::is_ascii_digit);
    match word.len() {
        7..=22 => {
            let capitals = word.iter().take(2).all(|byte| !byte.is_ascii_lowercase() && byte.is_ascii());
            // `rssmra85t10a562s`: small letters only in the longest.
            (capitals && (digit(word.len() - 2) || digit(word.len() - 3) || digit(4)))
                || (word.len() >= 16 && digit(6) && digit(7))
        }
        _ => false,
    }
}

/// Reports the number that a word of letters and digits is.
#[inline(never)]
pub(crate) fn in_word(text: &str, word: Span, cue: Cue) -> Option<Hit> {
    found(text, word, cue).or_else(|| bracketed(text, word).and_then(|span| found(text, span, cue)))
}

/// `A123456(3)`: the check digit of Hong Kong's number stands in brackets.
fn bracketed(text: &str, word: Span) -> Option<Span> {
    let end = word.end();
    (at(text, end) == b'(' && at(text, end + 2) == b')').then(|| Span::sized(word.start(), word.len() + 3))
}

#[cfg(test)]
mod tests;
