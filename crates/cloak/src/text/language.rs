//! The language of the words that stand for values: `adult`, `adulte`, `взрослый`.
//!
//! In: a text. Out: its language, by the everyday words in its first part. Invariant: a text that says nothing is
//! English. Not here: translation.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::profile::PromptLanguage;

/// How much of a text is looked at.
const LOOK_BYTES: usize = 4096;
/// Everyday words that a language must have more of than English.
const LEAST_WORDS: usize = 2;

/// One language of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language(&'static Row);

#[derive(Debug)]
struct Row {
    code: &'static str,
    child: &'static str,
    adult: &'static str,
    senior: &'static str,
    person: &'static str,
    years: &'static str,
    people: &'static str,
}

struct Table {
    rows: Vec<Row>,
    words: HashMap<&'static str, Vec<usize>>, // the languages that a word tells
}

static ENGLISH: Row = Row {
    code: "en",
    child: "child",
    adult: "adult",
    senior: "senior",
    person: "person",
    years: "years old",
    people: "people",
};

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { rows: Vec::new(), words: HashMap::new() };
    for line in include_str!("../../data/languages.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('|');
        let mut column = || columns.next().unwrap_or_default();
        let code = column();
        for word in column().split(' ') {
            table.words.entry(word).or_default().push(table.rows.len());
        }
        let (child, adult, senior) = (column(), column(), column());
        let (person, years, people) = (column(), column(), column());
        table.rows.push(Row { code, child, adult, senior, person, years, people });
    }
    table
});

impl Language {
    /// English.
    pub(crate) const ENGLISH: Self = Self(&ENGLISH);

    /// The language in which a text's generalisations are written.
    pub(crate) fn of(text: &str, wanted: PromptLanguage) -> Self {
        if wanted == PromptLanguage::English {
            return Self::ENGLISH;
        }
        let head = text.get(..text.floor_char_boundary(LOOK_BYTES)).unwrap_or_default();
        let mut counts = vec![0; TABLE.rows.len()];
        let mut before = ' ';
        for part in head.split_inclusive(|c: char| !c.is_alphabetic()) {
            let word = part.trim_end_matches(|c: char| !c.is_alphabetic());
            let owned = matches!(before, '\'' | '\u{2019}') && word.len() == 1;
            before = part.chars().next_back().unwrap_or(' ');
            // The `s` of `Crohn's` is no word.
            if word.is_empty() || owned {
                continue;
            }
            for language in TABLE.words.get(word.to_lowercase().as_str()).into_iter().flatten() {
                if let Some(count) = counts.get_mut(*language) {
                    *count += 1;
                }
            }
        }
        // English is the first row; of two that have as many words the first is taken.
        let english = counts.first().copied().unwrap_or_default();
        let most = counts.iter().copied().max().unwrap_or_default();
        if most < english + LEAST_WORDS {
            return Self::ENGLISH;
        }
        let best = counts.iter().position(|count| *count == most).and_then(|place| TABLE.rows.get(place));
        best.map_or(Self::ENGLISH, Self)
    }

    /// True for English.
    pub(crate) fn is_english(self) -> bool {
        self.0.code == "en"
    }

    /// Two letters.
    pub(crate) fn code(self) -> &'static str {
        self.0.code
    }

    /// True for German, whose adjectives are declined.
    pub(crate) fn is_german(self) -> bool {
        self.0.code == "de"
    }

    /// Somebody below 18.
    pub(crate) fn child(self) -> &'static str {
        self.0.child
    }

    /// Somebody from 18 on.
    pub(crate) fn adult(self) -> &'static str {
        self.0.adult
    }

    /// Somebody from 65 on.
    pub(crate) fn senior(self) -> &'static str {
        self.0.senior
    }

    /// Somebody.
    pub(crate) fn person(self) -> &'static str {
        self.0.person
    }

    /// Several people.
    pub(crate) fn people(self) -> &'static str {
        self.0.people
    }

    /// What stands behind a number of years of age.
    pub(crate) fn years(self) -> &'static str {
        self.0.years
    }
}

#[cfg(test)]
mod tests {
    use super::Language;
    use crate::text::profile::PromptLanguage;

    #[test]
    fn everyday_words_tell_the_language() {
        for (text, code) in [
            ("", "en"),
            ("Marie Dubois", "en"),
            ("She is 34 years old and lives in Lyon", "en"),
            ("Elle est âgée de 34 ans et habite avec une amie", "fr"),
            ("Ich bin 34 Jahre alt und nicht verheiratet", "de"),
            ("Tiene 34 años y vive con su madre", "es"),
            ("Ho 34 anni e sono di Roma, della Lombardia", "it"),
            ("Она врач, ей 34 года и она из Твери", "ru"),
            ("Crohn's disease, Parkinson's disease, Alzheimer's", "en"),
            ("Hon är 34 år och bor på en ö", "sv"),
        ] {
            assert_eq!(Language::of(text, PromptLanguage::Original).0.code, code, "{text}");
            assert_eq!(Language::of(text, PromptLanguage::English).0.code, "en");
        }
    }
}
