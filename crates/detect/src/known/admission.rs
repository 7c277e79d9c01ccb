//! Where a value may be recognised again: values that are words of every other text would change what they do not
//! belong to.
//!
//! In: a value with its category and the words in it. Out: everywhere, or only under the same field key. A key that
//! every message has (`text`, `message`, `name`) is no field key. Invariant: what a key alone decided about is
//! recognised everywhere only when it could hardly be anything else. Not here: the hashes (`known`).

use std::collections::HashSet;
use std::sync::LazyLock;

use cloakgate_vocab::{Category, Span};

use crate::canonical::stands_alone;
use crate::lexicon::is_key_char;
use crate::vocabulary;

/// Words that are no names by themselves, and names that are also words.
static COMMON_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../data/common.txt").split_ascii_whitespace().collect());

/// Keys of protocols and of all kinds of records: they say nothing about a value.
const PLAIN_KEYS: &[&str] = &[
    "text",
    "description",
    "message",
    "content",
    "contents",
    "value",
    "values",
    "data",
    "title",
    "name",
    "key",
    "id",
    "type",
    "label",
    "kind",
    "status",
    "state",
    "result",
    "results",
    "output",
    "input",
    "body",
    "summary",
    "details",
    "detail",
    "comment",
    "comments",
    "note",
    "notes",
    "uri",
    "url",
    "path",
    "file",
    "filename",
    "query",
    "default",
    "example",
    "examples",
    "enum",
    "const",
    "items",
    "item",
    "tags",
    "tag",
    "arguments",
    "args",
    "params",
    "properties",
    "error",
    "reason",
    "prompt",
    "instructions",
    "log",
    "level",
    "line",
    "lines",
    "raw",
    "string",
    "payload",
    "role",
    "model",
    "method",
    "format",
    "version",
    "structuredcontent",
    "annotations",
    "resource",
    "blob",
    "mimetype",
];

/// Fewest letters and digits of a single word, or of a number, that is recognised everywhere.
const MIN_TELLING: usize = 8;

/// Fewest different digits of a number that is recognised everywhere.
const MIN_DIFFERENT: usize = 4;

/// Fewest letters of a name of several words: `M D` is none.
const MIN_NAME_LETTERS: usize = 4;

/// Where a value may be recognised.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Admission {
    /// In any text.
    Everywhere,
    /// Under the field key under which it was found.
    SameField,
}

/// True for a key that may hold anything.
pub(super) fn is_plain_key(key: &str) -> bool {
    let name: String = key.chars().filter(|c| is_key_char(*c)).flat_map(char::to_lowercase).collect();
    name.is_empty() || PLAIN_KEYS.contains(&name.as_str())
}

/// Decides about a value; `words` are its canonical words.
pub(super) fn admission(category: Category, value: &str, words: &[Span]) -> Admission {
    let telling = match category {
        Category::DateOfBirth
        | Category::Date
        | Category::Money
        | Category::Age
        | Category::Weight
        | Category::Gender => false,
        Category::Custom => true,
        Category::Password => tells_as_password(value),
        _ if category.is_secret() => !vocabulary::is_phrase(value) && !vocabulary::is_wordy(value),
        _ if category.is_checked_kind() => true,
        _ => tells(category, value, words),
    };
    if telling { Admission::Everywhere } else { Admission::SameField }
}

fn tells(category: Category, value: &str, words: &[Span]) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if category == Category::IpAddress {
        return letters > 0 || digits >= 6;
    }
    if letters == 0 {
        // `0020.0002` stands in many tables.
        let different = ('0'..='9').filter(|digit| value.contains(*digit)).count();
        return digits >= MIN_TELLING && different >= MIN_DIFFERENT;
    }
    if value.chars().any(stands_alone) {
        // One character is a word there; three are as telling as two words elsewhere.
        return letters >= 3;
    }
    if words.iter().all(|word| word.of(value).is_some_and(is_common)) || vocabulary::is_phrase(value) {
        return false;
    }
    match category {
        Category::Address => words.len() > 1 && digits > 0,
        Category::Person | Category::Username | Category::Org | Category::Location => {
            letters >= MIN_NAME_LETTERS
                && !vocabulary::is_identifier(value)
                && (words.len() > 1 || letters + digits >= MIN_TELLING)
        }
        _ => letters + digits >= MIN_TELLING,
    }
}

