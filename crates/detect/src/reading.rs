//! What a reader of running text needs to know of single words and keys.
//!
//! In: a word of a text, or the key that a text stands under. Out: what the data files of the rules say of it, so that
//! readers and rules agree. Invariant: each look reads one table, and costs no more than the word is long. Not here:
//! where names stand (`people`, and whoever reads them).

use crate::extended::place;
use crate::keys::{self, Meaning};
use crate::lexicon::{Roles, lexicon};
use crate::{code, hints, lists, people, vocabulary};

/// What a key says to whoever reads the text under it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeySense {
    /// Nothing, or not enough.
    Open,
    /// Its values are those of machines, or of kinds that are no names: nothing is read under it.
    Closed,
    /// It speaks of people: `reviewer`, `name`.
    People,
}

/// What a key says of names in its value.
#[must_use]
pub fn key_sense(key: &str) -> KeySense {
    match keys::meaning_of(key) {
        Some(Meaning::FullName | Meaning::NamePart | Meaning::Role | Meaning::RecordName) => KeySense::People,
        Some(Meaning::Name | Meaning::FormattedName) => KeySense::Open,
        Some(Meaning::City | Meaning::Org | Meaning::Title | Meaning::Profession | Meaning::Medical) => {
            KeySense::Open
        }
        Some(_) => KeySense::Closed,
        None if hints::is_people_key(key) => KeySense::People,
        None => KeySense::Open,
    }
}

/// True for a word of everyday English or of software, and for one that begins no name: `error`, `the`, `Monday`.
#[must_use]
pub fn is_everyday_word(word: &str) -> bool {
    vocabulary::is_common(word) || people::is_no_name(word)
}

/// True for a word that names of firms and offices hold: `Ltd`, `Bank`.
#[must_use]
pub fn is_firm_word(word: &str) -> bool {
    people::is_firm_word(word)
}

/// True for a form of address, without its dot: `Mrs`, `Herr`, `Dr`.
#[must_use]
pub fn is_title(word: &str) -> bool {
    lexicon().roles(word.as_bytes()).any(Roles::TITLE)
}

/// True for a word after which a name stands in a letter: `Dear`, `Regards`.
#[must_use]
pub fn is_letter_word(word: &str) -> bool {
    let roles = lexicon().roles(word.as_bytes());
    roles.any(Roles::GREETING) || roles.any(Roles::CLOSING)
}

/// True for a word of a street or a box: a name beside it is that of a place.
#[must_use]
pub fn is_street_word(word: &str) -> bool {
    lexicon().roles(word.as_bytes()).any(Roles::STREET)
}

/// True for a name of the gazetteer, as a whole, that is no everyday word, and for what stands for one: `Lyon`, `New York`,
/// `UK`, `TX`.
#[must_use]
pub fn is_place(name: &str) -> bool {
    place::is_known(name)
}

/// True for a name of code: `getUser`, `max_count`.
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    vocabulary::is_identifier(word)
}

/// True when the text begins with an expression of a programming language.
#[must_use]
pub fn is_expression(text: &str) -> bool {
    code::is_expression(text)
}

/// True for a text that is the name of a person and nothing else, as far as its words say: two of them or more, each
/// with a capital, none of a firm, not all of everyday language.
#[must_use]
pub fn is_name_alone(text: &str) -> bool {
    lists::name_at(text, 0) == Some(text.len()) && text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::{
        KeySense, is_everyday_word, is_firm_word, is_letter_word, is_place, is_street_word, is_title,
        key_sense,
    };

    #[test]
    fn keys_say_what_is_read_under_them() {
        for (key, sense) in [
            ("full_name", KeySense::People),
            ("reviewer", KeySense::People),
            ("name", KeySense::Open),
            ("summary", KeySense::Open),
            ("city", KeySense::Open),
            ("sha256", KeySense::Closed),
            ("email", KeySense::Closed),
            ("trace_id", KeySense::Closed),
        ] {
            assert_eq!(key_sense(key), sense, "{key}");
        }
    }

    #[test]
    fn words_are_told_apart() {
        assert!(is_everyday_word("Error") && is_everyday_word("Monday") && !is_everyday_word("Dubois"));
        assert!(
            is_firm_word("GmbH") && is_title("Mrs") && is_letter_word("Dear") && is_street_word("Avenue")
        );
        assert!(is_place("Lyon") && is_place("new york") && !is_place("Lyonx") && !is_place("Monday"));
        assert!(!is_title("Dubois") && !is_firm_word("Dubois") && !is_street_word("Dubois"));
    }
}
