//! The lexical grammar of RFC 8259: where a blank, a string, a number or a literal ends.
//!
//! In: bytes and the offset at which something starts. Out: the offset one past its end, or the error.
//! Invariant: offsets that are returned lie inside the bytes or at their end. Not here: nesting, UTF-8
//! (checked before).

use crate::ScanError;

/// Offset of the first byte at or after `at` that is no blank.
#[inline]
pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Reads a string whose opening quote stands at `at`: the offset after its closing quote, and whether a
/// backslash is in it.
#[inline]
pub(crate) fn string_end(bytes: &[u8], at: usize) -> Result<(usize, bool), ScanError> {
    let at = plain_end(bytes, at + 1);
    if bytes.get(at) == Some(&b'"') {
        return Ok((at + 1, false));
    }
    escaped_end(bytes, at)
}

/// The rest of a string from its first byte that is not plain.
fn escaped_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), ScanError> {
    let mut escaped = false;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok((at + 1, escaped)),
            Some(b'\\') => {
                escaped = true;
                at = plain_end(bytes, escape_end(bytes, at)?);
            }
            Some(_) => return Err(ScanError::Syntax { at, expected: "no bare control character" }),
            None => return Err(ScanError::Truncated),
        }
    }
}

/// Offset of the first quote, backslash or control character, or the end of the bytes.
#[inline]
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    let (words, rest) = bytes.get(at..).unwrap_or_default().as_chunks::<8>();
    for word in words {
        let stops = stops(u64::from_le_bytes(*word));
        if stops != 0 {
            return at + (stops.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    for byte in rest {
        if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// Eight bytes at once: the high bit of the lowest byte that is a quote, a backslash or a control character
/// is set. Higher bytes may be marked wrongly, since a borrow runs upwards from a hit.
#[inline]
const fn stops(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let hits = quote.wrapping_sub(ONES) & !quote | backslash.wrapping_sub(ONES) & !backslash | control;
    hits & (ONES << 7)
}

/// Reads an escape whose backslash stands at `at`. Any `\uXXXX` is taken, a lone surrogate too.
fn escape_end(bytes: &[u8], at: usize) -> Result<usize, ScanError> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            for digit in at + 2..at + 6 {
                match bytes.get(digit) {
                    Some(byte) if byte.is_ascii_hexdigit() => {}
                    Some(_) => return Err(ScanError::Syntax { at: digit, expected: "a hexadecimal digit" }),
                    None => return Err(ScanError::Truncated),
                }
            }
            Ok(at + 6)
        }
        Some(_) => Err(ScanError::Syntax { at: at + 1, expected: "an escape" }),
        None => Err(ScanError::Truncated),
    }
}

/// Reads a number that starts at `at` with `-` or a digit. Its size and precision do not matter.
#[inline]
pub(crate) fn number_end(bytes: &[u8], mut at: usize) -> Result<usize, ScanError> {
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits_end(bytes, at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits_end(bytes, at)?;
    }
    Ok(at)
}

/// Reads one or more digits.
#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> Result<usize, ScanError> {
    match bytes.get(at) {
        Some(b'0'..=b'9') => at += 1,
        Some(_) => return Err(ScanError::Syntax { at, expected: "a digit" }),
        None => return Err(ScanError::Truncated),
    }
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    Ok(at)
}

/// Reads `word` at `at`.
#[inline]
pub(crate) fn literal_end(bytes: &[u8], at: usize, word: &'static [u8]) -> Result<usize, ScanError> {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(word) {
        Ok(at + word.len())
    } else if word.starts_with(rest) {
        Err(ScanError::Truncated)
    } else {
        Err(ScanError::Syntax { at, expected: "a value" })
    }
}

#[cfg(test)]
mod tests {
    use super::{number_end, string_end};

    #[test]
    fn numbers_end_where_the_grammar_says() {
        for number in [
            "0",
            "-0",
            "1",
            "10",
            "-12.50",
            "1e400",
            "1E+2",
            "1e-2",
            "0.0",
            "0e0",
            "123456789012345678901234567890",
            "1.10",
        ] {
            let followed = format!("{number},");
            assert_eq!(number_end(followed.as_bytes(), 0), Ok(number.len()), "{number}");
            assert_eq!(number_end(number.as_bytes(), 0), Ok(number.len()), "{number}");
        }
        // The rest is refused by what reads on.
        for (text, end) in [("01", 1), ("-01", 2), ("1.2.3", 3), ("0x1", 1)] {
            assert_eq!(number_end(text.as_bytes(), 0), Ok(end), "{text}");
        }
        for text in ["-", "-a", "1.", "1.a", "1e", "1e+", "1ea", "-.5", "1.e2"] {
            assert!(number_end(text.as_bytes(), 0).is_err(), "{text}");
        }
    }

    #[test]
    fn strings_end_at_the_first_bare_quote_at_every_alignment() {
        for length in 0..40 {
            for (tail, escaped) in
                [("\"", false), ("\\\"\"", true), ("\\u00e9\"", true), ("é\"", false), ("\u{7f}\"", false)]
            {
                let text = format!("\"{}{tail}", "x".repeat(length));
                let followed = format!("{text}{}", "\"".repeat(9));
                assert_eq!(string_end(followed.as_bytes(), 0), Ok((text.len(), escaped)), "{text}");
                assert_eq!(string_end(text.as_bytes(), 0), Ok((text.len(), escaped)), "{text}");
            }
            for tail in [
                "",
                "\n\"",
                "\u{0}\"",
                "\u{1f}\"",
                "\\x\"",
                "\\u12\"",
                "\\u12g4\"",
                "\\",
                "\\u",
                "\\uD8\"",
                "\\\"",
            ] {
                let text = format!("\"{}{tail}", "x".repeat(length));
                assert!(string_end(text.as_bytes(), 0).is_err(), "{text}");
            }
        }
    }
}
