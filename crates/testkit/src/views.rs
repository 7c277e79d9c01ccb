//! Looks for a planted value in what somebody received, however it is written there.
//!
//! In: lines, whole. Out: whether the value can be read from them. Invariant: a text is looked at as it is, decoded
//! (JSON escapes, percent, base64, HTML entities of digits), without case, in compatibility form and by its digits
//! alone; strings that hold JSON are opened. It reads with other means than the code under test does.
//! Not here: values.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

/// Texts inside texts are opened this deep.
const MAX_DEPTH: u32 = 4;
/// Digits that a value must have to be looked for by them.
const MIN_DIGITS: usize = 8;

/// A value that must not be readable.
#[derive(Clone, Debug)]
pub struct Watch {
    folded: String,
    digits: Option<String>,
}

impl Watch {
    /// Watches for a value in any of its forms.
    #[must_use]
    pub fn new(value: &str) -> Self {
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let letters = value.chars().filter(|c| c.is_alphabetic()).count();
        let mostly_digits = letters <= 4 && digits.len() >= MIN_DIGITS;
        Self { folded: folded(value), digits: mostly_digits.then_some(digits) }
    }

    /// True when the value can be read from a line of JSON, or from any other text.
    #[must_use]
    pub fn sees(&self, line: &str) -> bool {
        self.in_text(line, 0)
    }

    fn in_text(&self, text: &str, depth: u32) -> bool {
        if self.in_plain(text) {
            return true;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
            return self.in_value(&value, depth);
        }
        percent_decoded(text).is_some_and(|text| self.in_text(&text, depth + 1))
            || base64_runs(text)
                .any(|run| base64_decoded(run).is_some_and(|text| self.in_text(&text, depth + 1)))
    }

    fn in_plain(&self, text: &str) -> bool {
        let folded = folded(text);
        folded.contains(&self.folded)
            || self.digits.as_ref().is_some_and(|digits| {
                folded.chars().filter(char::is_ascii_digit).collect::<String>().contains(digits)
            })
    }

    fn in_value(&self, value: &Value, depth: u32) -> bool {
        match value {
            Value::String(text) => self.in_text(text, depth + 1),
            Value::Number(number) => self.in_plain(&number.to_string()),
            Value::Array(items) => {
                // Neighbours are read as one text as well, as a model reads blocks.
                let texts: String = items.iter().filter_map(|item| item.get("text")?.as_str()).collect();
                (items.len() > 1 && self.in_plain(&texts))
                    || items.iter().any(|item| self.in_value(item, depth))
            }
            Value::Object(members) => {
                members.iter().any(|(key, value)| self.in_text(key, depth + 1) || self.in_value(value, depth))
            }
            Value::Null | Value::Bool(_) => false,
        }
    }
}

fn folded(text: &str) -> String {
    text.nfkc()
        .flat_map(char::to_lowercase)
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{feff}'))
        .collect()
}

/// The text with `%XX` decoded; `None` where there is none.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let hex = |byte: Option<u8>| char::from(byte?).to_digit(16);
        match (byte, hex(ahead.next()), hex(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(u8::try_from(high * 16 + low).ok()?);
                bytes = ahead;
            }
            _ => decoded.push(byte),
        }
    }
    let decoded = String::from_utf8_lossy(&decoded).into_owned();
    (decoded != text).then_some(decoded)
}

/// Parts of a text that can be base64.
fn base64_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=')))
}

/// The text that a run of base64 stands for.
fn base64_decoded(text: &str) -> Option<String> {
    let trimmed = text.trim_end_matches('=');
    if trimmed.len() < 8 {
        return None;
    }
    let (mut bits, mut held, mut decoded) = (0u32, 0, Vec::new());
    for byte in trimmed.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::Watch;

    #[test]
    fn a_value_is_seen_in_every_form_and_a_token_is_none() {
        for (value, line, seen) in [
            ("a.b@example.eu", r#"{"x":"to a.b@example.eu"}"#, true),
            ("a.b@example.eu", r#"{"x":"to A.B@Example.EU"}"#, true),
            ("a.b@example.eu", r#"{"x":"to a.b\u0040example.eu"}"#, true),
            ("a.b@example.eu", r#"{"a.b@example.eu":1}"#, true),
            ("a.b@example.eu", r#"{"x":"mailto:a.b%40example.eu"}"#, true),
            ("a.b@example.eu", "{\"x\":\"ａ.b＠example.eu\"}", true),
            ("a.b@example.eu", r#"{"x":"{\"y\":\"a.b%40example.eu\"}"}"#, true),
            ("a.b@example.eu", r#"{"x":"YS5iQGV4YW1wbGUuZXU="}"#, true),
            ("a.b@example.eu", r#"[{"text":"a.b@exa"},{"text":"mple.eu"}]"#, true),
            ("a.b@example.eu", r#"{"x":"[EMAIL_0_k7q]"}"#, false),
            ("4111 1111 1111 1111", r#"{"x":4111111111111111}"#, true),
            ("4111 1111 1111 1111", r#"{"x":"4111-1111-1111-1111"}"#, true),
            ("4111 1111 1111 1111", r#"{"x":"4111-1111-1111-1112"}"#, false),
        ] {
            assert_eq!(Watch::new(value).sees(line), seen, "{line}");
        }
    }
}
