//! Where a secret ends that stands in a text without quotes.
//!
//! In: a text that begins with the secret. Out: the secret, or its border: a blank, a closing quote, a tag, the next field
//! of a form or setting of a connection string. Marks inside belong to it; a comma, semicolon or bracket at its end does
//! not. Invariant: each byte is read once. Not here: whether it is a secret (`credentials`).

use crate::work;

/// The word that a secret is, at the start of the text: up to a blank, quote or tag, without a final comma,
/// semicolon or bracket.
pub(crate) fn secret_word(text: &str) -> &str {
    let word = text.get(..secret_border(text, 0)).unwrap_or_default();
    // `def read(self, pwd=None):`
    let word = word.strip_suffix(':').filter(|word| word.ends_with(')')).unwrap_or(word);
    let mut word = word;
    while let Some(last) = word.chars().next_back().filter(|c| matches!(c, ',' | ';' | ')' | ']' | '}')) {
        let opens = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => '\0',
        };
        // A bracket that closes one inside the value is part of it.
        if opens != '\0' && word.matches(opens).count() >= word.matches(last).count() {
            break;
        }
        word = word.get(..word.len() - 1).unwrap_or_default();
    }
    word.trim_end_matches('.')
}

/// The first border of a secret at `from` or after it.
pub(crate) fn secret_border(text: &str, from: usize) -> usize {
    let tail = text.get(from..).unwrap_or_default();
    // Most characters of a secret are no marks.
    let plain = |byte: &u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'&' | b'\'' | b';' | b'<' | b'`' | b'|')
    };
    let skipped = tail.bytes().position(|byte| !plain(&byte)).unwrap_or(tail.len());
    let tail = tail.get(skipped..).unwrap_or_default();
    let border = tail
        .char_indices()
        .find(|(at, c)| {
            let rest = || tail.get(*at..).unwrap_or_default();
            match c {
                '&' => begins_field(rest()),
                ';' => begins_setting(rest()),
                '<' => begins_tag(rest()),
                // A mark inside a value is part of it; one that ends it stands before a border.
                '"' | '\'' | '`' | '|' => {
                    let head = text.get(..from + *at).unwrap_or_default();
                    head.ends_with([',', ':', '=', '(', '[', '{', ';'])
                        || !rest().chars().nth(1).is_some_and(char::is_alphanumeric)
                }
                _ => c.is_whitespace(),
            }
        })
        .map_or(text.len(), |(at, _)| from + skipped + at);
    work::count(border - from.min(border));
    border
}

/// `<br>`, `</td>`: a tag ends a value.
fn begins_tag(text: &str) -> bool {
    let inner = text.get(1..).unwrap_or_default();
    let close = || memchr::memchr(b'>', inner.as_bytes().get(..80).unwrap_or(inner.as_bytes()));
    inner.starts_with('/') || (inner.starts_with(|c: char| c.is_ascii_alphabetic()) && close().is_some())
}

/// `;Encrypt=true`, `; Max Pool Size=5`: the next setting of a connection string.
fn begins_setting(text: &str) -> bool {
    let name =
        text.bytes().skip(1).take(32).take_while(|byte| byte.is_ascii_alphabetic() || *byte == b' ').count();
    name > 2 && text.as_bytes().get(name + 1) == Some(&b'=')
}

/// `&name=` of a form, or `&amp;`.
fn begins_field(text: &str) -> bool {
    let name = text
        .bytes()
        .skip(1)
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    match text.as_bytes().get(name + 1) {
        Some(b'=') => name > 0,
        Some(b';') => {
            matches!(text.get(1..=name), Some("amp" | "lt" | "gt" | "quot" | "apos" | "nbsp"))
        }
        _ => false,
    }
}

/// True when nothing but marks stands before the end of the line or a comment.
pub(crate) fn ends_statement(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ',', ';', '.', '"', '\'', ')']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '#'])
}
