//! Finds tokens in text, however a model has mangled them.
//!
//! In: any text. Out: readings in order: where, which id, does it verify. Read as the same token: any case,
//! `\[`, `%5B`, `&#91;`, blanks inside the brackets, missing brackets, `-`, `\_` or `%5F` for `_`, a plural `s`;
//! where a token is all there is, other brackets around it too; and a token that a soft line break splits. Names with
//! our own domain, which stand where a schema wants an address, belong to it: `email_0_k7q@cloakgate.invalid`; so do
//! UUIDs that verify.
//! Invariant: readings do not overlap; what does not verify is reported only where it is beyond doubt meant as
//! a token (bracketed, or written exactly as we write it), so names such as `PHONE_1` or `person_1_age` are
//! text. One pass, linear: each byte starts at most one attempt of bounded length.
//! Not here: what a token stands for, whether it may be restored.

use cloakgate_vocab::{CHECK_ALPHABET, CHECK_LEN, Category, Span, Spelling, TokenId};
use memchr::memchr3_iter;

use crate::keys::{SessionKeys, TokenStyle};
use crate::stand_in::{self, DOMAIN, UUID_LEN};

mod soft_breaks;

/// Most digits of a number that are read; `u32` has ten.
const MAX_NUMBER_DIGITS: usize = 10;
/// Most letters of a spelling.
const MAX_SPELLING_LETTERS: usize = 7;
/// Most blanks between a bracket and the name.
const MAX_INNER_BLANKS: usize = 3;

const OPENERS: &[&str] = &["\\[", "[", "%5b", "&#91;", "&#x5b;", "&lbrack;", "&lsqb;"];
const CLOSERS: &[&str] = &["\\]", "]", "%5d", "&#93;", "&#x5d;", "&rbrack;", "&rsqb;"];
/// Brackets that models write instead of ours; they belong to the token only where it is all there is.
const OTHER_OPENERS: [char; 9] = ['(', '<', '{', '[', '［', '（', '【', '「', '〈'];
const OTHER_CLOSERS: [char; 9] = [')', '>', '}', ']', '］', '）', '】', '」', '〉'];
/// What joins a name to our domain behind it: an address, an address in a URI, a host.
const JOINTS: &[&str] = &["@", "%40", "."];
/// What stands before our domain in front of a name.
const SCHEMES: &[&str] = &["https://", "http://"];
const SEPARATORS: &[&str] = &["\\_", "_", "-", "%5f"];

/// Whether a reading is a token of this session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Verdict {
    /// The check characters fit: a token of this session.
    Verified,
    /// The form of a token, but not of this session: expired, foreign or mistyped.
    Failing,
}

/// One token in a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Reading {
    /// Where it stands, brackets included.
    pub(crate) span: Span,
    /// What it names.
    pub(crate) id: TokenId,
    /// Whether it is of this session.
    pub(crate) verdict: Verdict,
    /// The token, blanks aside, is the whole text.
    pub(crate) whole: bool,
}

/// Reads all tokens of `text`.
pub(crate) fn read(text: &str, keys: &SessionKeys) -> Vec<Reading> {
    soft_breaks::across(text, read_unbroken(text, keys), |joined| read_unbroken(joined, keys))
}

/// Reads the tokens that no soft line break splits.
fn read_unbroken(text: &str, keys: &SessionKeys) -> Vec<Reading> {
    let bytes = text.as_bytes();
    let mut readings: Vec<Reading> = Vec::new();
    let mut done = 0;
    for mark in memchr3_iter(b'_', b'-', b'%', bytes) {
        let number_start = if bytes.get(mark) == Some(&b'%') {
            if !starts_with(bytes, mark, "%5f") {
                continue;
            }
            mark + 3
        } else {
            mark + 1
        };
        if mark < done || !bytes.get(number_start).is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let reading = match keys.style() {
            TokenStyle::Checked => {
                shape_at(bytes, mark, number_start).and_then(|shape| judge(text, &shape, keys))
            }
            TokenStyle::Plain => plain_at(text, mark, number_start).or_else(|| {
                shape_at(bytes, mark, number_start).and_then(|shape| with_domain(text, &shape, keys))
            }),
        };
        let Some(reading) = reading.or_else(|| uuid_at(text, mark, keys)) else { continue };
        if reading.span.start() >= done {
            done = reading.span.end();
            readings.push(reading);
        }
    }
    readings
}

