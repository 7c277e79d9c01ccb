//! How an age is written: number, unit, and the words that go with it.
//!
//! In: a spot of an age. Out: years, and where its parts stand. Forms: `34 years old`, `a 34-year-old`, `34yo`, `34M`,
//! `8-month-old`, `aged 17½`, `thirty-four`, `in her thirties`, `born 2 March 1991`, `41-jährige`, `35歳`. Invariant: a look
//! is bounded by the line, 64 bytes on each side.

use cloakgate_detect::{AgeUnit, age_tail, age_unit, date_parts};
use cloakgate_vocab::Category;

use super::super::{Choice, Spot, What};
use crate::text::numbers::{quantity, to_second};
use crate::text::today::{Date, Today};

/// Nobody is older.
const MAX_YEARS: u32 = 130;

/// What belongs to a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind<'a> {
    /// A unit of years, or nothing.
    Plain,
    /// `8-month-old girl`: a shorter unit before a noun.
    Short,
    /// `3 weeks old`.
    ShortAlone,
    /// `34M`: a letter stands right behind.
    Glued,
    /// `41-jährige`, with its ending.
    German(&'a str),
    /// A date of birth.
    Birth,
    /// `in her thirties`.
    Decade,
}

/// `a` or `an` before an age, or other words that a category changes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Article {
    /// Where it starts.
    pub(super) start: usize,
    /// Whether it begins with a capital.
    pub(super) is_capital: bool,
}

impl Article {
    /// The same words in small letters.
    pub(super) const fn small(self) -> Self {
        Self { is_capital: false, ..self }
    }

    /// The article before a word or number.
    pub(super) fn before(self, next: &str) -> &'static str {
        let vowel = next.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U', '8'])
            || next.starts_with("11") && !next.starts_with("11+")
            || next.starts_with("18");
        match (self.is_capital, vowel) {
            (false, false) => "a",
            (false, true) => "an",
            (true, false) => "A",
            (true, true) => "An",
        }
    }
}

/// An age as it is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Phrase<'a> {
    /// Whole years, from and to.
    pub(super) low: u32,
    pub(super) high: u32,
    /// Where the number starts.
    pub(super) start: usize,
    /// Where the words that belong to it start: `aged`, `born on`.
    pub(super) lead: usize,
    pub(super) article: Option<Article>,
    /// `at the age of`, where a category is `as a child`.
    pub(super) at_the_age: Option<Article>,
    /// Where it ends.
    pub(super) end: usize,
    /// What stands behind the number and belongs to it.
    pub(super) tail: &'a str,
    pub(super) kind: Kind<'a>,
}

/// Words before an age that its category makes odd.
const LEADS: &[&str] = &["aged "];
/// Words before an age that its category makes odd in another way.
const AT_THE_AGE: &[&str] = &["at the age of ", "at age ", "at an age of "];
/// Words before a date of birth that belong to it.
const BORN: &[&str] = &[
    "born on the ",
    "born on ",
    "born in ",
    "born: ",
    "born ",
    "geboren am ",
    "geb. am ",
    "né le ",
    "née le ",
    "nacido el ",
    "nacida el ",
    "nato il ",
    "nata il ",
    "nascido em ",
    "nascida em ",
    "geboren op ",
    "född den ",
    "född ",
    "født den ",
    "født ",
    "narozen ",
    "narozena ",
];
/// Short forms of `years old`.
const SHORT_OLD: &[&str] = &["y/o", "y.o.", "yo"];
/// Units without a blank before what follows.
const GLUED: &[&str] = &["周岁", "歳", "才", "岁", "歲", "세", "살"];

