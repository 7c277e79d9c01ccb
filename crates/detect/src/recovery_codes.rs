//! Recovery and backup codes behind the words for them: one code, or a list on one or several lines.
//!
//! In: a text and the end of `recovery codes`, `backup code` and the like. Out: a span from the first code to the last.
//! Forms: 6 to 24 letters and digits with a digit among them, in groups joined by `-`; digits alone only where two codes
//! or more stand. Invariant: at most `MAX_CODES` codes and `MAX_GAP_BYTES` before each are read. Not here: recovery
//! phrases of words (`credentials`).

use cloakgate_vocab::Span;

/// Most codes of a list.
const MAX_CODES: usize = 32;
/// Most bytes of marks before a code.
const MAX_GAP_BYTES: usize = 12;

/// The codes that follow the key word which ends at `end`.
pub(crate) fn codes_after(text: &str, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let gap = run(bytes, end, MAX_GAP_BYTES, is_mark);
    if !bytes.get(end..end + gap)?.iter().any(|byte| matches!(byte, b':' | b'=' | b'\n')) {
        return None;
    }
    let (mut first, mut last, mut count, mut words) = (None, end, 0, 0);
    let mut at = end;
    while count < MAX_CODES {
        let mut start = at + run(bytes, at, MAX_GAP_BYTES, is_mark);
        // `1. abcd-1234`: the number of a line
        let number = run(bytes, start, 3, |byte| byte.is_ascii_digit());
        if number > 0 && matches!(bytes.get(start + number), Some(b'.' | b')')) {
            start += number + 1;
            start += run(bytes, start, MAX_GAP_BYTES, is_mark);
        }
        let len = run(bytes, start, 32, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let code = bytes.get(start..start + len)?;
        if start == at
            || !is_code(code)
            || bytes.get(start + len).is_some_and(|byte| matches!(byte, b'/' | b'@' | b'_' | b'('))
        {
            break;
        }
        words += usize::from(code.iter().any(u8::is_ascii_alphabetic));
        first = first.or(Some(start));
        (last, at, count) = (start + len, start + len, count + 1);
    }
    (words > 0 || count > 1).then(|| Some(Span::sized(first?, last - first?)))?
}

fn is_code(code: &[u8]) -> bool {
    (6..=24).contains(&code.len())
        && code.iter().any(u8::is_ascii_digit)
        && code.first().is_some_and(u8::is_ascii_alphanumeric)
        && code.last().is_some_and(u8::is_ascii_alphanumeric)
}

fn is_mark(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b':'
            | b'='
            | b','
            | b';'
            | b'"'
            | b'\''
            | b'`'
            | b'*'
            | b'-'
            | b'['
            | b']'
            | b'|'
    )
}

fn run(bytes: &[u8], from: usize, limit: usize, accept: impl Fn(u8) -> bool) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take(limit).take_while(|byte| accept(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::codes_after;

    #[test]
    fn codes_in_lists_and_alone() {
        for (text, codes) in [
            ("Codes: 8f3k2-9dm1x", "8f3k2-9dm1x"),
            (
                "Codes:\n8f3k2-9dm1x\n- p02ks-88vmq\n1. z71ha-0pq3d\n\nKeep",
                "8f3k2-9dm1x\n- p02ks-88vmq\n1. z71ha-0pq3d",
            ),
            ("Codes: 12345678, 87654321", "12345678, 87654321"),
            ("Codes\": [\"8f3k2-9dm1x\", \"p02ks-88vmq\"]", "8f3k2-9dm1x\", \"p02ks-88vmq"),
            ("Codes: 12345678", ""),
            ("Codes: see below", ""),
            ("Codes are shown once", ""),
            ("Codes 8f3k2-9dm1x", ""),
        ] {
            let found = codes_after(text, 5).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, codes, "{text}");
        }
    }
}
