//! Codes of cards and accounts behind the words that name them: `CVV 123`, `exp 12/27`, `PIN 4711`.
//!
//! In: a text. Out: candidates. Invariant: each look is bounded.

use cloakgate_vocab::{Span, Strength};

use super::words::{after, digits, ends, small, words};
use crate::text::candidate::Candidate;
use crate::text::field::Field;
use crate::text::operators::What;

/// Words before the code of a card.
const CODES: &[&str] = &["cvv", "cvc", "cvv2", "cvc2", "csc", "cid"];
/// Words before the date when a card expires.
const EXPIRES: &[&str] =
    &["exp", "expiry", "expires", "expiration", "thru", "valid", "gültig", "caduca", "scadenza", "expire"];
/// Words between a name of a code and the code.
const LINKS: &[&str] =
    &["code", "number", "is", "no", "date", "nummer", "thru", "through", "until", "on", "bis"];

/// Adds codes.
pub(super) fn seek(text: &str, found: &mut Vec<Candidate>) {
    let mut buffer = String::new();
    for span in words(text).filter(|span| (3..=12).contains(&span.len())) {
        let word = span.of(text).unwrap_or_default();
        // Surer than what finds a password there.
        let mut add = |span, what| {
            let sought = Candidate::sought(span, what, Field::Financial);
            found.push(Candidate { strength: Strength::Checked, ..sought });
        };
        let value = || value_start(after(text, span.end(), 32)).map(|skipped| span.end() + skipped);
        let code =
            word.eq_ignore_ascii_case("security") && after(text, span.end(), 5).eq_ignore_ascii_case(" code");
        if code || CODES.iter().any(|code| word.eq_ignore_ascii_case(code)) {
            if let Some(span) = value().and_then(|at| number(text, at, 3..=4)) {
                add(span, What::CardCode);
            }
        } else if word == "PIN"
            || word.eq_ignore_ascii_case("pin") && after(text, span.end(), 6).contains([':', 'c', 'i'])
        {
            if let Some(span) = value().and_then(|at| number(text, at, 4..=8)) {
                add(span, What::Pin);
            }
        } else if EXPIRES.contains(&small(word, &mut buffer))
            && let Some(span) = value().and_then(|at| expiry(text, at))
        {
            add(span, What::CardExpiry);
        }
    }
}

/// Where the value behind a word starts.
fn value_start(rest: &str) -> Option<usize> {
    let mut at = 0;
    for _ in 0..3 {
        let tail = rest.get(at..)?;
        let marks =
            tail.len() - tail.trim_start_matches([' ', ':', '=', '.', '#', '"', '\'', '(', '\u{a0}']).len();
        at += marks;
        let tail = rest.get(at..)?;
        let len = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        if !LINKS.iter().any(|link| tail.get(..len).is_some_and(|word| word.eq_ignore_ascii_case(link))) {
            break;
        }
        at += len;
    }
    (at > 0).then_some(at)
}

/// A number of so many digits.
fn number(text: &str, at: usize, lengths: std::ops::RangeInclusive<usize>) -> Option<Span> {
    let rest = after(text, at, 16);
    let len = digits(rest);
    let tail = rest.get(len..)?;
    let goes_on =
        tail.starts_with(['.', ',', '-', '/', ':']) && tail.get(1..).is_some_and(|tail| digits(tail) > 0);
    (lengths.contains(&len) && ends(tail) && !goes_on).then(|| Span::sized(at, len))
}

/// `12/27`, `12/2027`, `12-27`
fn expiry(text: &str, at: usize) -> Option<Span> {
    let rest = after(text, at, 16);
    let month = digits(rest);
    let number: u32 = rest.get(..month)?.parse().ok().filter(|_| month <= 2)?;
    let tail = rest.get(month..)?;
    let mark = tail.len() - tail.trim_start_matches([' ', '/', '-']).len();
    let year = digits(tail.get(mark..)?);
    let marked = tail.get(..mark)?.contains(['/', '-']) && mark <= 3;
    let after_year = tail.get(mark + year..)?;
    let date =
        after_year.starts_with(['/', '-', '.']) && after_year.get(1..).is_some_and(|tail| digits(tail) > 0);
    ((1..=12).contains(&number) && marked && matches!(year, 2 | 4) && !date && ends(after_year))
        .then(|| Span::sized(at, month + mark + year))
}
