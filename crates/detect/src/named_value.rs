//! Secrets whose key is the value of another key, or an argument.
//!
//! In: a text and where the words for a secret end. Out: the place of the value: `name: DB_PASSWORD` with `value: X`
//! behind it, `{"key": "apikey", "value": "X"}`, `define('DB_PASSWORD', 'X')`, `setPassword("X")`.
//! Invariant: at most `REACH` bytes behind the words are read before the value. Not here: judging the value.

use cloakgate_vocab::Span;

/// How far, in bytes, the value may begin behind the words.
const REACH: usize = 64;
/// Longest value in bytes.
const MAX_VALUE_BYTES: usize = 512;

/// The value for the key that ends at `end`, when it is named or an argument.
pub(crate) fn value_of(text: &str, end: usize) -> Option<Span> {
    match text.as_bytes().get(end)? {
        b'"' | b'\'' => member(text, end).or_else(|| argument(text, end)),
        b'(' => argument(text, end),
        b'\n' | b'\r' | b'\\' => member(text, end),
        _ => None,
    }
}

/// `', 'X')`, `("X")`
fn argument(text: &str, end: usize) -> Option<Span> {
    let rest = window(text, end)?;
    let inner = match rest.strip_prefix('(') {
        Some(inner) => inner,
        None => rest.get(1..)?.trim_start_matches(' ').strip_prefix(',')?,
    };
    let inner = inner.trim_start_matches(' ');
    quoted(text, end + rest.len() - inner.len())
}

/// A line or a member `value: X` behind `name: KEY`.
fn member(text: &str, end: usize) -> Option<Span> {
    let rest = window(text, end)?;
    let marks = ['"', '\'', '\\', ',', '\n', '\r', ' ', '\t'];
    let gap = rest.trim_start_matches(marks);
    let passed = rest.get(..rest.len() - gap.len())?;
    // only a comma or the end of the line parts the two
    if !passed.contains(['\n', ',']) || passed.matches('\n').count() > 1 {
        return None;
    }
    let (word, value) = gap.split_at_checked("value".len())?;
    if !word.eq_ignore_ascii_case("value") {
        return None;
    }
    let value = value.trim_start_matches(['"', '\'', '\\', ' ']).strip_prefix([':', '='])?;
    let value = value.trim_start_matches([' ', '\\']);
    let start = end + rest.len() - value.len();
    quoted(text, start).or_else(|| {
        let line = text.get(start..)?;
        let len = line.bytes().take(MAX_VALUE_BYTES).take_while(|byte| !byte.is_ascii_whitespace()).count();
        let word = line.get(..len)?.trim_end_matches([',', '}', ';']);
        (!word.is_empty() && !word.starts_with(['"', '\''])).then(|| Span::sized(start, word.len()))
    })
}

/// The inside of the quotes that open at `start`, in the line.
fn quoted(text: &str, start: usize) -> Option<Span> {
    let rest = text.get(start..)?;
    let quote = rest.bytes().next().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let inside = rest.as_bytes().get(1..)?;
    let len = inside
        .iter()
        .take(MAX_VALUE_BYTES)
        .take_while(|byte| **byte != b'\n')
        .position(|byte| *byte == quote)?;
    let value = rest.get(1..=len)?;
    let value = value.strip_suffix('\\').unwrap_or(value);
    (!value.is_empty()).then(|| Span::sized(start + 1, value.len()))
}

/// What follows, as far as is read.
fn window(text: &str, from: usize) -> Option<&str> {
    let rest = text.get(from..)?;
    rest.get(..rest.floor_char_boundary(REACH))
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn values_follow_their_names() {
        for (text, value) in [
            ("password', 'X9')", "X9"),
            ("password\", \"X9\")", "X9"),
            ("password(\"X9\")", "X9"),
            ("password(value)", ""),
            ("password', 'x", ""),
            ("password\n  value: X9\n", "X9"),
            ("password\n  value: \"X 9\"\n", "X 9"),
            ("password\", \"value\": \"X9\"}", "X9"),
            ("password\\\", \\\"value\\\": \\\"X9\\\"}", "X9"),
            ("password\n\n  value: X9\n", ""),
            ("password\n  valueFrom: X9\n", ""),
            ("password value: X9", ""),
            ("password", ""),
        ] {
            let found = value_of(text, 8).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, value, "{text}");
        }
    }
}