/// A text that has a token's parts, not yet judged.
struct Shape {
    /// The name without brackets.
    name: Span,
    /// The name with the brackets that stand around it, if both do.
    bracketed: Option<Span>,
    id: TokenId,
    check: [u8; CHECK_LEN],
    /// Category in upper case, rest in lower case, `_` as separator: exactly as written by us.
    as_written: bool,
}

fn judge(text: &str, shape: &Shape, keys: &SessionKeys) -> Option<Reading> {
    if let Some(reading) = with_domain(text, shape, keys) {
        return Some(reading);
    }
    let span = shape.bracketed.unwrap_or(shape.name);
    let verified = keys.check(shape.id) == shape.check;
    if !verified && shape.bracketed.is_none() && (!shape.as_written || glued(text, span)) {
        return None;
    }
    let verdict = if verified { Verdict::Verified } else { Verdict::Failing };
    let (span, whole) = whole_text(text, span, shape.bracketed.is_some());
    Some(Reading { span, id: shape.id, verdict, whole })
}

/// A name with our own domain around it: only meant as a stand-in, whether it verifies or not.
fn with_domain(text: &str, shape: &Shape, keys: &SessionKeys) -> Option<Reading> {
    let span = domain_around(text.as_bytes(), shape.name)?;
    let verdict = if keys.check(shape.id) == shape.check { Verdict::Verified } else { Verdict::Failing };
    let (span, whole) = whole_text(text, span, true);
    Some(Reading { span, id: shape.id, verdict, whole })
}

/// The name with `https://cloakgate.invalid/` before it, or `@` or `.` and our domain after it.
fn domain_around(bytes: &[u8], name: Span) -> Option<Span> {
    if let Some(mark) = JOINTS.iter().find(|joint| starts_with(bytes, name.end(), joint))
        && starts_with(bytes, name.end() + mark.len(), DOMAIN)
    {
        let end = name.end() + mark.len() + DOMAIN.len();
        let goes_on = continues_word(bytes, end)
            || bytes.get(end) == Some(&b'-')
            || (bytes.get(end) == Some(&b'.') && continues_word(bytes, end + 1));
        return if goes_on { None } else { Span::new(name.start(), end) };
    }
    let slash = name.start().checked_sub(1).filter(|at| bytes.get(*at) == Some(&b'/'))?;
    let host = slash.checked_sub(DOMAIN.len()).filter(|at| starts_with(bytes, *at, DOMAIN))?;
    let scheme = SCHEMES.iter().find(|scheme| ends_with(bytes, host, scheme))?;
    let start = host - scheme.len();
    if continues_word(bytes, name.end()) || word_before(bytes, start) {
        return None;
    }
    Span::new(start, name.end())
}

/// The UUID whose third group starts after `mark`, if it verifies.
fn uuid_at(text: &str, mark: usize, keys: &SessionKeys) -> Option<Reading> {
    let bytes = text.as_bytes();
    let start = mark.checked_sub(13)?;
    let end = start + UUID_LEN;
    if bytes.get(mark) != Some(&b'-')
        || bytes.get(mark + 1) != Some(&b'8')
        || bytes.get(mark + 5) != Some(&b'-')
    {
        return None;
    }
    if word_before(bytes, start) || continues_word(bytes, end) {
        return None;
    }
    let id = stand_in::read_uuid(text.get(start..end)?, keys)?;
    let (span, whole) = whole_text(text, Span::new(start, end)?, true);
    Some(Reading { span, id, verdict: Verdict::Verified, whole })
}

