//! Text that looks like a placeholder: `{{NAME_2}}`, `[EMAIL_0]`, and, where marks are written, like a mark: `[A1]`.
//!
//! In: a text. Out: spans of placeholders in either style and of marks, ours or not. Invariant: whatever `placeholder`
//! writes is among them, and so are marks in any case; a look is at most `MAX_BYTES` long.

use cloakgate_vocab::Span;

use crate::text::profile::Marks;

/// Longest placeholder.
const MAX_BYTES: usize = 64;

/// Where a text holds placeholders, and marks if there are any.
pub(crate) fn imitations(text: &str, marks: Marks) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr::memchr2(b'{', b'[', rest)) {
        let start = from + at;
        let rest = bytes.get(start..).unwrap_or_default();
        let len = placeholder_len(rest).or_else(|| mark_len(rest).filter(|_| marks == Marks::Visible));
        if let Some(len) = len {
            found.push(Span::sized(start, len));
        }
        from = start + len.unwrap_or(1);
    }
    found
}

/// Length of the placeholder at the start.
fn placeholder_len(bytes: &[u8]) -> Option<usize> {
    let (open, close): (&[u8], &[u8]) = if bytes.starts_with(b"{{") { (b"{{", b"}}") } else { (b"[", b"]") };
    let inner = bytes.strip_prefix(open)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let len = inner.iter().take(MAX_BYTES).take_while(|byte| is_part(byte)).count();
    let (name, rest) = inner.split_at_checked(len)?;
    let letter = name.first().is_some_and(u8::is_ascii_alphabetic);
    // `[0]`, `[x]`, `[i]` are code; with a bracket a number must follow the name.
    let numbered = open.len() == 2
        || name
            .windows(2)
            .any(|pair| pair.first() == Some(&b'_') && pair.last().is_some_and(u8::is_ascii_digit));
    (letter && numbered && rest.starts_with(close)).then_some(open.len() + len + close.len())
}

/// Length of the mark at the start: one or two letters and a number in brackets, which may be escaped as Markdown has it.
fn mark_len(bytes: &[u8]) -> Option<usize> {
    let inner = bytes.strip_prefix(b"[")?;
    let letters = inner.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = inner.iter().skip(letters).take(MAX_BYTES).take_while(|byte| byte.is_ascii_digit()).count();
    let rest = inner.get(letters + digits..)?;
    let close = [&b"]"[..], b"\\]"].into_iter().find(|close| rest.starts_with(close))?;
    ((1..=2).contains(&letters) && digits > 0).then_some(1 + letters + digits + close.len())
}

#[cfg(test)]
mod tests {
    use super::imitations;
    use crate::text::profile::Marks;

    #[test]
    fn placeholders_are_seen_in_both_styles_and_any_case() {
        for (text, expected) in [
            ("a {{NAME}} b {{name_2}}, [EMAIL_0]", &["{{NAME}}", "{{name_2}}", "[EMAIL_0]"][..]),
            (
                "{{NAME.LAST}} {{NAME_2.LAST}} [NAME_1.LAST]",
                &["{{NAME.LAST}}", "{{NAME_2.LAST}}", "[NAME_1.LAST]"],
            ),
            ("{{{NAME}}}", &["{{NAME}}"]),
            ("a[0] b[x] {{ user.name }} {NAME} {{}} [link]", &[]),
            ("{{", &[]),
            ("[[EMAIL_0]]", &["[EMAIL_0]"]),
        ] {
            let found: Vec<_> =
                imitations(text, Marks::Off).iter().filter_map(|span| span.of(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn marks_are_seen_where_there_are_marks() {
        let text = r"[A1] [MC12] \[x3\] [A] [1] [ABC1] [A1 ] {{NAME}} [EMAIL_0]";
        let found = |marks| {
            let spans = imitations(text, marks);
            spans.iter().filter_map(|span| span.of(text)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found(Marks::Visible), r"[A1] [MC12] [x3\] {{NAME}} [EMAIL_0]");
        assert_eq!(found(Marks::Off), "{{NAME}} [EMAIL_0]");
    }
}
