//! Values that a server cut off at the end of a text: pages, `max_length`, `head`.
//!
//! In: a text. Out: at most one hit that reaches its end. The last word is completed with what such values go on
//! with, and the recognisers judge the whole; what they accept only with the completion was cut. Invariant: looks at
//! the last `MAX_TAIL_BYTES` only. Not here: the start of a text (a page that begins inside a value), values that
//! are whole, beginnings of known values (`known`).

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

use crate::known::BEGINNING;
use crate::recognise::{Hit, email_at, may_begin_word, word_at};

/// How far back a cut value may begin.
const MAX_TAIL_BYTES: usize = 160;
/// Fewest bytes of a key that tell it: its vendor's prefix and a part of its body.
const MIN_KEY_BYTES: usize = 12;
/// Fewest bytes before the `@` of a cut address: `git@host` and the like are none.
const MIN_LOCAL_BYTES: usize = 5;
/// Fewest digits of a cut card number.
const MIN_CARD_DIGITS: usize = 10;
/// What keys go on with: read as hexadecimal and as letters and digits, and as capitals and digits of base 32.
const KEY_FILLERS: [&str; 2] = [
    "a7b3c9d1e5f8a2b6c4d0e9f3a1b7c5d8e2f6a0b4c8d3e7f1a9b5c2d6e0f4a8b1c7d5e3f9a6b2c0d4",
    "A7B3C2D4E5F6A2B6C4D3E2F3A4B7C5D6E2F6A5B4C2D3E7F4A5B5C2D6E5F4A6B4C7D5E3F5A6B2C6D4",
];

/// Longest remark in brackets that says what was left out.
const MAX_REMARK_BYTES: usize = 48;
/// What such a remark holds.
const REMARKS: [&str; 5] = ["...", "…", "trunc", "omitted", "more"];

const CUT: Detector = Detector("cut at the end");

/// True for a value of which only a part was there: the text ended within it.
#[must_use]
pub fn is_cut(finding: &Finding) -> bool {
    finding.detector == CUT || finding.detector == BEGINNING
}

/// Where what a text holds ends: before three dots or a remark such as `[truncated]`, else where the text does.
pub(crate) fn end(text: &str) -> usize {
    let held = without_remark(text).trim_end();
    let before = held.trim_end_matches('…');
    let before = before.strip_suffix("...").map_or(before, |before| before.trim_end_matches('.'));
    if before.len() < held.len() || held.len() < text.trim_end().len() {
        before.trim_end().len()
    } else {
        text.len()
    }
}

/// The text without a remark in brackets at its end.
fn without_remark(text: &str) -> &str {
    let trimmed = text.trim_end();
    let Some(opening) = trimmed.chars().next_back().and_then(|closing| match closing {
        ']' => Some('['),
        ')' => Some('('),
        '>' => Some('<'),
        _ => None,
    }) else {
        return text;
    };
    let window = trimmed.floor_char_boundary(trimmed.len().saturating_sub(MAX_REMARK_BYTES));
    let remark = trimmed.get(window..).and_then(|tail| Some(window + tail.rfind(opening)?));
    let says = |start: &usize| {
        let remark = trimmed.get(*start..).unwrap_or_default().to_ascii_lowercase();
        REMARKS.iter().any(|words| remark.contains(words))
    };
    remark.filter(says).and_then(|start| trimmed.get(..start)).unwrap_or(text)
}

/// The value that is cut off at the end of `text`, if there is one.
pub(crate) fn cut_at_end(text: &str) -> Option<Hit> {
    let word = last_word(text)?;
    card(text).or_else(|| email(text, word)).or_else(|| key(text, word))
}

/// The last run without blanks or quotes; `None` when the text ends with one.
fn last_word(text: &str) -> Option<Span> {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | ',' | ';');
    let start = text
        .char_indices()
        .rev()
        .take(MAX_TAIL_BYTES)
        .take_while(|(_, c)| !ends(*c))
        .last()
        .map(|(at, _)| at)?;
    Span::new(start, text.len())
}

fn hit(category: Category, start: usize, end: usize) -> Option<Hit> {
    let span = Span::new(start, end)?;
    Some(Hit { span, category, detector: CUT, strength: Strength::Shape, pieces: Vec::new() })
}

/// An address whose domain has not ended yet.
fn email(text: &str, word: Span) -> Option<Hit> {
    let tail = word.of(text)?;
    let at = tail.find('@')?;
    let domain = tail.get(at + 1..)?;
    // `actions/checkout@v4`, `left-pad@1`: a version, or the name of a package.
    let path = tail.get(..at)?.contains('/');
    let version = domain.trim_start_matches(['v', 'V', '^', '~']).starts_with(|c: char| c.is_ascii_digit());
    if at < MIN_LOCAL_BYTES || domain.is_empty() || domain.contains('.') || path || version {
        return None;
    }
    let whole = format!("{tail}x.example.com");
    let found = email_at(&whole, at)?;
    // The completion must belong to the address, or something ended it before.
    (found.span.end() == whole.len())
        .then(|| hit(Category::Email, word.start() + found.span.start(), text.len()))?
}

