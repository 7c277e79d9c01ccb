//! Words that say a gender, and forms of address, in all languages of the table.
//!
//! In: a word in small letters. Out: what it is. Not here: where such words are looked for and what stands for them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word is, by the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GenderWord {
    /// A form of address.
    pub(super) title: bool,
    /// A word of gender, however it is written.
    pub(super) word: bool,
    /// One with a capital only.
    pub(super) word_with_capital: bool,
    /// It says several people.
    pub(super) plural: bool,
    /// Another article stands for its own before `person`.
    pub(super) other_article: bool,
}

impl GenderWord {
    /// What a word in small letters is, if it is one.
    pub(super) fn of(small: &str) -> Option<Self> {
        TABLE.get(small).copied()
    }
}

static TABLE: LazyLock<HashMap<String, GenderWord>> = LazyLock::new(|| {
    let mut table: HashMap<String, GenderWord> = HashMap::new();
    for line in include_str!("../../data/gender.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('|').skip(1);
        let mut read = |note: fn(&mut GenderWord, &str)| {
            for word in columns.next().unwrap_or_default().split(' ').filter(|word| !word.is_empty()) {
                note(table.entry(word.to_lowercase()).or_default(), word);
            }
        };
        read(|row, _| row.title = true);
        read(|row, word| {
            if word.starts_with(char::is_uppercase) { row.word_with_capital = true } else { row.word = true }
        });
        read(|row, _| row.plural = true);
        read(|row, _| row.other_article = true);
    }
    table
});
