//! What words do in a sentence.
//!
//! In: a word. Out: whether it may follow a value, joins people, begins a sentence about the same person, and so on.
//! The words are data. Invariant: a word that is in no list does nothing, which makes restoring more careful.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::units::{Class, Unit};

/// What a word does; a set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Does(u16);

impl Does {
    /// May follow a value without changing what it means.
    pub(crate) const FOLLOWS: Self = Self(1);
    /// Puts things side by side.
    pub(crate) const JOINS: Self = Self(2);
    /// May stand between a person and what is said of them.
    pub(crate) const APPOSED: Self = Self(4);
    /// An indefinite article.
    pub(crate) const ARTICLE: Self = Self(8);
    /// Begins a sentence about the same person.
    pub(crate) const PRONOUN: Self = Self(16);
    /// Deals out what was said.
    pub(crate) const RESPECTIVELY: Self = Self(32);
    /// Speaks of people in general.
    pub(crate) const GENERAL: Self = Self(64);
    /// Before a value: speaks of people in general.
    pub(crate) const BEFORE: Self = Self(128);
    /// Belongs to what records say.
    pub(crate) const RECORD: Self = Self(256);

    /// True when the word does this.
    pub(crate) const fn has(self, one: Self) -> bool {
        self.0 & one.0 != 0
    }

    /// A preposition that opens a sentence whose verb is second.
    pub(crate) const OPENS: Self = Self(512);

    /// Names somebody by whom they belong to.
    pub(crate) const RELATION: Self = Self(1024);

    fn named(name: &str) -> Self {
        match name {
            "follows" => Self::FOLLOWS,
            "joins" => Self::JOINS,
            "apposed" => Self::APPOSED,
            "article" => Self::ARTICLE,
            "pronoun" => Self::PRONOUN,
            "respectively" => Self::RESPECTIVELY,
            "general" => Self::GENERAL,
            "before" => Self::BEFORE,
            "relation" => Self::RELATION,
            "opens" => Self::OPENS,
            "record" => Self::RECORD,
            _ => Self::default(),
        }
    }
}

static WORDS: LazyLock<HashMap<&'static str, Does>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Does> = HashMap::new();
    let data = include_str!("../../../data/speech.txt");
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split_whitespace();
        let does = Does::named(parts.next().unwrap_or_default());
        for word in parts {
            let known = words.entry(word).or_default();
            known.0 |= does.0;
        }
    }
    words
});

/// What a word does, in any case.
pub(crate) fn does(word: &str) -> Does {
    WORDS.get(&*word.to_lowercase()).copied().unwrap_or_default()
}

/// What a unit does, if it is a word.
pub(crate) fn unit_does(unit: &Unit, text: &str) -> Does {
    match unit.class {
        Class::Word => does(unit.of(text)),
        Class::Mark('&') => Does::JOINS,
        _ => Does::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Does, WORDS, does};

    #[test]
    fn words_do_what_the_lists_say() {
        assert!(does("And").has(Does::FOLLOWS) && does("and").has(Does::JOINS));
        assert!(does("Jeweils").has(Does::RESPECTIVELY));
        assert_eq!(does("education"), Does::default());
        assert!(WORDS.len() > 400 && WORDS.values().all(|does| *does != Does::default()));
    }
}
