//! The words of a text, so that no stand-in is one of them.
//!
//! In: a text. Out: whether it holds a name. Invariant: cost is linear in the text. Not here: whose words they are.

use std::collections::HashSet;

use cloakgate_detect::fold;

/// Longest name in a script without blanks that is looked for, in characters.
const MAX_CHARS: usize = 4;

/// Folded words of a text, and all short runs of its characters where there are no blanks.
pub(super) struct Words(HashSet<String>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let mut words = HashSet::new();
        let inner = |c: char| {
            c.is_alphanumeric()
                || matches!(c, '\'' | '’')
                || matches!(u32::from(c), 0x300..=0x36f | 0x900..=0xe7f)
        };
        for word in text.split(|c: char| !inner(c)).filter(|word| !word.is_empty()) {
            if word.chars().any(without_blanks) {
                let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
                for (place, start) in ends.iter().enumerate() {
                    for end in ends.iter().skip(place + 1).take(MAX_CHARS) {
                        words.insert(word.get(*start..*end).unwrap_or_default().to_owned());
                    }
                }
            } else {
                let folded = fold(word);
                // `Tanaka's` holds `Tanaka`.
                words.extend(folded.split('\'').filter(|part| part.chars().count() > 1).map(str::to_owned));
                words.insert(folded);
            }
        }
        Self(words)
    }

    /// Whether a name is a word of the text, whatever its case and marks.
    pub(super) fn hold(&self, name: &str) -> bool {
        self.0.contains(&fold(name)) || self.0.contains(name)
    }
}

fn without_blanks(c: char) -> bool {
    matches!(u32::from(c), 0xe00..=0xe7f | 0x3040..=0x30ff | 0x3005 | 0x4e00..=0x9fff | 0xac00..=0xd7a3)
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn words_are_held_in_any_case_and_script() {
        let words = Words::of("Alice met Tanaka's friend JOSÉ at O'Neil; 山田太郎さん came");
        for (name, held) in [
            ("Tanaka", true),
            ("José", true),
            ("O'Neil", true),
            ("太郎", true),
            ("山田", true),
            ("Tana", false),
            ("田中", false),
        ] {
            assert_eq!(words.hold(name), held, "{name}");
        }
    }
}
