//! Dates: `{{DATE}}`, their year, or the same date so many days away.
//!
//! In: a date. Out: what stands for it. A session moves all dates by the same days, so that spans between them stay.
//! Invariant: a date that cannot be read is a placeholder where it should move or become a year.

use cloakgate_detect::{DateParts, date_parts};
use cloakgate_vocab::Category;

use super::{Choice, Outcome, Replacement, Spot, What, extended, placeholder};
use crate::text::profile::DateOption;
use crate::text::session::TextSession;
use crate::text::today::Date;

/// How many days dates move at most, either way.
const MAX_SHIFT_DAYS: usize = 365;
/// Names of months, a language a line.
const MONTHS: &str = include_str!("../../../data/months.txt");

/// What stands for a date.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let worded = match choice.profile.extended.date {
        DateOption::Keep | DateOption::Block => return Ok(None),
        DateOption::Mask => Some(extended::MASK.to_owned()),
        DateOption::Placeholder => None,
        DateOption::Year => year(spot.value),
        DateOption::Shift => shifted(spot.value, shift_days(session)),
    };
    match worded {
        Some(text) => Ok(Some(Replacement::shared(spot, text))),
        None => placeholder::cloak(spot, label(spot.what), choice.profile, session),
    }
}

fn label(what: What) -> &'static str {
    if what == What::Found(Category::DateOfBirth) { "DATE_OF_BIRTH" } else { "DATE" }
}

/// By how many days the session moves dates; never by none.
fn shift_days(session: &TextSession) -> i64 {
    let choice = session.choose("date shift", "", 2 * MAX_SHIFT_DAYS);
    let days = choice as i64 - MAX_SHIFT_DAYS as i64; // both far below the limits
    if days >= 0 { days + 1 } else { days }
}

/// The year of a date.
fn year(value: &str) -> Option<String> {
    let alone = value.len() == 4 && value.bytes().all(|byte| byte.is_ascii_digit());
    if alone {
        return Some(value.to_owned());
    }
    let written = value.split(|c: char| !c.is_ascii_digit()).find(|group| group.len() == 4);
    let parts = date_parts(value)?;
    // Years of other calendars stay as they are written.
    Some(written.map_or_else(|| parts.year.to_string(), str::to_owned)).filter(|_| parts.year >= 100)
}

/// The date so many days away, written like the date.
fn shifted(value: &str, days: i64) -> Option<String> {
    let parts = date_parts(value).filter(|parts| (1800..=2200).contains(&parts.year))?;
    let old = Date { year: i64::from(parts.year), month: parts.month, day: parts.day };
    let new = Date::from_days(old.days() + days);
    let (date, rest) = value.split_at_checked(parts.len)?;
    Some(format!("{}{rest}", like(date, parts, new)?))
}

/// A date written as another is.
fn like(date: &str, parts: DateParts, new: Date) -> Option<String> {
    if date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("{:04}{:02}{:02}", new.year, new.month, new.day));
    }
    let named =
        date.split(|c: char| !c.is_alphabetic()).find_map(|word| Some((word, month_name(word, new.month)?)));
    let groups = date.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    if groups != if named.is_some() { 2 } else { 3 } {
        return None;
    }
    let mut out = String::new();
    let mut rest = date;
    let mut seen_year = false;
    let mut seen_short = 0;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_digit() {
            let len = rest.bytes().take_while(u8::is_ascii_digit).count();
            let group = rest.get(..len)?;
            rest = rest.get(len..)?;
            let number = if len == 4 {
                seen_year = true;
                new.year
            } else {
                seen_short += 1;
                i64::from(if named.is_none() && is_month(parts, (seen_short, seen_year), group) {
                    new.month
                } else {
                    new.day
                })
            };
            if len == 1 {
                out.push_str(&number.to_string());
            } else {
                out.push_str(&format!("{number:02}"));
            }
            continue;
        }
        match named.filter(|(word, _)| c.is_alphabetic() && rest.starts_with(word)) {
            Some((word, name)) => {
                out.push_str(&with_case(name, word));
                rest = rest.get(word.len()..)?;
            }
            None => {
                out.push(c);
                rest = rest.get(c.len_utf8()..)?;
            }
        }
    }
    seen_year.then_some(out)
}

/// Whether the group of digits is the month, by its number or, where day and month are alike, its place.
fn is_month(parts: DateParts, (place, after_year): (u32, bool), group: &str) -> bool {
    let number: u32 = group.parse().unwrap_or_default();
    if parts.month == parts.day {
        return (place == 1) == after_year;
    }
    number == parts.month
}

/// The name of a month in the language and form of another name.
fn month_name(word: &str, month: u32) -> Option<&'static str> {
    let small = word.to_lowercase();
    let lines = MONTHS.lines().filter(|line| !line.starts_with('#'));
    let mut names =
        lines.map(|line| line.split(' ')).find(|names| names.clone().any(|name| name == small))?;
    names.nth(usize::try_from(month).ok()?.checked_sub(1)?)
}

/// A name with a capital where another has one.
fn with_case(name: &str, like: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if like.starts_with(char::is_uppercase) => first.to_uppercase().chain(letters).collect(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{shifted, year};

    #[test]
    fn dates_move_and_keep_their_form() {
        for (date, days, moved) in [
            ("2026-03-12", 30, "2026-04-11"),
            ("12.3.2026", 30, "11.4.2026"),
            ("25/12/2026", 10, "04/01/2027"),
            ("12 March 1991", -12, "28 February 1991"),
            ("March 12, 1991", 20, "April 01, 1991"),
            ("12. März 1984", 1, "13. März 1984"),
            ("12 de marzo de 1984", 30, "11 de abril de 1984"),
            ("2024-02-28 10:22", 1, "2024-02-29 10:22"),
            ("20240228", 2, "20240301"),
            ("12 мая 1984", 31, "12 июня 1984"),
        ] {
            assert_eq!(shifted(date, days).as_deref(), Some(moved), "{date}");
        }
        for date in ["Monday", "March 2021", "1991", "12.3.84"] {
            assert_eq!(shifted(date, 5), None, "{date}");
        }
    }

    #[test]
    fn a_year_is_left_of_a_date() {
        for (date, left) in [
            ("2026-03-12", Some("2026")),
            ("12 March 1991", Some("1991")),
            ("1991", Some("1991")),
            ("Monday", None),
            ("12.3.84", None),
        ] {
            assert_eq!(year(date).as_deref(), left, "{date}");
        }
    }
}
