//! Post codes by their form.
//!
//! In: a text that should begin with a post code. Out: its length and on which side of a place it stands. Forms:
//! `data/post_codes.txt`. Not here: whether the words around it make it one (`address`).

use std::sync::LazyLock;

use crate::address::kinds::{Kind, kind_of};
use crate::address::tokens::LEFT;

/// Longest form in bytes.
const MAX_CODE_BYTES: usize = 10;

/// Longest word in small letters that is looked up before a code.
const MAX_SMALL_BYTES: usize = 16;

/// A post code at the start of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct PostCode {
    /// Length in bytes.
    pub(crate) len: usize,
    /// Whether a form alone tells it from other numbers.
    pub(crate) telling: bool,
    /// Whether it is four digits, as years and many other numbers are.
    pub(crate) short: bool,
}

/// On which side of a place a code stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Side {
    /// `69003 Lyon`.
    Before,
    /// `Springfield 62704`.
    After,
}

/// A form, and the same with four bits for each sign.
struct Form {
    signs: &'static [u8],
    packed: u64,
    mask: u64,
}

struct Forms {
    before: Vec<Form>,
    after: Vec<Form>,
    states: Vec<&'static str>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let line = |name: &str| {
        include_str!("../../data/post_codes.txt")
            .lines()
            .filter_map(move |line| line.split_once(": ").filter(|(head, _)| *head == name))
            .flat_map(|(_, forms)| forms.split(' '))
            .collect::<Vec<_>>()
    };
    let form = |signs: &'static str| {
        let mask = (1 << (4 * signs.len())) - 1;
        let class = |sign: u8| match sign {
            b'N' => class(b'0'),
            b'_' => class(b' '),
            sign => class(sign),
        };
        Form { signs: signs.as_bytes(), packed: packed(signs.bytes().map(class)), mask }
    };
    let forms = |name: &str| line(name).into_iter().map(form).collect();
    Forms { before: forms("before"), after: forms("after"), states: line("states") }
});

/// True for `IL`, `NSW`, `ON`, `AE`: abbreviations that stand before a post code.
pub(crate) fn is_state(word: &str) -> bool {
    matches!(word.len(), 2 | 3) && FORMS.states.contains(&word)
}

/// The longest post code at the start of the text.
pub(crate) fn code_at(text: &str, side: Side) -> Option<PostCode> {
    // Every form begins with a digit or a capital.
    if !text.bytes().next().is_some_and(|first| first.is_ascii_digit() || first.is_ascii_uppercase()) {
        return None;
    }
    let forms = if side == Side::Before { &FORMS.before } else { &FORMS.after };
    let shape = packed(text.bytes().take(MAX_CODE_BYTES).map(class));
    let form = forms
        .iter()
        .filter(|form| shape & form.mask == form.packed)
        .filter(|form| text.get(form.signs.len()..).is_some_and(ends))
        .max_by_key(|form| form.signs.len())?
        .signs;
    debug_assert!(form.len() <= MAX_CODE_BYTES);
    let digits = form.iter().all(|sign| *sign == b'N');
    Some(PostCode { len: form.len(), telling: !digits, short: digits && form.len() == 4 })
}

/// False when no post code of an address is at a place, as the signs around it show without reading more.
pub(crate) fn may_stand(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    match start.checked_sub(1).and_then(|at| bytes.get(at)) {
        // A country may stand before the hyphen; a number that the hyphen joins is no code.
        Some(b'-') => return !joins_number(bytes.get(..start - 1).unwrap_or_default()),
        // A word that is no part of an address ends before it.
        Some(b' ') if !ends_with_part(bytes.get(..start).unwrap_or_default()) => return false,
        Some(b' ') => {}
        _ => return false,
    }
    let Some(rest) = text.get(start..) else { return false };
    if follows_numbers_alone(bytes.get(..start).unwrap_or_default()) {
        return false;
    }
    code_at(rest, Side::After).is_some()
        || code_at(rest, Side::Before)
            .is_some_and(|code| begins_place(bytes.get(start + code.len..).unwrap_or_default()))
}

/// True when no name can be a part before a place: back to where the address must have begun stand numbers, marks and
/// codes such as `DE89` alone.
fn follows_numbers_alone(head: &[u8]) -> bool {
    let floor = head.len().saturating_sub(LEFT);
    let (mut at, mut coded, mut joined) = (head.len(), false, false);
    while at > floor
        && let Some(byte) = head.get(at - 1)
    {
        match byte {
            b'0'..=b'9' | b' ' | b'-' | b'.' | b'\n' | b'\r' | b'?' | b'(' | b')' | b'#' => at -= 1,
            // The number of a plot may stand before a name: `51/03, Bhat Nagar`.
            b'/' | b',' => {
                joined = true;
                at -= 1;
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let letters = |byte: &u8| byte.is_ascii_alphanumeric();
                let right = head.get(at..).unwrap_or_default().iter().copied().take_while(letters).count();
                let run = head.get(floor..at + right).unwrap_or_default();
                let len = run.iter().copied().rev().take_while(letters).count();
                let (before, word) = run.split_at(run.len() - len);
                match before.last() {
                    // A word that is cut is not read.
                    None if floor > 0 => break,
                    None | Some(b' ' | b'\n') => {}
                    Some(_) => return false,
                }
                let code =
                    word.first().is_some_and(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_digit);
                if !code {
                    return is_small_word(word) && !follows_accents(before) && !(coded && joined);
                }
                coded = true;
                at = floor + before.len();
            }
            0x80.. => return false,
            // No part of an address goes on over another mark.
            _ => break,
        }
    }
    !(coded && joined)
}

