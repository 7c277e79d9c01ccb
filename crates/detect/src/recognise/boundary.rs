//! Bounded looks at single bytes and runs of bytes; what lies outside the text reads as NUL.
//!
//! In: text and byte offsets. Out: bytes, offsets. Invariant: no call panics, whatever the offset.
//! Not here: anything that knows a format.

/// The byte at `index`, or NUL outside the text.
#[inline]
pub(super) fn at(text: &str, index: usize) -> u8 {
    text.as_bytes().get(index).copied().unwrap_or(0)
}

/// The byte just before `index`, or NUL at the start of the text.
#[inline]
pub(super) fn before(text: &str, index: usize) -> u8 {
    match index.checked_sub(1) {
        Some(previous) => at(text, previous),
        None => 0,
    }
}

/// The end of the run of accepted bytes that begins at `start`; at most `start + limit`.
#[inline]
pub(super) fn run_end(text: &str, start: usize, limit: usize, accept: impl Fn(u8) -> bool) -> usize {
    let Some(rest) = text.as_bytes().get(start..) else { return start };
    start + rest.iter().take(limit).take_while(|&&byte| accept(byte)).count()
}

/// The start of the run of accepted bytes that ends at `end`; at least `end - limit`.
pub(super) fn run_start(text: &str, end: usize, limit: usize, accept: impl Fn(u8) -> bool) -> usize {
    let Some(head) = text.as_bytes().get(..end) else { return end };
    end - head.iter().rev().take(limit).take_while(|&&byte| accept(byte)).count()
}

/// True when the text reads `expected` (ASCII) at `start`, in any case.
pub(super) fn reads(text: &str, start: usize, expected: &str) -> bool {
    text.as_bytes()
        .get(start..start.saturating_add(expected.len()))
        .is_some_and(|found| found.eq_ignore_ascii_case(expected.as_bytes()))
}

/// True when the text reads exactly `expected` at `start`.
pub(super) fn reads_exactly(text: &str, start: usize, expected: &str) -> bool {
    text.as_bytes().get(start..).is_some_and(|rest| rest.starts_with(expected.as_bytes()))
}

/// Letters and digits of ASCII and `_`: bytes that continue an identifier.
#[inline]
pub(super) fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Letters and digits of `base64url`.
#[inline]
pub(super) fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Letters and digits of standard base64, without padding.
#[inline]
pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/'
}

#[cfg(test)]
mod tests {
    use super::{at, before, reads, run_end, run_start};

    #[test]
    fn offsets_outside_the_text_are_harmless() {
        assert_eq!((at("ab", 2), at("ab", usize::MAX), before("ab", 0), before("ab", 99)), (0, 0, 0, 0));
        assert_eq!(run_end("ab", 9, 5, |_| true), 9);
        assert_eq!(run_start("ab", 9, 5, |_| true), 9);
        assert!(!reads("ab", 1, "bc"));
    }

    #[test]
    fn runs_stop_at_the_limit() {
        assert_eq!(run_end("aaaa", 1, 2, |byte| byte == b'a'), 3);
        assert_eq!(run_start("aaaa", 4, 3, |byte| byte == b'a'), 1);
    }
}
