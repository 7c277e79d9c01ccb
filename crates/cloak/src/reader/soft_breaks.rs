//! Tokens that a soft line break of a mail in quoted-printable form splits: `=` at the end of a line.
//!
//! In: a text, what is read in it as it stands, and how to read. Out: the same with what is read across such breaks.
//! Invariant: a text without such breaks is neither copied nor read again; only what lies across a break is added,
//! and a bare name there only where it verifies. Not here: what a token looks like.

use cloakgate_vocab::Span;
use memchr::memchr_iter;

use super::{Reading, Verdict};

/// Adds to `readings` the tokens that lie across soft line breaks; `read` reads a text that has none.
pub(super) fn across(
    text: &str,
    readings: Vec<Reading>,
    read: impl FnOnce(&str) -> Vec<Reading>,
) -> Vec<Reading> {
    let mut breaks = breaks(text.as_bytes()).peekable();
    if breaks.peek().is_none() {
        return readings;
    }
    let joined = Joined::of(text, breaks);
    let mut all = Vec::with_capacity(readings.len());
    let mut unbroken = readings.into_iter().peekable();
    for broken in read(&joined.text).iter().filter_map(|reading| joined.across_break(text, reading)) {
        all.extend(std::iter::from_fn(|| unbroken.next_if(|other| other.span.end() <= broken.span.start())));
        let begun = all.len();
        all.extend(std::iter::from_fn(|| unbroken.next_if(|other| other.span.start() < broken.span.end())));
        let verifies = |other: &Reading| other.verdict == Verdict::Verified;
        if verifies(&broken) || !all.iter().skip(begun).any(verifies) {
            all.truncate(begun);
            all.push(broken);
        }
    }
    all.extend(unbroken);
    all
}

/// Soft line breaks, in order.
fn breaks(bytes: &[u8]) -> impl Iterator<Item = Span> {
    memchr_iter(b'=', bytes).filter_map(|at| match bytes.get(at + 1..)? {
        [b'\n', ..] => Some(Span::sized(at, 2)),
        [b'\r', b'\n', ..] => Some(Span::sized(at, 3)),
        _ => None,
    })
}

/// A text without its soft line breaks.
struct Joined {
    text: String,
    /// For each break: where it was in this text, and how many bytes were left out up to its end.
    gaps: Vec<(usize, usize)>,
}

impl Joined {
    fn of(text: &str, breaks: impl Iterator<Item = Span>) -> Self {
        let mut joined = Self { text: String::with_capacity(text.len()), gaps: Vec::new() };
        let mut done = 0;
        for gap in breaks {
            joined.text.push_str(text.get(done..gap.start()).unwrap_or_default());
            done = gap.end();
            joined.gaps.push((joined.text.len(), done - joined.text.len()));
        }
        joined.text.push_str(text.get(done..).unwrap_or_default());
        joined
    }

    /// The reading as one of `text`, if a break lies within it and it is meant as a token beyond doubt.
    fn across_break(&self, text: &str, reading: &Reading) -> Option<Reading> {
        let span = self.in_text(reading.span)?;
        let bare = reading.span.of(&self.text)?.starts_with(char::is_alphanumeric);
        if bare && reading.verdict == Verdict::Failing {
            return None;
        }
        let blank = |outside: Option<&str>| outside.is_some_and(|outside| outside.trim().is_empty());
        let whole = reading.whole && blank(text.get(..span.start())) && blank(text.get(span.end()..));
        Some(Reading { span, whole, ..*reading })
    }

    /// Where a span stands in the text, if a break lies within it.
    fn in_text(&self, span: Span) -> Option<Span> {
        let first = self.gaps.partition_point(|(at, _)| *at <= span.start());
        let last = self.gaps.partition_point(|(at, _)| *at < span.end());
        let left_out =
            |gaps: usize| gaps.checked_sub(1).and_then(|last| self.gaps.get(last)).map_or(0, |gap| gap.1);
        (first < last).then(|| Span::new(span.start() + left_out(first), span.end() + left_out(last)))?
    }
}
