//! Dates, for birth dates: where one begins at a place that a key or a cue word names.
//!
//! In: a text that should begin with a date. Out: its length and, where the order of day and month is certain,
//! its ISO form. Forms: `1984-03-12`, `19840312`, `12.3.1984`, `03/12/84`, `12 March 1984`, `March 12, 1984`,
//! `12. März 1984`, `12 de marzo de 1984`, `1984年3月12日`, `昭和59年3月12日`, `١٢/٣/١٩٨٤`. Not here: dates in general, which are no secret.

use std::collections::HashMap;
use std::sync::LazyLock;

use cloakgate_vocab::Span;
use unicode_normalization::char::is_combining_mark;

/// Names of months with their number.
static MONTHS: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let lines = (1..).zip(include_str!("../data/months.txt").lines());
    lines
        .flat_map(|(number, line)| line.split(' ').map(move |name| (name, number)))
        .filter(|(name, _)| name.chars().count() >= 3)
        .collect()
});

/// A date at the start of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct DatePrefix {
    /// Its length in bytes.
    pub(crate) len: usize,
    year: u32,
    month: u32,
    day: u32,
    certain: bool, // whether day and month cannot be swapped
}

/// A date that a text begins with, as numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DateParts {
    /// Its length in bytes.
    pub len: usize,
    /// As written: below 100 where it has two digits.
    pub year: u32,
    /// From 1 to 12.
    pub month: u32,
    /// From 1 to 31.
    pub day: u32,
    /// Whether day and month cannot be swapped.
    pub is_certain: bool,
}

/// The date at the start of a text.
#[must_use]
pub fn date_parts(text: &str) -> Option<DateParts> {
    let DatePrefix { len, year, month, day, certain } = date_prefix(text)?;
    Some(DateParts { len, year, month, day, is_certain: certain })
}

/// All names of months.
pub(crate) fn months() -> impl Iterator<Item = &'static str> {
    MONTHS.keys().copied()
}

/// True for the name of a month.
pub(crate) fn is_month(word: &str) -> bool {
    (3..=24).contains(&word.len()) && MONTHS.contains_key(word.to_lowercase().as_str())
}

/// ISO form of a value that is a date and nothing else, if its day and month are certain.
pub(crate) fn iso(value: &str) -> Option<String> {
    let date = date_prefix(value)?;
    (date.certain && date.len == value.len() && (1850..=2100).contains(&date.year))
        .then(|| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day))
}

/// Reads a date at the start of the text.
pub(crate) fn date_prefix(text: &str) -> Option<DatePrefix> {
    let date = numeric(text)
        .or_else(|| day_first(text))
        .or_else(|| month_first(text))
        .or_else(|| compact(text))
        .or_else(|| year_first(text))
        .or_else(|| of_era(text))?;
    let rest = text.get(date.len..)?;
    let followed = rest.chars().next().is_some_and(|c| c.is_ascii_digit());
    (!followed && plausible(&date)).then_some(date)
}

fn plausible(date: &DatePrefix) -> bool {
    // Years of the Buddhist and the Persian calendar too.
    let year = matches!(date.year, 0..=99 | 1300..=1420 | 1850..=2100 | 2400..=2600);
    year && (1..=12).contains(&date.month) && (1..=31).contains(&date.day)
}

