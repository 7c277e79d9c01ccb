//! Post codes by their form.
//!
//! In: a text that should begin with a post code. Out: its length and on which side of a place it stands. Forms:
//! `data/post_codes.txt`. Not here: whether the words around it make it one (`address`).

use std::sync::LazyLock;

/// Longest form in bytes.
const MAX_CODE_BYTES: usize = 10;

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

struct Forms {
    before: Vec<&'static [u8]>,
    after: Vec<&'static [u8]>,
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
    let bytes = |name: &str| line(name).into_iter().map(str::as_bytes).collect();
    Forms { before: bytes("before"), after: bytes("after"), states: line("states") }
});

/// True for `IL`, `NSW`, `ON`, `AE`: abbreviations that stand before a post code.
pub(crate) fn is_state(word: &str) -> bool {
    matches!(word.len(), 2 | 3) && FORMS.states.contains(&word)
}

/// The longest post code at the start of the text.
pub(crate) fn code_at(text: &str, side: Side) -> Option<PostCode> {
    let forms = if side == Side::Before { &FORMS.before } else { &FORMS.after };
    let bytes = text.as_bytes();
    let form = forms
        .iter()
        .filter(|form| {
            form.iter().enumerate().all(|(at, sign)| bytes.get(at).is_some_and(|byte| fits(*sign, *byte)))
        })
        .filter(|form| text.get(form.len()..).is_some_and(ends))
        .max_by_key(|form| form.len())?;
    debug_assert!(form.len() <= MAX_CODE_BYTES);
    let digits = form.iter().all(|sign| *sign == b'N');
    Some(PostCode { len: form.len(), telling: !digits, short: digits && form.len() == 4 })
}

const fn fits(sign: u8, byte: u8) -> bool {
    match sign {
        b'N' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        b'_' => byte == b' ',
        sign => sign == byte,
    }
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
