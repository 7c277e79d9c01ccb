//! The words of a text, and what stands around them.

use cloakgate_vocab::Span;

/// The words of a text: runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = Span> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..)?;
        let start = from + rest.find(char::is_alphanumeric)?;
        let word = text.get(start..)?;
        let len = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
        from = start + len;
        Some(Span::sized(start, len))
    })
}

/// A word in small letters, in a buffer that is reused.
pub(super) fn small<'b>(word: &str, buffer: &'b mut String) -> &'b str {
    buffer.clear();
    if word.is_ascii() {
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
    } else {
        // As a whole: a sigma at the end of a word has a form of its own.
        buffer.push_str(&word.to_lowercase());
    }
    buffer
}

/// At most `bytes` bytes before a place, on its line.
pub(super) fn before(text: &str, at: usize, bytes: usize) -> &str {
    let start = text.ceil_char_boundary(at.saturating_sub(bytes));
    text.get(start..at).and_then(|near| near.rsplit(['\n', '\r']).next()).unwrap_or_default()
}

/// At most `bytes` bytes from a place on, on its line.
pub(super) fn after(text: &str, at: usize, bytes: usize) -> &str {
    let end = text.floor_char_boundary(at.saturating_add(bytes));
    text.get(at..end).and_then(|near| near.split(['\n', '\r']).next()).unwrap_or_default()
}

/// Length of the digits at the start of a text.
pub(super) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// True when a text does not go on with a letter or a digit.
pub(super) fn ends(text: &str) -> bool {
    !text.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::small;

    #[test]
    fn words_are_small_in_any_script() {
        let mut buffer = String::new();
        for word in ["Frau", "ÉLÈVE", "ΟΔΟΣ", "ß", "", "A1"] {
            assert_eq!(small(word, &mut buffer), word.to_lowercase(), "{word}");
        }
    }
}
