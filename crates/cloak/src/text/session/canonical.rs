//! The form of a value that is equal for all its spellings, for looking values up by their keyed hashes.

use unicode_normalization::UnicodeNormalization;

/// A value without what does not tell it from others: compatible letters are one, case is folded, blanks are single;
/// in what holds a digit, blanks, hyphens and the like between letters and digits are gone (`DE89 3704` is
/// `de893704`).
#[must_use]
pub fn canonical(value: &str) -> String {
    let mut folded = if value.is_ascii() {
        value.to_ascii_lowercase() // there is nothing compatible among these letters
    } else {
        value.nfkc().flat_map(char::to_lowercase).collect()
    };
    if !folded.contains(|c: char| c.is_numeric()) {
        return folded.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    folded.retain(|c| {
        !c.is_whitespace() && !matches!(c, '-' | '.' | '/' | '(' | ')' | '\u{2010}'..='\u{2015}')
    });
    folded
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn spellings_are_one() {
        for (a, b) in [
            ("Alice  Johnson", "ALICE\u{a0}JOHNSON"),
            ("DE89 3704 0044", "de8937040044"),
            ("+1 (555) 010-0123", "+15550100123"),
            ("Ａｌｉｃｅ", "alice"),
        ] {
            assert_eq!(canonical(a), canonical(b));
        }
        assert_ne!(canonical("Ann Lee"), canonical("Annlee"));
    }
}
