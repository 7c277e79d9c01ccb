//! What stands around a place, as far as a rule may look.
//!
//! Invariant: each look is bounded by the bytes that it is given.

/// At most `bytes` bytes before `at`, from a border of characters on.
pub(super) fn before(text: &str, at: usize, bytes: usize) -> &str {
    text.get(text.ceil_char_boundary(at.saturating_sub(bytes))..at).unwrap_or_default()
}

/// At most `bytes` bytes from `at` on, up to a border of characters.
pub(super) fn after(text: &str, at: usize, bytes: usize) -> &str {
    text.get(at..text.floor_char_boundary(at.saturating_add(bytes))).unwrap_or_default()
}

/// The last word of a text, when only blanks and one of the marks stand behind it.
pub(super) fn last_word<'a>(text: &'a str, marks: &[char]) -> &'a str {
    let text = text.trim_end().trim_end_matches(marks).trim_end();
    let start = text.char_indices().rev().take_while(|(_, c)| c.is_alphabetic() || *c == '\'').last();
    start.and_then(|(at, _)| text.get(at..)).unwrap_or_default()
}

/// The first word of a text, blanks before it aside.
pub(super) fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// True when the word is one of the list, whose words are small letters.
pub(super) fn is_one_of(word: &str, list: &[&str]) -> bool {
    if word.is_ascii() {
        return list.iter().any(|other| word.eq_ignore_ascii_case(other));
    }
    let small = word.to_lowercase();
    list.contains(&small.as_str())
}

/// True when one of the words of the text is in the list. What stands for a value, such as `{{MEDICAL_CONDITION}}`, says
/// nothing of what is beside it.
pub(super) fn mentions(text: &str, list: &[&str]) -> bool {
    let stands_for_a_value = |run: &&str| {
        let name = run.trim_start_matches(['{', '[']);
        let letters = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        name.len() < run.len() && name.chars().all(letters)
    };
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '{' | '[')))
        .filter(|run| !stands_for_a_value(run))
        .flat_map(|run| run.split(|c: char| !c.is_alphabetic()))
        .any(|word| !word.is_empty() && is_one_of(word, list))
}