/// Where the token is all there is but for blanks, and, if it lost its own brackets, others around it, the
/// whole text is the token.
fn whole_text(text: &str, span: Span, bracketed: bool) -> (Span, bool) {
    let before = text.get(..span.start()).unwrap_or_default();
    let after = text.get(span.end()..).unwrap_or_default();
    if before.is_empty() && after.is_empty() {
        return (span, true);
    }
    let around = |outside: &str, brackets: &[char]| {
        outside.chars().count() <= 2 * MAX_INNER_BLANKS
            && outside.chars().filter(|c| brackets.contains(c)).count() <= 1
            && outside.chars().all(|c| c == ' ' || brackets.contains(&c))
    };
    if !bracketed && around(before, &OTHER_OPENERS) && around(after, &OTHER_CLOSERS) {
        return (Span::sized(0, text.len()), true);
    }
    (span, before.trim().is_empty() && after.trim().is_empty())
}

/// A token of plain style: bracketed, a category and a number. Whether it is one the vault says.
fn plain_at(text: &str, mark: usize, number_start: usize) -> Option<Reading> {
    let bytes = text.as_bytes();
    let (category, start) = category_before(bytes, separator_start(bytes, mark))?;
    let (number, end) = number_at(bytes, number_start)?;
    let span = brackets_around(bytes, Span::new(start, end)?)?;
    let id = TokenId { category, number, spelling: Spelling::new(0) };
    let (span, whole) = whole_text(text, span, true);
    Some(Reading { span, id, verdict: Verdict::Verified, whole })
}

/// Where the separator at `mark` starts: in `\_` the backslash belongs to it.
fn separator_start(bytes: &[u8], mark: usize) -> usize {
    if mark > 0 && bytes.get(mark - 1) == Some(&b'\\') { mark - 1 } else { mark }
}

/// The number that starts at `start`, and its end.
fn number_at(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let digits = run(bytes, start, MAX_NUMBER_DIGITS, u8::is_ascii_digit);
    let text = std::str::from_utf8(bytes.get(start..start + digits)?).ok()?;
    if digits > 1 && text.starts_with('0') {
        return None;
    }
    Some((text.parse().ok()?, start + digits))
}

/// Reads the parts around the separator at `mark`, which stands before the number.
fn shape_at(bytes: &[u8], mark: usize, number_start: usize) -> Option<Shape> {
    let category_end = separator_start(bytes, mark);
    let (category, start) = category_before(bytes, category_end)?;
    let (number, letters_start) = number_at(bytes, number_start)?;
    let letters = run(bytes, letters_start, MAX_SPELLING_LETTERS, u8::is_ascii_alphabetic);
    let letters_text = std::str::from_utf8(bytes.get(letters_start..letters_start + letters)?).ok()?;
    let spelling = Spelling::from_letters(letters_text)?;
    let separator = letters_start + letters;
    let check_start = separator + SEPARATORS.iter().find(|s| starts_with(bytes, separator, s))?.len();
    let mut check = [0u8; CHECK_LEN];
    for (slot, byte) in check.iter_mut().zip(bytes.get(check_start..check_start + CHECK_LEN)?) {
        *slot = byte.to_ascii_lowercase();
    }
    if !check.iter().all(|byte| CHECK_ALPHABET.contains(byte)) {
        return None;
    }
    let end = end_of_name(bytes, check_start + CHECK_LEN)?;
    let name = Span::new(start, end)?;
    let written = bytes.get(start..end)?;
    let as_written = written
        .get(category_end - start..)
        .is_some_and(|rest| rest.iter().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() || *b == b'_'))
        && written.iter().take(category_end - start).all(|b| b.is_ascii_uppercase() || *b == b'_');
    let bracketed = brackets_around(bytes, name);
    if bracketed.is_none() && end != check_start + CHECK_LEN {
        // The plural of a bare token: the `s` stays as text.
        return Some(Shape {
            name: Span::new(start, check_start + CHECK_LEN)?,
            bracketed,
            id: TokenId { category, number, spelling },
            check,
            as_written,
        });
    }
    Some(Shape { name, bracketed, id: TokenId { category, number, spelling }, check, as_written })
}

