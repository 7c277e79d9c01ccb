//! Places that a text does not name in a sentence: points of the globe, and lines that are a place and nothing else.
//!
//! In: a text. Out: candidates. Forms: `37.7749, -122.4194`, `48.85° N, 2.35° E`, `Lyon` as the whole text. Check rule: both
//! numbers lie on the globe and are written finely, with a sign, or behind a word for a place. Invariant: a number is read once.
//! Not here: names in sentences, which the detectors find.

use cloakgate_detect::is_place;
use cloakgate_vocab::{Category, Span};

use super::words::{after, before, digits};
use crate::text::candidate::Candidate;
use crate::text::field::Field;
use crate::text::operators::What;

/// Longest line that is a place in bytes.
const MAX_LINE_BYTES: usize = 60;
/// Decimals with which two numbers are a point, whatever stands around them.
const FINE: usize = 4;
/// Words before a point.
const CUES: &[&str] = &[
    "at",
    "near",
    "location",
    "coordinates",
    "coords",
    "gps",
    "position",
    "geo",
    "located",
    "koordinaten",
    "standort",
    "coordonnées",
    "coordenadas",
    "coordinate",
    "latlng",
    "latlong",
    "pin",
    "meet",
];

/// Adds points, and lines that are places where the text is a value by itself.
pub(super) fn seek(text: &str, alone: bool, found: &mut Vec<Candidate>) {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('.')).map(|at| from + at) {
        from = at + 1;
        if let Some(span) = point(text, at) {
            from = span.end();
            found.push(candidate(span));
        }
    }
    if alone {
        lines(text, found);
    }
}

fn candidate(span: Span) -> Candidate {
    Candidate::sought(span, What::Found(Category::Location), Field::Location)
}

/// Each line is a place: a list of them, or one.
fn lines(text: &str, found: &mut Vec<Candidate>) {
    let core = |line: &str| line.trim().trim_end_matches(',').len();
    let places = text.lines().filter(|line| !line.trim().is_empty());
    let all = places.clone().all(|line| {
        let line = line.trim();
        // `TX` alone says little, and `reading` is a word.
        let written = line.len() > 3 && line.starts_with(char::is_uppercase);
        core(line) == line.len() && line.len() <= MAX_LINE_BYTES && written && is_place(line)
    });
    if !all {
        return;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let inner = line.trim();
        let lead = line.len() - line.trim_start().len();
        let named = found.iter().any(|other| other.field == Field::Name && other.span.start() == at + lead);
        if !inner.is_empty() && !named {
            found.push(candidate(Span::sized(at + lead, inner.len())));
        }
        at += line.len();
    }
}

/// The point whose first number has its decimal point at `at`.
fn point(text: &str, at: usize) -> Option<Span> {
    let left = before(text, at, 4);
    let whole = left.bytes().rev().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(left.get(..left.len() - whole)?.ends_with(['-', '+']));
    let start = at - whole - sign;
    let outside = before(text, start, 4);
    if !(1..=3).contains(&whole)
        || outside.ends_with(|c: char| c.is_alphanumeric() || ".,:/-+_$€£#".contains(c))
    {
        return None;
    }
    let first = number(text, start)?;
    let gap = after(text, first.end, 8);
    let next = gap.trim_start_matches([' ', ',', ';']);
    let skipped = gap.len() - next.len();
    if !(1..=3).contains(&skipped) || !gap.get(..skipped)?.contains([',', ';', ' ']) {
        return None;
    }
    let second = number(text, first.end + skipped)?;
    let rest = after(text, second.end, 2);
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '%')
        || (rest.starts_with(['.', ',']) && rest.get(1..).is_some_and(|rest| digits(rest) > 0));
    let on_globe = first.value.abs() <= 90.0 && second.value.abs() <= 180.0 && !goes_on;
    let word = before(text, start, 24);
    let word = word.trim_end_matches([' ', ':', '(', '=']).rsplit(|c: char| !c.is_alphabetic()).next()?;
    let signed = first.marked || second.marked;
    let cued = CUES.iter().any(|cue| word.eq_ignore_ascii_case(cue));
    let fine = first.decimals >= FINE && second.decimals >= FINE && gap.starts_with([',', ';']);
    let written = first.decimals >= 2 && second.decimals >= 2;
    let told = fine || (written && (first.compass || (signed && cued)));
    (on_globe && told).then(|| Span::sized(start, second.end - start))
}

/// A number of degrees.
struct Degrees {
    value: f64,
    decimals: usize,
    marked: bool,  // a sign, degrees or a point of the compass
    compass: bool, // degrees or a point of the compass
    end: usize,
}

fn number(text: &str, start: usize) -> Option<Degrees> {
    let rest = after(text, start, 32);
    let sign = rest.chars().next().filter(|c| matches!(c, '-' | '+' | '−'));
    let unsigned = rest.get(sign.map_or(0, char::len_utf8)..)?;
    let whole = digits(unsigned);
    let decimals = digits(unsigned.get(whole..)?.strip_prefix('.')?);
    if !(1..=3).contains(&whole) || !(1..=10).contains(&decimals) {
        return None;
    }
    let len = whole + 1 + decimals;
    let value: f64 = unsigned.get(..len)?.parse().ok()?;
    let mut end = rest.len() - unsigned.len() + len;
    let mut compass = false;
    for mark in ["°", " N", " S", " E", " W", "N", "S", "E", "W"] {
        let tail = rest.get(end..)?;
        if tail.starts_with(mark) && !tail.get(mark.len()..)?.starts_with(char::is_alphabetic) {
            end += mark.len();
            compass = true;
        }
    }
    let marked = compass || sign.is_some_and(|sign| sign != '+');
    Some(Degrees { value, decimals, marked, compass, end: start + end })
}

#[cfg(test)]
mod tests {
    use super::seek;

    #[test]
    fn points_and_lines_are_places() {
        for (text, expected) in [
            ("meet me at 37.77, -122.42 tonight", &["37.77, -122.42"][..]),
            ("x 37.7749,-122.4194 y", &["37.7749,-122.4194"]),
            ("48.85° N, 2.35° E", &["48.85° N, 2.35° E"]),
            ("prices 12.50, 13.75 and -2.25, 3.10", &[]),
            ("v1.2345, 6.7891.2", &[]),
            ("weights 0.12, -0.56", &[]),
            ("91.1234, 10.1234", &[]),
            ("Lyon", &["Lyon"]),
            ("Lyon\n Berlin \n", &["Lyon", "Berlin"]),
            ("Lyon\nError", &[]),
            ("I like Lyon", &[]),
        ] {
            let mut found = Vec::new();
            seek(text, true, &mut found);
            let spans: Vec<_> = found.iter().filter_map(|one| one.span.of(text)).collect();
            assert_eq!(spans, expected, "{text}");
        }
    }
}