/// A key whose body is too short yet.
fn key(text: &str, word: Span) -> Option<Hit> {
    // A key may follow `=` or `:` directly.
    let tail = word.of(text)?;
    let start = tail.rfind(['=', ':']).map_or(0, |mark| mark + 1);
    let key = tail.get(start..)?;
    if key.len() < MIN_KEY_BYTES || !may_be_key(key) {
        return None;
    }
    let mut hits = Vec::new();
    let completed = KEY_FILLERS.map(|filler| format!("{key}{filler}"));
    for (whole, len) in
        completed.iter().flat_map(|whole| (key.len() + 1..=whole.len()).map(move |len| (whole, len)))
    {
        word_at(whole.get(..len)?, 0, &mut hits);
        // A key by its name alone would be made one by the completion.
        let found = hits.iter().find(|found| {
            found.category.is_secret() && found.span.start() == 0 && found.strength != Strength::Context
        });
        if let Some(found) = found {
            let (category, end) = (found.category, found.span.end());
            return if end > key.len() { hit(category, word.start() + start, text.len()) } else { None };
        }
        hits.clear();
    }
    None
}

/// A quick look that spares identifiers, hashes, numbers and paths the completions.
fn may_be_key(key: &str) -> bool {
    let bytes = key.as_bytes();
    may_begin_word(key)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(|b| b.is_ascii_alphabetic() && !b.is_ascii_hexdigit())
}

/// A card number in groups of four that lacks its last digits.
fn card(text: &str) -> Option<Hit> {
    let tail_start = text.len().saturating_sub(24);
    let tail = text.as_bytes().get(tail_start..)?;
    let length = tail.iter().rev().take_while(|b| b.is_ascii_digit() || matches!(b, b' ' | b'-')).count();
    let start = text.len() - length;
    let run = text.get(start..)?;
    let lead = run.len() - run.trim_start_matches([' ', '-']).len();
    let (start, run) = (start + lead, run.get(lead..)?);
    let before = text.get(..start)?.chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '#')) {
        return None;
    }
    let separator = run.chars().find(|c| !c.is_ascii_digit())?;
    let groups: Vec<&str> = run.split(separator).collect();
    let (last, full) = groups.split_last()?;
    let digits = run.chars().filter(char::is_ascii_digit).count();
    let grouped = full.iter().all(|group| group.len() == 4 && group.bytes().all(|b| b.is_ascii_digit()))
        && (1..=4).contains(&last.len())
        && last.bytes().all(|b| b.is_ascii_digit());
    (grouped && (MIN_CARD_DIGITS..16).contains(&digits) && is_issuer(run))
        .then(|| hit(Category::CreditCard, start, text.len()))
        .flatten()
}

/// True for the leading digits of the issuers whose numbers are written in groups of four.
fn is_issuer(run: &str) -> bool {
    let lead: u32 = run.get(..4).and_then(|lead| lead.parse().ok()).unwrap_or(0);
    matches!(lead, 4000..=4999 | 5100..=5599 | 2221..=2720 | 6011 | 6200..=6299 | 6440..=6599 | 3528..=3589)
}

#[cfg(test)]
mod tests {
    use super::{cut_at_end, end};

    #[test]
    fn remarks_about_what_was_left_out_are_no_part_of_it() {
        for (text, held) in [
            ("signed Marie Dub…", "signed Marie Dub"),
            ("signed Marie Dub...", "signed Marie Dub"),
            ("signed Marie Dub... [truncated]\n", "signed Marie Dub"),
            ("signed Marie Dub\n\n<response truncated, 1234 bytes>", "signed Marie Dub"),
            ("signed Marie Dub [...]", "signed Marie Dub"),
            ("signed Marie Dub … (12 more lines)", "signed Marie Dub"),
            ("signed Marie Dub. ", "signed Marie Dub. "),
            ("f(a, b)", "f(a, b)"),
            ("see [1]", "see [1]"),
            ("...", ""),
            ("]", "]"),
            ("", ""),
        ] {
            assert_eq!(text.get(..end(text)), Some(held), "{text}");
        }
    }

    #[test]
    fn what_is_cut_at_the_end_is_found() {
        for marked in [
            "write to «marie.dubois@exam»",
            "paid with «4111 1111 1111 11»",
            "paid with «5105-1051-0510-5»",
            "use «ghp_R7kQ2mXv9LpT4wZc8NbY1sHd6J»",
            "KEY=«AKIAS6N6LPAAX3»",
        ] {
            let text = marked.replace(['«', '»'], "");
            let hit = cut_at_end(&text).unwrap_or_else(|| panic!("{marked}: nothing found"));
            let (before, found) = (text.get(..hit.span.start()).unwrap(), hit.span.of(&text).unwrap());
            assert_eq!(format!("{before}«{found}»"), marked);
        }
    }

    #[test]
    fn ends_of_other_texts_are_left_alone() {
        for text in [
            "git@github",
            "uses: actions/checkout@v4",
            "pnpm add left-pad@1",
            "ssh root@server",
            "@property",
            "a@",
            "write to marie.dubois@exam ",
            "tel 4111 1111",
            "order 1234 5678 9012 3",
            "v4111 1111 1111 11",
            "4111 1111 1111 11.",
            "the end",
            "ghp_short",
            "x = sk-learn",
            "1700000000000",
            "9fceb02d0ae598e95dc970b74767f19372d61af8",
            "",
            "é",
            "2024-1234-5678-12",
        ] {
            assert!(cut_at_end(text).is_none(), "{text}");
        }
    }
}
