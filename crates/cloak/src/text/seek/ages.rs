//! Ages that only a name, a pronoun or a letter tells: `Ann, 34, and Bob`, `in her thirties`, `34M with fever`.
//!
//! In: a text with the names that were found in it. Out: candidates. Invariant: each look is bounded.

use cloakgate_vocab::{Category, Span};

use super::words::{after, before, digits, ends, words};
use crate::text::candidate::Candidate;
use crate::text::field::Field;
use crate::text::operators::What;

const AGE: What = What::Found(Category::Age);
const GENDER: What = What::Found(Category::Gender);

/// Oldest age that is believed where little speaks for it.
const MAX_AGE: u32 = 110;

const DECADES: &[&str] =
    &["teens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
const WHOSE: &[&str] = &["his ", "her ", "their ", "my ", "your ", "our "];

/// Adds ages; `found` holds the names of the text.
pub(super) fn seek(text: &str, found: &mut Vec<Candidate>) {
    let beside: Vec<_> = found
        .iter()
        .filter(|one| one.field == Field::Name)
        .filter_map(|one| after_name(text, one.span.end()))
        .collect();
    found.extend(beside.into_iter().map(|span| Candidate::sought(span, AGE, Field::Age)));
    for span in words(text).filter(|span| (3..=9).contains(&span.len())) {
        if let Some(span) = decade(text, span) {
            found.push(Candidate::sought(span, AGE, Field::Age));
        }
        if let Some(number) = with_letter(text, span) {
            found.push(Candidate::sought(number, AGE, Field::Age));
            found.push(Candidate::sought(Span::sized(number.end(), 1), GENDER, Field::Gender));
        }
    }
}

/// A number of years at the start of a text.
fn years(rest: &str) -> Option<usize> {
    let len = digits(rest);
    let number: u32 = rest.get(..len)?.parse().ok().filter(|_| len <= 3)?;
    (1..=MAX_AGE).contains(&number).then_some(len)
}

/// `, 34,` or ` (34)` behind a name.
fn after_name(text: &str, end: usize) -> Option<Span> {
    let rest = after(text, end, 16);
    let (lead, close) = if rest.starts_with(", ") {
        (2, None)
    } else if rest.starts_with(" (") {
        (2, Some(')'))
    } else {
        return None;
    };
    let number = rest.get(lead..)?;
    let len = years(number)?;
    let tail = number.get(len..)?;
    let told = match close {
        Some(close) => tail.starts_with(close),
        None => {
            let mark = tail.starts_with([',', ';', ')', '.', '!', '?']) && tail.get(1..).is_none_or(ends);
            tail.is_empty()
                || mark
                || [" and ", " und ", " et ", " y ", " e "].iter().any(|link| tail.starts_with(link))
        }
    };
    told.then(|| Span::sized(end + lead, len))
}

/// `in her early thirties`, `my 30s`
fn decade(text: &str, word: Span) -> Option<Span> {
    let written = word.of(text)?;
    let number = written.len() == 3
        && written.ends_with("0s")
        && written.starts_with(|c: char| matches!(c, '2'..='9'));
    if !number && !DECADES.iter().any(|decade| written.eq_ignore_ascii_case(decade)) {
        return None;
    }
    let near = before(text, word.start(), 32).to_ascii_lowercase();
    let mut head = near.as_str();
    for part in ["early ", "mid ", "mid-", "late "] {
        head = head.strip_suffix(part).unwrap_or(head);
    }
    let whose = WHOSE.iter().find_map(|whose| head.strip_suffix(whose))?;
    let head = whose.strip_suffix("in ").unwrap_or(whose);
    if head.ends_with(char::is_alphanumeric) {
        return None;
    }
    let start = word.start() - (near.len() - head.len());
    Span::new(start, word.end())
}

/// Words around `34M` that speak of a patient: it is not 34 million.
const CLINICAL: &[&str] = &[
    " with ",
    " w/ ",
    " presents",
    " presented",
    " presenting",
    " admitted",
    " c/o",
    " s/p",
    " who ",
    " complain",
    " h/o",
    " hx ",
    " pt ",
];
const PATIENTS: &[&str] =
    &["pt ", "pt: ", "patient ", "patient: ", "patient is ", "a ", "age/sex: ", "age/sex "];

/// The number of `34M`.
fn with_letter(text: &str, word: Span) -> Option<Span> {
    let written = word.of(text)?;
    let len = years(written)?;
    matches!(written.get(len..)?, "M" | "F").then_some(())?;
    let before = before(text, word.start(), 16);
    let rest = after(text, word.end(), 16).to_ascii_lowercase();
    let head = before.to_ascii_lowercase();
    let told = CLINICAL.iter().any(|form| rest.starts_with(form.trim_end()) && form.starts_with(' '))
        || PATIENTS
            .iter()
            .any(|form| head.ends_with(form) && (form.len() > 2 || rest.starts_with([' ', ',', '.'])))
        || head.ends_with(" / ") && rest.trim().is_empty()
        || head.trim().is_empty() && (rest.trim().is_empty() || rest.starts_with([',', ';', ':']));
    let plain = !head.ends_with(['$', '€', '£', '-', '.', ',', '/', '+']);
    (told && plain).then(|| Span::sized(word.start(), len))
}