/// Eight characters of two kinds that are no words, no name of code and no name of a host.
fn tells_as_password(value: &str) -> bool {
    let kinds = [
        value.chars().any(char::is_lowercase),
        value.chars().any(char::is_uppercase),
        value.chars().any(|c| c.is_ascii_digit()),
        value.chars().any(|c| !c.is_alphanumeric()),
    ];
    value.chars().count() >= MIN_TELLING
        && kinds.iter().filter(|kind| **kind).count() >= 2
        && !vocabulary::is_phrase(value)
        && !vocabulary::is_wordy(value)
        && !is_host(value)
        && !is_sentence(value)
}

/// `db.internal.example.org`, `cache-1.example.org:6379`.
fn is_host(value: &str) -> bool {
    let name = value.split(':').next().unwrap_or_default();
    let labels = name.split('.').filter(|label| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    });
    let last = name.rsplit('.').next().unwrap_or_default();
    name.contains('.')
        && labels.count() == name.split('.').count()
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Words of a sentence, more than half of them common.
fn is_sentence(value: &str) -> bool {
    let words = value.split_whitespace().count();
    let common = value
        .split_whitespace()
        .filter(|word| is_common(word.trim_matches(|c: char| !c.is_alphanumeric())))
        .count();
    words > 1 && common * 2 > words
}

/// True for a word of every text, names that are also words included.
pub(crate) fn is_common(word: &str) -> bool {
    vocabulary::is_common(word) || COMMON_WORDS.contains(word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Span};

    use super::{Admission, admission, is_plain_key};
    use crate::canonical::Words;

    fn of(category: Category, value: &str) -> Admission {
        let words: Vec<Span> = Words::of(value).collect();
        admission(category, value, &words)
    }

    #[test]
    fn words_of_other_texts_are_known_only_under_their_key() {
        for (category, value) in [
            (Category::Password, "localhost"),
            (Category::Password, "SELECT * FROM users"),
            (Category::Password, "hunter"),
            (Category::Password, "db.internal.example.org"),
            (Category::Password, "getUserPassword"),
            (Category::Password, "correct battery"),
            (Category::Password, "12345678"),
            (Category::Phone, "123456"),
            (Category::OtherId, "1234567"),
            (Category::BankAccount, "0020.0002"),
            (Category::OtherId, "A-1234"),
            (Category::Person, "getUserById"),
            (Category::Person, "Error Code"),
            (Category::Person, "import os"),
            (Category::Person, "Docker"),
            (Category::Person, "M D"),
            (Category::Person, "HashTable"),
            (Category::Person, "Will"),
            (Category::Person, "Administrator"),
            (Category::Address, "sccache cc"),
            (Category::Secret, "notificationsLastEventId"),
            (Category::DateOfBirth, "1984-03-12"),
        ] {
            assert_eq!(of(category, value), Admission::SameField, "{value}");
        }
    }

    #[test]
    fn telling_values_are_known_everywhere() {
        for (category, value) in [
            (Category::Password, "hunter22!x"),
            (Category::Password, "!S3cret+word!"),
            (Category::Password, "Winter_2077"),
            (Category::Phone, "202-555-0143"),
            (Category::OtherId, "EMP-004711"),
            (Category::Person, "Marie Dubois"),
            (Category::Person, "Dominique"),
            (Category::Person, "Grace Hopper"),
            (Category::Person, "DeLaCruz"),
            (Category::Person, "陈凤兰"),
            (Category::Address, "12 rue des Lilas"),
            (Category::IpAddress, "203.0.113.7"),
            (Category::Email, "m@example.eu"),
            (Category::Secret, "a1b2c3d4e5"),
            (Category::Custom, "x"),
        ] {
            assert_eq!(of(category, value), Admission::Everywhere, "{value}");
        }
    }

    #[test]
    fn keys_that_every_message_has_are_no_field_keys() {
        for key in ["text", "Description", "message", "structuredContent", "name", ""] {
            assert!(is_plain_key(key), "{key}");
        }
        for key in ["password", "given_name", "employee_id", "dob"] {
            assert!(!is_plain_key(key), "{key}");
        }
    }
}