impl<'a> Phrase<'a> {
    /// The age at a spot; nothing when it cannot be read.
    pub(super) fn read(spot: &Spot<'a>, choice: &Choice<'_>) -> Option<Self> {
        if spot.what == What::Found(Category::DateOfBirth) {
            return Self::born(spot, choice.today);
        }
        if let Some((low, high)) = decade(spot.written()) {
            let kind = Kind::Decade;
            return Some(Self { low, high, kind, ..Self::at(spot) });
        }
        let written = spot.written();
        let lead = written.len() - written.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        let start = spot.span.start() + lead;
        let rest = spot.ahead(start);
        let (low, mut end) = quantity(rest)?;
        let mut high = low;
        if let Some((second, len)) = to_second(rest.get(end..)?).filter(|(second, _)| *second >= low) {
            (high, end) = (second, end + len);
        }
        let tail = Tail::read(rest.get(end..)?);
        let years = |quantity: crate::text::profile::Quantity| {
            u32::try_from(quantity.in_thousandths() / 1000 / tail.per_year).ok()
        };
        let before = spot.before();
        let article = article(before)
            .filter(|_| choice.language().is_english())
            .map(|(len, is_capital)| Article { start: spot.span.start() - len, is_capital });
        let lead = ends_with_one(before, LEADS).map_or(start, |len| spot.span.start() - len);
        let phrase = Self {
            low: years(low)?,
            high: years(high)?,
            start,
            lead,
            article: article.filter(|_| tail.len > 0 && lead == start),
            at_the_age: AT_THE_AGE
                .iter()
                .find(|words| choice.language().is_english() && ends_with_one(before, &[words]).is_some())
                .map(|words| Article {
                    start: spot.span.start() - words.len(),
                    is_capital: before
                        .get(before.len() - words.len()..)
                        .is_some_and(|head| head.starts_with('A')),
                }),
            end: (start + end + tail.len).max(spot.span.end()),
            tail: rest.get(end..end + tail.len)?,
            kind: tail.kind,
        };
        (phrase.high <= MAX_YEARS).then_some(phrase)
    }

    fn at(spot: &Spot<'a>) -> Self {
        let (start, end) = (spot.span.start(), spot.span.end());
        Self {
            low: 0,
            high: 0,
            start,
            lead: start,
            article: None,
            at_the_age: None,
            end,
            tail: "",
            kind: Kind::Plain,
        }
    }

    /// The age of somebody born on a date, or in a year.
    fn born(spot: &Spot<'a>, today: Today) -> Option<Self> {
        let years = match date_parts(spot.value) {
            Some(parts) => {
                let year = if parts.year < 100 { today.full_year(parts.year) } else { i64::from(parts.year) };
                today.years_since(Date { year, month: parts.month, day: parts.day })?
            }
            None => {
                let year = spot.value.trim().parse().ok().filter(|year| *year >= 1900)?;
                today.years_since(Date { year, month: 1, day: 1 })?
            }
        };
        let lead =
            ends_with_one(spot.before(), BORN).map_or(spot.span.start(), |len| spot.span.start() - len);
        Some(Self { low: years, high: years, lead, kind: Kind::Birth, ..Self::at(spot) })
    }
}

/// Youngest age in years that a line tells without `old`: fewer years are a span of time.
const LEAST_ALONE: u32 = 18;

/// Where the number starts in a line that is an age and nothing else: `34yo`, `aged 8`, `101 years`, `thirty-four`.
pub(crate) fn age_alone(core: &str) -> Option<usize> {
    let lead = LEADS.iter().find(|lead| begins(core, lead)).map_or(0, |lead| lead.len());
    let number = core.get(lead..).unwrap_or_default();
    let (value, len) = quantity(number)?;
    let rest = number.get(len..).unwrap_or_default();
    let tail = Tail::read(rest);
    let years = value.in_thousandths() / 1000;
    if years > u64::from(MAX_YEARS) {
        return None;
    }
    let words = number.starts_with(char::is_alphabetic)
        && number.get(..len).is_some_and(|words| words.contains(['-', ' ']));
    let alone = tail.per_year == 1 && years >= u64::from(LEAST_ALONE);
    let told = if rest.is_empty() { words } else { tail.is_old || alone };
    (tail.len == rest.len() && (told || lead > 0)).then_some(lead)
}