/// Whether the last word of a text has a letter outside ASCII: a small word may go on with a name such as `Mlynské`.
fn follows_accents(head: &[u8]) -> bool {
    let word =
        head.iter().rev().skip_while(|byte| **byte == b' ').take_while(|byte| !matches!(byte, b' ' | b'\n'));
    word.into_iter().any(|byte| !byte.is_ascii())
}

/// A word in small letters without a meaning in addresses.
fn is_small_word(word: &[u8]) -> bool {
    (2..MAX_SMALL_BYTES).contains(&word.len())
        && word.iter().all(u8::is_ascii_lowercase)
        && std::str::from_utf8(word).is_ok_and(|word| kind_of(word) == Kind::default())
}

/// Whether a number of one or two parts, joined by hyphens and slashes, ends before a hyphen: `202`, `1-202`.
fn joins_number(head: &[u8]) -> bool {
    let behind_digits =
        |head: &[u8]| head.len() - head.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let starts = |at: usize| match at.checked_sub(1).and_then(|at| head.get(at)) {
        Some(byte) => !byte.is_ascii_alphanumeric() && byte.is_ascii() && !matches!(byte, b'-' | b'/' | b'.'),
        None => true,
    };
    let last = behind_digits(head);
    if last == head.len() {
        return false;
    }
    if starts(last) {
        return true;
    }
    let Some([before @ .., b'-' | b'/']) = head.get(..last) else { return false };
    let first = behind_digits(before);
    first < before.len() && starts(first)
}

/// Whether a place may follow: a letter behind blanks and one comma.
fn begins_place(rest: &[u8]) -> bool {
    let mut signs = rest.iter().copied().filter(|byte| !matches!(byte, b' ' | b'\r' | 0x0b | 0x0c));
    let first = signs.next();
    let sign = if first == Some(b',') { signs.next() } else { first };
    sign.is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
}

/// Whether a part of an address may end before a place: no small word without a meaning in addresses stands there.
fn ends_with_part(head: &[u8]) -> bool {
    let Some(head) = head.strip_suffix(b" ") else { return true };
    let word = head.iter().rev().take(MAX_SMALL_BYTES).take_while(|byte| byte.is_ascii_lowercase()).count();
    let (head, word) = head.split_at(head.len() - word);
    // Only a word of ASCII that begins behind a blank is surely one by itself.
    if word.len() < 2 || word.len() == MAX_SMALL_BYTES || head.last() != Some(&b' ') {
        return true;
    }
    std::str::from_utf8(word).is_ok_and(|word| kind_of(word) != Kind::default())
}

/// What a byte is in a form; nothing that a form holds is 0.
const fn class(byte: u8) -> u64 {
    match byte {
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b' ' => 3,
        b'-' => 4,
        _ => 0,
    }
}

fn packed(classes: impl Iterator<Item = u64>) -> u64 {
    classes.enumerate().fold(0, |all, (at, class)| all | class << (4 * at))
}

/// Whether a code may end before this.
fn ends(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        None => true,
        Some('.') => !chars.next().is_some_and(char::is_alphanumeric),
        Some(',') => !chars.next().is_some_and(|c| c.is_ascii_digit()),
        Some('-') => chars.next().is_none_or(char::is_whitespace),
        Some(c) => !c.is_alphanumeric() && !matches!(c, '_' | ':' | '%' | '=' | '/' | '@' | '°'),
    }
}

/// True for `1998` and the like.
pub(crate) fn is_year(text: &str) -> bool {
    text.get(..2).is_some_and(|century| matches!(century, "18" | "19" | "20"))
        && text.bytes().take_while(u8::is_ascii_digit).count() == 4
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "codes are ASCII")]
mod tests {
    use super::{Side, code_at, is_state, is_year};

    #[test]
    fn codes_of_many_countries_are_read() {
        for (text, side, code) in [
            ("69003 Lyon", Side::Before, "69003"),
            ("62704-1234", Side::After, "62704-1234"),
            ("SW1A 1AA, UK", Side::After, "SW1A 1AA"),
            ("1012 AB Amsterdam", Side::Before, "1012 AB"),
            ("8566PZ, Zandhuizen", Side::Before, "8566PZ"),
            ("K1A 0B1", Side::After, "K1A 0B1"),
            ("00-238 Warszawa", Side::Before, "00-238"),
            ("110 00 Praha", Side::Before, "110 00"),
            ("01310-100", Side::After, "01310-100"),
            ("D02 X285", Side::After, "D02 X285"),
            ("L-1009 Luxembourg", Side::Before, "L-1009"),
            ("C1425ABC", Side::After, "C1425ABC"),
            ("69003.", Side::After, "69003"),
            ("69003.5", Side::After, ""),
            ("69003:80", Side::After, ""),
            ("12,345", Side::After, ""),
            ("12345%", Side::After, ""),
            ("abc", Side::Before, ""),
            ("", Side::Before, ""),
        ] {
            let found = code_at(text, side).map_or("", |code| &text[..code.len]);
            assert_eq!(found, code, "{text}");
        }
        assert!(is_state("IL") && !is_state("ZZ") && is_year("1998") && !is_year("69003"));
    }
}
