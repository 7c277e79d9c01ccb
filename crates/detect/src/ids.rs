//! Where an identifier begins and ends, once a key has said that there is one.
//!
//! In: a text that should begin with an identifier. Out: its place and how many digits it has. Forms: groups of
//! digits and capitals, joined by single blanks, dashes, dots or slashes. Not here: check digits.

use crate::birth::date_prefix;

/// Longest identifier in bytes.
const MAX_ID_BYTES: usize = 40;

/// Place of an identifier in a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct IdPrefix {
    /// First byte: `#` and `+` may stand before the first letter or digit.
    pub(crate) start: usize,
    /// Length in bytes.
    pub(crate) len: usize,
    /// Number of digits.
    pub(crate) digits: usize,
}

/// An identifier of digits and letters.
pub(crate) fn id_prefix(text: &str) -> Option<IdPrefix> {
    let start = text.find(|c: char| c != '#' && c != ' ').filter(|start| *start <= 3)?;
    let body = text.get(start..)?;
    // `0x2000` is a number of a machine.
    if body.starts_with("0x") {
        return None;
    }
    let mut len = 0;
    let mut digits = 0;
    let lead = foreign_letters(body);
    let mut at = lead;
    loop {
        let group = body.get(at..)?;
        let group = group.get(..group.bytes().take_while(u8::is_ascii_alphanumeric).count())?;
        let count = group.bytes().filter(u8::is_ascii_digit).count();
        let separator = at.checked_sub(1).and_then(|before| body.as_bytes().get(before).copied());
        if group.is_empty() || !belongs(group, count, separator, at == 0) {
            break;
        }
        digits += count;
        at += group.len();
        len = at;
        match body.as_bytes().get(at) {
            Some(b' ' | b'-' | b'.' | b'/') => at += 1,
            _ => break,
        }
        if at > MAX_ID_BYTES {
            return None;
        }
    }
    // `A123456(3)`: the check digit in brackets.
    let bracketed = matches!(body.as_bytes().get(len..len + 3), Some([b'(', check, b')']) if check.is_ascii_alphanumeric());
    if bracketed && body.starts_with(|c: char| c.is_ascii_uppercase()) && digits > 5 {
        len += 3;
        digits += 1;
    }
    let id = body.get(..len)?;
    // Part of a longer word, of a path, or of an address of mail or machines.
    let glued =
        body.get(len..)?.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | ':' | '\\'));
    let date = date_prefix(id).is_some_and(|date| date.len == id.len() && id.contains(['-', '/', '.']));
    (len >= 3 && !glued && !date && !is_uuid(id)).then_some(IdPrefix { start, len, digits })
}

/// Length of one to three capitals outside ASCII before digits, with the blank behind them: `ΑΒ 123456`, `ТТ123456`.
fn foreign_letters(body: &str) -> usize {
    let letters = body.chars().take(4).take_while(|c| !c.is_ascii() && c.is_uppercase());
    let (count, len) = letters.fold((0, 0), |(count, len), c| (count + 1, len + c.len_utf8()));
    let rest = body.get(len..).unwrap_or_default();
    let inner = rest.strip_prefix([' ', '-']).unwrap_or(rest);
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&count) && digits >= 4 { body.len() - inner.len() } else { 0 }
}

/// Whether a group goes on with an identifier.
fn belongs(group: &str, digits: usize, separator: Option<u8>, first: bool) -> bool {
    let capitals = group.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    match separator {
        _ if first => capitals || digits * 2 >= group.len(),
        // After a blank: digits, or a short group of capitals (`ZZ 06 68 92 T`).
        Some(b' ') => capitals && (digits > 0 || group.len() <= 2),
        _ => capitals || digits > 0,
    }
}

/// Length of a number plate at the start of a text: up to five short groups of capitals, of letters of scripts without
/// case and of digits, joined by a blank, dash or dot.
pub(crate) fn plate_prefix(text: &str) -> Option<usize> {
    let part = |c: &char| c.is_numeric() || (c.is_alphabetic() && !c.is_lowercase());
    let (mut len, mut count, mut digits, mut at) = (0, 0, 0, 0);
    for _ in 0..5 {
        let group = text.get(at..)?;
        let end: usize = group.chars().take(9).take_while(part).map(char::len_utf8).sum();
        let rest = group.get(end..)?;
        if end == 0 || rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            break;
        }
        count += group.get(..end)?.chars().count();
        digits += group.get(..end)?.chars().filter(|c| c.is_numeric()).count();
        len = at + end;
        let Some(mark) = rest.chars().next().filter(|c| matches!(c, ' ' | '-' | '.' | '•' | '·')) else {
            break;
        };
        at = len + mark.len_utf8();
    }
    ((4..=10).contains(&count) && digits > 0 && digits < 8).then_some(len)
}

fn is_uuid(id: &str) -> bool {
    id.len() == 36 && id.split('-').map(str::len).eq([8, 4, 4, 4, 12])
}