/// What stands behind a number.
struct Tail<'a> {
    len: usize,
    kind: Kind<'a>,
    per_year: u64, // how many of its unit are a year
    is_old: bool,  // it says that an age is meant
}

impl<'a> Tail<'a> {
    fn read(rest: &'a str) -> Self {
        let nothing = Self { len: 0, kind: Kind::Plain, per_year: 1, is_old: false };
        let gap = rest.len() - rest.trim_start_matches([' ', '-', '\u{a0}']).len();
        let word = rest.get(gap..).unwrap_or_default();
        if gap > 3 {
            return nothing;
        }
        let stands = |len: usize| !word.get(len..).unwrap_or_default().starts_with(char::is_alphanumeric);
        if let Some(form) = SHORT_OLD.iter().find(|form| begins(word, form) && stands(form.len())) {
            return Self { len: gap + form.len(), is_old: true, ..nothing };
        }
        if word.starts_with(['M', 'F']) && gap == 0 && stands(1) {
            return Self { kind: Kind::Glued, ..nothing };
        }
        if let Some(unit) = GLUED.iter().find(|unit| word.starts_with(**unit)) {
            return Self { len: gap + unit.len(), is_old: true, ..nothing };
        }
        let len = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
        let unit = word.get(..len).unwrap_or_default();
        let Some(counted) = age_unit(unit) else { return nothing };
        let old = age_tail(word.get(len..).unwrap_or_default());
        let len = gap + len + old;
        let kind = match unit.to_lowercase().strip_prefix("jährig").map(str::len) {
            Some(ending) => Kind::German(unit.get(unit.len() - ending..).unwrap_or_default()),
            None => Kind::Plain,
        };
        let per_year = match counted {
            AgeUnit::Years => return Self { len, kind, per_year: 1, is_old: old > 0 },
            AgeUnit::Months => 12,
            AgeUnit::Weeks => 52,
            AgeUnit::Days => 365,
        };
        let after = rest.get(len..).unwrap_or_default();
        let noun = after.strip_prefix(' ').is_some_and(|after| after.starts_with(char::is_alphabetic));
        let kind = if noun && rest.starts_with('-') && old > 0 { Kind::Short } else { Kind::ShortAlone };
        Self { len, kind, per_year, is_old: old > 0 }
    }
}

/// Whether a text begins with a form, in any case.
fn begins(text: &str, form: &str) -> bool {
    text.get(..form.len()).is_some_and(|head| head.eq_ignore_ascii_case(form))
}

/// Length of the one of the forms that a text ends with, standing by itself.
fn ends_with_one(text: &str, forms: &[&str]) -> Option<usize> {
    forms.iter().map(|form| form.len()).zip(forms).find_map(|(len, form)| {
        let at = text.len().checked_sub(len)?;
        let (head, tail) = text.split_at_checked(at)?;
        let same = tail.to_lowercase() == **form;
        (same && !head.ends_with(char::is_alphanumeric)).then_some(len)
    })
}

/// Length of the article that a text ends with, with its blank, and whether it has a capital.
fn article(text: &str) -> Option<(usize, bool)> {
    let len = ends_with_one(text, &["a ", "an "])?;
    Some((len, text.get(text.len() - len..)?.starts_with('A')))
}

/// The years of `thirties`, `30s`, `teens`.
fn decade(written: &str) -> Option<(u32, u32)> {
    let word = written.rsplit([' ', '-']).next()?.to_ascii_lowercase();
    if word == "teens" {
        return Some((13, 19));
    }
    let words =
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
    let tens = (2..).zip(words).find(|(_, other)| *other == word).map(|(tens, _)| tens).or_else(|| {
        let digits = word.trim_end_matches('s').trim_end_matches(['\'', '’']);
        let number: u32 = digits.parse().ok().filter(|_| word.ends_with('s'))?;
        (number.is_multiple_of(10) && (20..=90).contains(&number)).then_some(number / 10)
    })?;
    Some((tens * 10, tens * 10 + 9))
}