/// Cursor over the text; each step returns nothing when the text goes on otherwise.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// A number of at most four digits of any script, and how many digits it has.
    fn number(&mut self) -> Option<(u32, usize)> {
        let (mut value, mut digits, mut len) = (0, 0, 0);
        for c in self.rest().chars().take(5) {
            let Some(digit) = digit(c) else { break };
            value = value * 10 + digit;
            digits += 1;
            len += c.len_utf8();
        }
        if digits == 0 || digits > 4 {
            return None;
        }
        self.at += len;
        Some((value, digits))
    }

    /// One of the characters.
    fn one_of(&mut self, set: &[char]) -> Option<char> {
        let c = self.rest().chars().next().filter(|c| set.contains(c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Blanks, dots, commas and the words `de`, `del`, `of`, `of the`; at most eight bytes.
    fn filler(&mut self) {
        let start = self.at;
        while self.at - start < 8 {
            if self.one_of(&[' ', '.', ',', '\u{a0}', '-', '/']).is_some() {
                continue;
            }
            let word = [
                "del ", "de ", "of ", "d'", "do ", "th ", "st ", "nd ", "rd ", "er ", "th,", "di ", "ª ",
                "º ",
            ]
            .into_iter()
            .find(|word| self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
            match word {
                Some(word) => self.at += word.len(),
                None => break,
            }
        }
    }

    /// The name of a month.
    fn month(&mut self) -> Option<u32> {
        let length: usize = self
            .rest()
            .chars()
            .take(16)
            .take_while(|c| c.is_alphabetic() || is_combining_mark(*c))
            .map(char::len_utf8)
            .sum();
        // `tháng 3`
        if let Some(rest) = self.rest().strip_prefix("tháng ") {
            self.at = self.text.len() - rest.len();
            let (month, _) = self.number()?;
            self.one_of(&[' ']);
            if let Some(rest) = self.rest().strip_prefix("năm") {
                self.at = self.text.len() - rest.len();
            }
            return Some(month);
        }
        let word = self.rest().get(..length).filter(|word| word.len() >= 3)?.to_lowercase();
        let month = *MONTHS.get(word.as_str())?;
        self.at += length;
        Some(month)
    }

    fn done(&self, year: u32, month: u32, day: u32) -> DatePrefix {
        DatePrefix { len: self.at, year, month, day, certain: true }
    }
}

/// Value of a decimal digit: of ASCII, full width, Arabic, Persian, Devanagari, Bengali or Thai.
fn digit(c: char) -> Option<u32> {
    let zero = match u32::from(c) {
        code @ 0x30..=0x39 => return Some(code - 0x30),
        0xff10..=0xff19 => 0xff10,
        0x660..=0x669 => 0x660,
        0x6f0..=0x6f9 => 0x6f0,
        0x966..=0x96f => 0x966,
        0x9e6..=0x9ef => 0x9e6,
        0xe50..=0xe59 => 0xe50,
        _ => return None,
    };
    Some(u32::from(c) - zero)
}

/// Eras of Japan and Taiwan, with the year before their first.
const ERAS: &[(&str, u32)] = &[
    ("明治", 1867),
    ("大正", 1911),
    ("昭和", 1925),
    ("平成", 1988),
    ("令和", 2018),
    ("民國", 1911),
    ("民国", 1911),
];

/// `昭和59年3月12日`
fn of_era(text: &str) -> Option<DatePrefix> {
    let (name, before) = ERAS.iter().find(|(name, _)| text.starts_with(name))?;
    let mut reader = Reader { text, at: name.len() };
    let year = if reader.one_of(&['元']).is_some() { 1 } else { reader.number()?.0 };
    reader.one_of(&['年'])?;
    let (month, _) = reader.number()?;
    reader.one_of(&['月'])?;
    let (day, _) = reader.number()?;
    reader.one_of(&['日']);
    Some(reader.done(before + year, month, day))
}

/// Length of the date in the arguments of a call: `1984, 3, 12)`.
pub(crate) fn arguments(text: &str) -> Option<usize> {
    let mut reader = Reader::new(text);
    let (year, digits) = reader.number()?;
    let mut part = || {
        reader.one_of(&[','])?;
        reader.one_of(&[' ']);
        reader.number()
    };
    let (month, _) = part()?;
    let (day, _) = part()?;
    let date = reader.done(year, month, day);
    (digits == 4 && plausible(&date) && text.get(date.len..)?.starts_with([')', ','])).then_some(date.len)
}

/// Length of a value that is a year and nothing else.
pub(crate) fn year(value: &str) -> Option<usize> {
    let year: u32 = value.parse().ok()?;
    (value.len() == 4 && (1880..=2030).contains(&year)).then_some(4)
}

/// Letters of `born` behind a name: `Rita Roca, s. 12.3.1984` (Finnish), `n. 12.03.1984` (Romanian), `f. 12.3.1984` (Danish).
const BORN: &[&str] = &[", s. ", ", n. ", ", f. "];
/// Last year of birth that one letter is taken to say.
const LAST_YEAR: u32 = 2020;

/// The date at `start` behind a mark that says birth: `*12.03.1984`, `(b. 12 March 1984`.
pub(crate) fn behind_mark(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?;
    if let Some(name) = BORN.iter().find_map(|mark| head.strip_suffix(mark)) {
        let date = date_prefix(text.get(start..)?)?;
        let word = name.rsplit([' ', '\n']).next()?;
        let named =
            word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || c == '-');
        let written = text.get(start..start + date.len)?;
        let past = date_parts(written).is_some_and(|parts| parts.year <= LAST_YEAR);
        return (named && past).then(|| Span::sized(start, date.len));
    }
    let head = head.strip_suffix('*').or_else(|| head.strip_suffix("b. "))?;
    let opens = head.is_empty() || head.ends_with([' ', '(', ',', '\n']);
    let date = date_prefix(text.get(start..)?)?;
    let emphasis = text.get(start + date.len..)?.starts_with('*');
    (opens && !emphasis).then(|| Span::sized(start, date.len))
}

/// Where the date may begin behind a cue: `in Lyon on 12 March 1984`, `à Lyon, le 12/03/1984`.
pub(crate) fn after_place(text: &str) -> usize {
    const BEFORE_PLACE: &[&str] = &["in", "à", "a", "en", "em", "te", "w", "v", "i", "at", "în", "u"];
    const BEFORE_DATE: &[&str] =
        &["on", "le", "il", "el", "am", "em", "op", "dnia", "dne", "den", "a", "la", "the"];
    let mut words = text.split_inclusive(' ').take(8);
    let mut at = 0;
    let mut place = false;
    if !words.next().is_some_and(|word| {
        at = word.len();
        BEFORE_PLACE.contains(&word.trim_end())
    }) {
        return 0;
    }
    for word in words {
        let bare = word.trim_end_matches([' ', ',']);
        if place
            && (bare.starts_with(|c: char| digit(c).is_some())
                || date_prefix(text.get(at..).unwrap_or_default()).is_some())
        {
            return at;
        }
        if !(bare.starts_with(char::is_uppercase) || BEFORE_DATE.contains(&bare) || bare.starts_with('(')) {
            return 0;
        }
        place |= bare.starts_with(char::is_uppercase);
        at += word.len();
    }
    0
}

fn numeric(text: &str) -> Option<DatePrefix> {
    let mut reader = Reader::new(text);
    let (first, first_digits) = reader.number()?;
    // `12 / 03 / 1984`
    let spaced = reader.rest().starts_with(" / ") || reader.rest().starts_with(" - ");
    if spaced {
        reader.one_of(&[' ']);
    }
    let separator = reader.one_of(&['-', '.', '/', '年', '년', ' '])?;
    if separator == ' ' || (separator == '.' && reader.rest().starts_with(' ')) {
        // `12. 3. 1984`: blanks only together with dots.
        (separator == '.').then_some(())?;
    }
    reader.one_of(&[' ']);
    let (second, second_digits) = reader.number()?;
    if spaced {
        reader.one_of(&[' '])?;
    }
    let again = reader.one_of(&['-', '.', '/', '月', '월'])?;
    reader.one_of(&[' ']);
    let (third, third_digits) = reader.number()?;
    let same = separator == again || matches!((separator, again), ('年', '月') | ('년', '월'));
    if !same || second_digits > 2 {
        return None;
    }
    reader.one_of(&['日', '일']);
    if first_digits == 4 && third_digits <= 2 {
        return Some(reader.done(first, second, third));
    }
    if first_digits > 2 || third_digits == 3 || third_digits == 1 {
        return None;
    }
    let (day, month) = if second > 12 { (second, first) } else { (first, second) };
    let certain = separator == '.' || first > 12 || second > 12 || first == second;
    Some(DatePrefix { certain: certain && third_digits == 4, ..reader.done(third, month, day) })
}

fn day_first(text: &str) -> Option<DatePrefix> {
    let mut reader = Reader::new(text);
    let (day, digits) = reader.number()?;
    (digits <= 2).then_some(())?;
    reader.filler();
    let month = reader.month()?;
    reader.filler();
    let (year, digits) = reader.number()?;
    (digits == 4 || digits == 2).then(|| reader.done(year, month, day))
}

/// `1984. március 12`, `1984 March 12`
fn year_first(text: &str) -> Option<DatePrefix> {
    let mut reader = Reader::new(text);
    let (year, digits) = reader.number()?;
    (digits == 4).then_some(())?;
    reader.filler();
    let month = reader.month()?;
    reader.filler();
    let (day, digits) = reader.number()?;
    (digits <= 2).then(|| reader.done(year, month, day))
}

fn month_first(text: &str) -> Option<DatePrefix> {
    let mut reader = Reader::new(text);
    let month = reader.month()?;
    reader.filler();
    let (day, digits) = reader.number()?;
    (digits <= 2).then_some(())?;
    reader.filler();
    let (year, digits) = reader.number()?;
    (digits == 4).then(|| reader.done(year, month, day))
}

fn compact(text: &str) -> Option<DatePrefix> {
    let digits = text.bytes().take(9).take_while(u8::is_ascii_digit).count();
    if digits != 8 {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    Some(DatePrefix { len: 8, year: part(0, 4)?, month: part(4, 6)?, day: part(6, 8)?, certain: true })
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{after_place, date_prefix, iso};

    #[test]
    fn dates_are_read_in_the_forms_of_many_countries() {
        for (text, date) in [
            ("1984-03-12", "1984-03-12"),
            ("1984-03-12T00:00:00Z", "1984-03-12"),
            ("12.3.1984, Lyon", "12.3.1984"),
            ("12. 3. 1984", "12. 3. 1984"),
            ("03/12/84", "03/12/84"),
            ("20.03.97 btw", "20.03.97"),
            ("12 March 1984", "12 March 1984"),
            ("12. März 1984", "12. März 1984"),
            ("March 12, 1984.", "March 12, 1984"),
            ("12th of March 1984", "12th of March 1984"),
            ("12 de marzo de 1984", "12 de marzo de 1984"),
            ("1er août 1984", "1er août 1984"),
            ("12-Mar-1984", "12-Mar-1984"),
            ("19840312", "19840312"),
            ("1984年3月12日", "1984年3月12日"),
            ("昭和59年3月12日", "昭和59年3月12日"),
            ("١٢/٠٣/١٩٨٤", "١٢/٠٣/١٩٨٤"),
            ("12 มีนาคม 2527", "12 มีนาคม 2527"),
            ("12 मार्च 1984", "12 मार्च 1984"),
            ("12 марта 1984 г.", "12 марта 1984"),
            ("1984. március 12", "1984. március 12"),
            ("12 tháng 3 năm 1984", "12 tháng 3 năm 1984"),
            ("12. maaliskuuta 1984", "12. maaliskuuta 1984"),
            ("1984-13-12", ""),
            ("10.0.0.12", ""),
            ("1.2.3", ""),
            ("2024", ""),
            ("", ""),
        ] {
            let found = date_prefix(text).map_or("", |date| &text[..date.len]);
            assert_eq!(found, date, "{text}");
        }
    }

    #[test]
    fn places_may_stand_before_a_date() {
        for (text, date) in [
            ("in Lyon on 12 March 1984", "12 March 1984"),
            ("à Lyon, le 12/03/1984", "12/03/1984"),
            ("in Köln am 12.3.1984", "12.3.1984"),
            ("in Lyon", "in Lyon"),
            ("in the year 1984", "in the year 1984"),
        ] {
            assert_eq!(&text[after_place(text)..], date, "{text}");
        }
    }

    #[test]
    fn only_certain_dates_have_an_iso_form() {
        for (text, form) in [
            ("12.03.1984", Some("1984-03-12")),
            ("12 March 1984", Some("1984-03-12")),
            ("03/25/1984", Some("1984-03-25")),
            ("03/12/1984", None),
            ("12.03.84", None),
            ("1984-03-12 10:00", None),
        ] {
            assert_eq!(iso(text).as_deref(), form, "{text}");
        }
    }
}