/// Where the name ends: at a character that cannot continue it. A plural `s` may follow.
fn end_of_name(bytes: &[u8], end: usize) -> Option<usize> {
    if !continues_word(bytes, end) {
        return Some(end);
    }
    let plural =
        bytes.get(end).is_some_and(|b| b.eq_ignore_ascii_case(&b's')) && !continues_word(bytes, end + 1);
    plural.then_some(end + 1)
}

/// The category whose name ends at `end`, and where it starts; it must start a word. Of two, `IP-ADDRESS` and
/// `ADDRESS`, it is the longer one.
fn category_before(bytes: &[u8], end: usize) -> Option<(Category, usize)> {
    let last = bytes.get(end.checked_sub(1)?)?.to_ascii_uppercase();
    if !last.is_ascii_uppercase() {
        return None;
    }
    Category::all()
        .filter(|category| category.name().as_bytes().last() == Some(&last))
        .filter_map(|category| Some((category, name_before(bytes, end, category.name())?)))
        .filter(|(_, start)| !word_before(bytes, *start))
        .min_by_key(|(_, start)| *start)
}

/// Where `name`, read backwards from `end`, starts.
fn name_before(bytes: &[u8], end: usize, name: &str) -> Option<usize> {
    let mut at = end;
    for wanted in name.bytes().rev() {
        if wanted == b'_' {
            let separator = SEPARATORS.iter().find(|s| ends_with(bytes, at, s))?;
            at -= separator.len();
        } else {
            at = at.checked_sub(1)?;
            if bytes.get(at)?.to_ascii_uppercase() != wanted {
                return None;
            }
        }
    }
    Some(at)
}

/// Both brackets around a name, with blanks inside.
fn brackets_around(bytes: &[u8], name: Span) -> Option<Span> {
    let mut start = name.start();
    for _ in 0..MAX_INNER_BLANKS {
        if start > 0 && bytes.get(start - 1) == Some(&b' ') {
            start -= 1;
        }
    }
    let start = start - OPENERS.iter().find(|opener| ends_with(bytes, start, opener))?.len();
    let mut end = name.end();
    for _ in 0..MAX_INNER_BLANKS {
        if bytes.get(end) == Some(&b' ') {
            end += 1;
        }
    }
    let end = end + CLOSERS.iter().find(|closer| starts_with(bytes, end, closer))?.len();
    Span::new(start, end)
}

fn run(bytes: &[u8], start: usize, max: usize, belongs: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().skip(start).take(max + 1).take_while(|byte| belongs(byte)).count().min(max)
}

fn starts_with(bytes: &[u8], at: usize, text: &str) -> bool {
    bytes.get(at..at + text.len()).is_some_and(|found| found.eq_ignore_ascii_case(text.as_bytes()))
}

fn ends_with(bytes: &[u8], end: usize, text: &str) -> bool {
    end.checked_sub(text.len()).is_some_and(|start| starts_with(bytes, start, text))
}

/// True when the byte at `at` would continue a word in ASCII. Letters of other scripts need no blank before a
/// name, so they do not.
fn continues_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// True when a letter of another script is glued to the span: then only what verifies is a token.
fn glued(text: &str, span: Span) -> bool {
    let before = text.get(..span.start()).and_then(|before| before.chars().next_back());
    let after = text.get(span.end()..).and_then(|after| after.chars().next());
    [before, after].into_iter().flatten().any(char::is_alphanumeric)
}

/// True when a word runs into `at` from the left. The hex digits of a percent escape are no word.
fn word_before(bytes: &[u8], at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else { return false };
    let escape = at.checked_sub(3).and_then(|start| bytes.get(start..at)).is_some_and(
        |escape| matches!(escape, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit()),
    );
    !escape && continues_word(bytes, last)
}

#[cfg(test)]
mod tests;
