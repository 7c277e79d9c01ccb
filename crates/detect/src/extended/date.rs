//! Calendar dates: `2026-03-12`, `12.3.2026`, `March 12, 2026`, `12. února 2025`.
//!
//! In: a number, or the name of a month. Out: the date. A date with a time behind it at the
//! start of a line, or in the form of ISO 8601, is the stamp of a machine and no date here. Not here: dates of birth, which are found by what stands before them.

use cloakgate_vocab::Span;

use super::context::{after, before, is_one_of, last_word};
use crate::birth::{date_prefix, is_month};

/// Longest date in bytes.
const MAX_DATE_BYTES: usize = 48;

/// Reads a date that begins with a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    // Most numbers are neither a day nor a year.
    if !matches!(number.len(), 1 | 2 | 4) {
        return None;
    }
    read(text, number.start()).or_else(|| year(text, number))
}

/// Reads a date that begins with the name of a month.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    // A day, a year, or `de` and `of` before one.
    let rest = after(text, word.end(), 5).trim_start_matches(['.', ',', ' ']);
    if !rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'd' | 'o'))
        || !(3..=20).contains(&word.len())
    {
        return None;
    }
    read(text, word.start()).or_else(|| month_of_year(text, word))
}

/// `septiembre de 2005`, `March 2021`
fn month_of_year(text: &str, word: Span) -> Option<(Span, &'static str)> {
    is_month(word.of(text)?).then_some(())?;
    let rest = after(text, word.end(), 16);
    let gap = rest.find(|c: char| c.is_ascii_digit())?;
    let link = rest.get(..gap)?.trim_matches([' ', ',', '.']);
    let year = rest.get(gap..).is_some_and(is_year);
    let day = before(text, word.start(), 4)
        .trim_end_matches([' ', '.', '-'])
        .ends_with(|c: char| c.is_ascii_digit());
    (year && !day && matches!(link, "" | "de" | "del" | "of"))
        .then(|| (Span::sized(word.start(), word.len() + gap + 4), "date"))
}

/// `1977`, `2005.`
fn is_year(text: &str) -> bool {
    let century = text.starts_with("19") || text.starts_with("20");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or_default();
    // `2005.1`, `1999-2001/x`, `2001:db8` are something else.
    let ends =
        rest.trim_start_matches(['.', ',', ')', ';']).starts_with([' ', '\n', '\r', '"']) || rest.len() <= 1;
    century && digits == 4 && ends && text < "2040"
}

/// Words after which four digits are a year.
const YEAR_WORDS: &[&str] = &[
    "in", "since", "until", "by", "during", "before", "after", "circa", "from", "early", "late", "year",
    "en", "desde", "hasta", "depuis", "dès", "seit", "jahr", "jahre", "dal", "nel", "anno", "em", "sinds",
    "w", "od", "del",
];

/// `founded in 1977`
fn year(text: &str, number: Span) -> Option<(Span, &'static str)> {
    let left = before(text, number.start(), 24);
    let word = last_word(left, &[]);
    // `the Act of 2001`, not `a buffer of 2048 bytes`.
    let named = word == "of"
        && last_word(left.trim_end().trim_end_matches("of"), &[]).starts_with(char::is_uppercase);
    let told = (named || is_one_of(word, YEAR_WORDS)) && left.ends_with(' ');
    (told && is_year(after(text, number.start(), 8))).then_some((number, "year"))
}

fn read(text: &str, start: usize) -> Option<(Span, &'static str)> {
    let joined = before(text, start, 4)
        .ends_with(|c: char| matches!(c, '.' | '/' | '-' | '_' | ':' | '+' | '@') || c.is_alphanumeric());
    let date = date_prefix(after(text, start, MAX_DATE_BYTES)).filter(|_| !joined)?;
    let value = after(text, start, date.len);
    // `3.13.44` is a version; a date by itself has a whole year.
    let whole = value.split(|c: char| !c.is_ascii_digit()).any(|group| group.len() >= 4);
    let end = start + date.len;
    let rest = after(text, end, 12);
    let file =
        rest.starts_with('.') && after(text, end + 1, 1).starts_with(|c: char| c.is_ascii_alphanumeric());
    if !whole || file || rest.starts_with(['T', 't', '_', '-', '/', ':']) {
        return None;
    }
    let time = time_len(rest.trim_start_matches([' ', ',']));
    if time == 0 {
        return Some((Span::sized(start, date.len), "date"));
    }
    // At the start of a line, or with the name of a month, it is the stamp of a log or of a mail.
    let line = before(text, start, 24);
    let stamp = line.is_empty()
        || line.ends_with(['\n', '[', '(', '|', '\t'])
        || !value.bytes().all(|byte| !byte.is_ascii_alphabetic());
    let gap = rest.len() - rest.trim_start_matches([' ', ',']).len();
    (!stamp).then(|| (Span::sized(start, date.len + gap + time), "date"))
}

/// Length of `10:22` or `10:22:33`; 0 when no time follows.
fn time_len(rest: &str) -> usize {
    let len = rest.bytes().take(8).take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let time = rest.get(..len).unwrap_or_default();
    if time.len() >= 4 && time.contains(':') { time.trim_end_matches(':').len() } else { 0 }
}
