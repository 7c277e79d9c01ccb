//! Letters, digits and words, as the sets count them.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// Ranges of letters and numbers of all scripts; marks that join letters are neither.
static LETTERS_AND_NUMBERS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let class = regex_syntax::parse(r"[\p{L}\p{N}]").map(regex_syntax::hir::Hir::into_kind);
    match class {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        // A test counts the ranges.
        _ => Vec::new(),
    }
});

/// True for a letter or number of any script.
pub(super) fn is_letter_or_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    let ranges = &*LETTERS_AND_NUMBERS;
    let before = ranges.partition_point(|(start, _)| *start <= character);
    before.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|(_, end)| character <= *end)
}

/// Words and marks of a text: a run of letters, digits and `_`, or any other character that is no blank.
pub(super) fn tokens(text: &str) -> usize {
    let mut tokens = 0;
    let mut in_word = false;
    for character in text.chars() {
        let word = character == '_' || is_letter_or_digit(character);
        if word {
            tokens += usize::from(!in_word);
        } else if !character.is_whitespace() && !('\u{1c}'..='\u{1f}').contains(&character) {
            tokens += 1;
        }
        in_word = word;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{LETTERS_AND_NUMBERS, is_letter_or_digit, tokens};

    #[test]
    fn words_and_marks_are_counted() {
        assert!(LETTERS_AND_NUMBERS.len() > 500);
        for (text, count) in [("", 0), ("a b", 2), ("a_b1: é.", 4), ("नि", 2), ("山田", 1), ("\u{1c}", 0)]
        {
            assert_eq!(tokens(text), count, "{text}");
        }
        assert!(!is_letter_or_digit('\u{93f}'));
    }
}
