//! Dates, for birth dates: where one begins at a place that a key or a cue word names.
//!
//! In: a text that should begin with a date. Out: its length and, where the order of day and month is certain,
//! its ISO form. Forms: `1984-03-12`, `19840312`, `12.3.1984`, `03/12/84`, `12 March 1984`, `March 12, 1984`,
//! `12. März 1984`, `12 de marzo de 1984`, `1984年3月12日`. Not here: dates in general, which are no secret.

use std::collections::HashMap;
use std::sync::LazyLock;

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

/// ISO form of a value that is a date and nothing else, if its day and month are certain.
pub(crate) fn iso(value: &str) -> Option<String> {
    let date = date_prefix(value)?;
    (date.certain && date.len == value.len() && date.year >= 1000)
        .then(|| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day))
}

/// Reads a date at the start of the text.
pub(crate) fn date_prefix(text: &str) -> Option<DatePrefix> {
    let date =
        numeric(text).or_else(|| day_first(text)).or_else(|| month_first(text)).or_else(|| compact(text))?;
    let rest = text.get(date.len..)?;
    let followed = rest.chars().next().is_some_and(|c| c.is_ascii_digit());
    (!followed && plausible(&date)).then_some(date)
}

fn plausible(date: &DatePrefix) -> bool {
    let year = matches!(date.year, 0..=99 | 1850..=2100);
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

    /// A number of at most four digits, and how many digits it has.
    fn number(&mut self) -> Option<(u32, usize)> {
        let digits = self.rest().bytes().take(5).take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 4 {
            return None;
        }
        let value = self.rest().get(..digits)?.parse().ok()?;
        self.at += digits;
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
            let word =
                ["del ", "de ", "of ", "d'", "do ", "th ", "st ", "nd ", "rd ", "er ", "th,", "ª ", "º "]
                    .into_iter()
                    .find(|word| {
                        self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
                    });
            match word {
                Some(word) => self.at += word.len(),
                None => break,
            }
        }
    }

    /// The name of a month.
    fn month(&mut self) -> Option<u32> {
        let length: usize =
            self.rest().chars().take(12).take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum();
        let word = self.rest().get(..length).filter(|word| word.len() >= 3)?.to_lowercase();
        let month = *MONTHS.get(word.as_str())?;
        self.at += length;
        Some(month)
    }

    fn done(&self, year: u32, month: u32, day: u32) -> DatePrefix {
        DatePrefix { len: self.at, year, month, day, certain: true }
    }
}

fn numeric(text: &str) -> Option<DatePrefix> {
    let mut reader = Reader::new(text);
    let (first, first_digits) = reader.number()?;
    let separator = reader.one_of(&['-', '.', '/', '年', '년', ' '])?;
    if separator == ' ' || (separator == '.' && reader.rest().starts_with(' ')) {
        // `12. 3. 1984`: blanks only together with dots.
        (separator == '.').then_some(())?;
    }
    reader.one_of(&[' ']);
    let (second, second_digits) = reader.number()?;
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
    use super::{date_prefix, iso};

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
