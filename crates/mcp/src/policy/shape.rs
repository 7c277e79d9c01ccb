//! What protocol words look like.
//!
//! In: a value that a schema says is a protocol word. Out: whether it can be one. Invariant: what holds an `@`, a
//! blank or more than a few digits is none, so a value that hides in a word's place is cloaked like any other.
//! Not here: which words exist; revisions add some.

/// Longest protocol word in bytes.
const MAX_WORD_BYTES: usize = 64;
/// Digits that a protocol word may have: `2025-11-25` has eight, a telephone number more.
const MAX_WORD_DIGITS: usize = 8;

/// The look of a protocol word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// `resource_link`, `2025-11-25`, `48x48`.
    Word,
    /// `text/plain; charset=utf-8`.
    MediaType,
    /// `2025-01-12T15:00:58Z`.
    Timestamp,
}

impl Shape {
    /// Whether `text` looks like it.
    pub(super) fn fits(self, text: &str) -> bool {
        match self {
            Self::Word => is_word(text),
            Self::MediaType => is_media_type(text),
            Self::Timestamp => is_timestamp(text),
        }
    }
}

fn is_word(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() <= MAX_WORD_BYTES
        && digits <= MAX_WORD_DIGITS
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'*' | b'_'))
    };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let mut parts = text.split(';');
    let kind = parts.next().unwrap_or_default().trim();
    text.len() <= 2 * MAX_WORD_BYTES
        && digits <= MAX_WORD_DIGITS
        && kind.split_once('/').is_some_and(|(kind, detail)| token(kind) && token(detail))
        && parts.all(|parameter| {
            let (name, value) = parameter.trim().split_once('=').unwrap_or_default();
            token(name) && token(value.trim_matches('"'))
        })
}

fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.len() <= 35
        && bytes
            .iter()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b':' | b'.' | b'+' | b'T' | b'Z' | b't' | b'z'))
        && bytes.get(4) == Some(&b'-')
        && bytes.iter().take(4).all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn protocol_words_pass_and_values_do_not() {
        for (shape, text, fits) in [
            (Shape::Word, "resource_link", true),
            (Shape::Word, "2025-11-25", true),
            (Shape::Word, "48x48", true),
            (Shape::Word, "marie.dubois@example.eu", false),
            (Shape::Word, "Marie Dubois", false),
            (Shape::Word, "4111111111111111", false),
            (Shape::Word, "+12025550143", false),
            (Shape::MediaType, "text/plain", true),
            (Shape::MediaType, "text/html;profile=mcp-app", true),
            (Shape::MediaType, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true),
            (Shape::MediaType, "text/plain; charset=\"utf-8\"", true),
            (Shape::MediaType, "text/plain; name=marie.dubois@example.eu", false),
            (Shape::MediaType, "text/4111111111111111", false),
            (Shape::MediaType, "text", false),
            (Shape::Timestamp, "2025-01-12T15:00:58.123456+02:00", true),
            (Shape::Timestamp, "2025-01-12", true),
            (Shape::Timestamp, "4111111111111111", false),
        ] {
            assert_eq!(shape.fits(text), fits, "{text}");
        }
    }
}