/// A number as phones and cards are written, with an extension.
pub(crate) fn digits_prefix(text: &str) -> Option<IdPrefix> {
    let start = text.find(|c: char| c != ' ').filter(|start| *start <= 2)?;
    let body = text.get(start..)?;
    let mut len = 0;
    let mut digits = 0;
    let mut last = b' ';
    for (at, byte) in body.bytes().enumerate().take(MAX_ID_BYTES) {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                len = at + 1;
            }
            b'x' | b'X' if digits > 5 && last.is_ascii_digit() => {}
            b'+' | b'(' | b')' | b'-' | b'.' | b'/' | b' '
                if last != byte || byte == b' ' && last != b' ' => {}
            _ => break,
        }
        last = byte;
    }
    let after = body.get(len..)?;
    let glued = after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | ':'));
    let opened = body.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '(');
    let id = body.get(..len)?;
    let date = date_prefix(id).is_some_and(|date| date.len == id.len() && id.contains(['-', '/', '.']));
    (digits > 0 && opened && !glued && !date).then_some(IdPrefix { start, len, digits })
}

/// True for `69003`, `HS71 8SZ`, `5876WP`, `05083-871`.
pub(crate) fn is_post_code(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let alphabet = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-'));
    // `amd64`, `u32`: letters of post codes are capitals, or stand in two groups as in `sw1a 1aa`.
    let capitals = !value.bytes().any(|byte| byte.is_ascii_lowercase()) || value.contains(' ');
    (3..=10).contains(&value.len())
        && alphabet
        && digits >= 2
        && letters <= 5
        && capitals
        && !value.starts_with("0X")
}

/// Length of the post code at the start of a text.
pub(crate) fn post_code_prefix(text: &str) -> Option<usize> {
    let word = |at: usize| {
        text.get(at..).map_or(0, |rest| {
            rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count()
        })
    };
    let first = word(0);
    let second = word(first + 1);
    let both = first + 1 + second;
    let two = second > 0
        && text.as_bytes().get(first) == Some(&b' ')
        && text
            .get(first + 1..both)
            .is_some_and(|group| group.bytes().all(|byte| !byte.is_ascii_lowercase()))
        && text.get(..both).is_some_and(|code| {
            let pair = first == 3 && second == 2 && code.bytes().all(|b| b.is_ascii_digit() || b == b' ');
            pair || (is_post_code(code) && code.bytes().any(|byte| byte.is_ascii_uppercase()))
        });
    if two {
        return Some(both);
    }
    text.get(..first).is_some_and(is_post_code).then_some(first)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{digits_prefix, id_prefix, plate_prefix, post_code_prefix};

    #[test]
    fn identifiers_end_before_the_next_word() {
        for (text, id) in [
            ("AHC-0933289 and", "AHC-0933289"),
            ("#88291-LK were", "88291-LK"),
            ("ZZ 06 68 92 T;", "ZZ 06 68 92 T"),
            ("764 033 619", "764 033 619"),
            ("23.930.938-0", "23.930.938-0"),
            ("A123456(3), or", "A123456(3)"),
            ("041004A220S", "041004A220S"),
            ("2024-01-05", ""),
            ("abc", ""),
            ("12345@example.org", ""),
            ("ΑΒ 123456 and", "ΑΒ 123456"),
            ("ТТ123456", "ТТ123456"),
            ("ΑΒ 12", ""),
            ("0f46d894-6e3c-4375-aa0b-a8fe17c30f5f", ""),
            ("", ""),
        ] {
            let found = id_prefix(text).map_or("", |id| &text[id.start..id.start + id.len]);
            assert_eq!(found, id, "{text}");
        }
    }

    #[test]
    fn numbers_take_their_extension() {
        for (text, number) in [
            ("(994)606-6512x2552 now", "(994)606-6512x2552"),
            ("+49(0) 753849402", "+49(0) 753849402"),
            ("312-345", "312-345"),
            ("2024-01-05", ""),
            ("12ab", ""),
        ] {
            let found = digits_prefix(text).map_or("", |id| &text[id.start..id.start + id.len]);
            assert_eq!(found, number, "{text}");
        }
        for (text, plate) in [
            ("878 BIE", "878 BIE"),
            ("SH-TQ-1, red", "SH-TQ-1"),
            ("28소8691", "28소8691"),
            ("WA1 2345 parked", "WA1 2345"),
            ("yes 12", ""),
            ("AB", ""),
            ("2HGEG657XLH512345", ""),
        ] {
            let found = plate_prefix(text).and_then(|len| text.get(..len)).unwrap_or_default();
            assert_eq!(found, plate, "{text}");
        }
        assert_eq!(post_code_prefix("HS71 8SZ, UK"), Some(8));
        assert_eq!(post_code_prefix("69003 Lyon"), Some(5));
        assert_eq!(post_code_prefix("files"), None);
    }
}
