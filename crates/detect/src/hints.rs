//! What the other keys of a record say about one of its values.
//!
//! In: keys of one object, or the header of one table. Out: a few bits. A bare `name` is a person's beside
//! `email` or `dob` and a package's beside `version`.

use std::sync::LazyLock;

use crate::keys::{self, Meaning};
use crate::lexicon::is_key_char;
use crate::word_set::WordSet;

static PEOPLE_KEYS: LazyLock<WordSet> =
    LazyLock::new(|| WordSet::read(include_str!("../data/people_keys.txt")));

/// Longest key, in bytes, that is compared with those of people.
const MAX_KEY_BYTES: usize = 32;

/// True for a key under which a record of a person stands, or a list of such: `user`, `assignees`, `reply_to`.
pub(crate) fn is_people_key(key: &str) -> bool {
    if key.len() > MAX_KEY_BYTES {
        return false;
    }
    if PEOPLE_KEYS.contains(key) {
        return true;
    }
    // `reply_to`, `createdBy`, `billing_contact`, `pullRequestAuthor`
    let joined: String = key.chars().filter(|c| is_key_char(*c)).collect();
    let last = key.rsplit(|c: char| !is_key_char(c)).next().unwrap_or_default();
    PEOPLE_KEYS.contains(&joined) || (last.len() > 4 && PEOPLE_KEYS.contains(last))
}

/// What the sibling keys of a value say about the record.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Hints(u16);

const PERSON: u16 = 1;
const ADDRESS: u16 = 1 << 1;
const CARD: u16 = 1 << 2;
const THING: u16 = 1 << 3;
const NAME: u16 = 1 << 4;
const SECOND: u16 = 1 << 5;
const THIRD: u16 = 1 << 6;
const MORE: u16 = 1 << 7;
const COUNTED: u16 = 1 << 8;
const FULL_NAME: u16 = 1 << 9;
const MESSAGE: u16 = 1 << 10;

/// Words of keys that records of messages have.
const MESSAGE_KEYS: &[&str] =
    &["text", "message", "body", "subject", "snippet", "from_id", "date_unixtime", "bodypreview", "msg"];

/// Words of keys that records of things have and records of people have not.
const THING_KEYS: &[&str] = &[
    "version",
    "license",
    "dependencies",
    "sku",
    "price",
    "qty",
    "quantity",
    "model",
    "color",
    "size",
    "path",
    "mimetype",
    "filename",
    "inputschema",
    "parameters",
    "schema",
    "integrity",
    "repository",
    "homepage",
    "image",
    "namespace",
    "node",
    "stargazers",
    "extension",
    "columns",
    "datatype",
    "stock",
    "artifact",
    "default_branch",
    "stargazers_count",
    "forks",
];

impl Hints {
    /// Reads the keys of one object. Keys may be in any spelling; order does not matter.
    #[must_use]
    pub fn of_keys<'a>(keys: impl Iterator<Item = &'a str>) -> Self {
        keys.fold(Self::default(), Self::and_key)
    }

    fn and_key(self, key: &str) -> Self {
        self.and_meaning(key, keys::meaning_of(key))
    }

    /// The same with a record of a person around.
    pub(crate) const fn with_person(self) -> Self {
        Self(self.0 | PERSON)
    }

    /// The same with one key more, whose meaning is known.
    pub(crate) fn and_meaning(self, key: &str, meaning: Option<Meaning>) -> Self {
        let bits = match meaning {
            Some(
                Meaning::Email
                | Meaning::Phone
                | Meaning::Birth
                | Meaning::Ssn
                | Meaning::NationalId
                | Meaning::AnyId
                | Meaning::Passport
                | Meaning::HealthId
                | Meaning::Gender
                | Meaning::Age
                | Meaning::Username
                | Meaning::NamePart
                | Meaning::Profession
                | Meaning::Title,
            ) => PERSON,
            Some(Meaning::Street | Meaning::AnyAddress | Meaning::PostCode | Meaning::ShortPostCode) => {
                PERSON | ADDRESS
            }
            Some(Meaning::Name) => NAME,
            Some(Meaning::City) => ADDRESS,
            Some(Meaning::FullName) => NAME | FULL_NAME,
            Some(Meaning::Card | Meaning::CardCode) => CARD,
            _ => 0,
        };
        let thing = THING_KEYS.iter().any(|word| key.eq_ignore_ascii_case(word));
        let card = ["exp", "expiry", "brand", "last4", "exp_month", "cvc"]
            .iter()
            .any(|word| key.eq_ignore_ascii_case(word));
        let message = MESSAGE_KEYS.iter().any(|word| key.eq_ignore_ascii_case(word));
        let bits = bits | if message { MESSAGE } else { 0 };
        Self(self.0 | bits | self.counted() | if thing { THING } else { 0 } | if card { CARD } else { 0 })
    }

    /// The bit for one more key.
    const fn counted(self) -> u16 {
        match self.0 & (SECOND | THIRD | COUNTED) {
            0 => COUNTED,
            COUNTED => SECOND,
            bits if bits & THIRD == 0 => THIRD,
            _ => MORE,
        }
    }

    /// The record holds a name, and nothing that only things have.
    #[must_use]
    pub const fn named(self) -> bool {
        self.0 & (NAME | PERSON) != 0 && self.0 & THING == 0
    }

    /// The record holds a place, and nothing that only things have.
    #[must_use]
    pub const fn placed(self) -> bool {
        self.0 & ADDRESS != 0 && self.0 & THING == 0
    }

    /// The record holds a name and little else.
    #[must_use]
    pub const fn named_pair(self) -> bool {
        self.named() && self.0 & MORE == 0
    }

    /// The record is about a person.
    #[must_use]
    pub const fn person_like(self) -> bool {
        self.0 & PERSON != 0 && self.0 & THING == 0
    }

    /// The record has a key for a whole name, beside which a bare `name` is that of an account.
    pub(crate) const fn has_full_name(self) -> bool {
        self.0 & FULL_NAME != 0
    }

    /// The record is a message.
    pub(crate) const fn message_like(self) -> bool {
        self.0 & MESSAGE != 0
    }

    /// The record holds an address or a part of one.
    #[must_use]
    pub const fn address_like(self) -> bool {
        self.0 & ADDRESS != 0
    }

    /// The record holds a payment card.
    #[must_use]
    pub const fn card_like(self) -> bool {
        self.0 & CARD != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Hints;

    #[test]
    fn records_of_people_and_of_things_differ() {
        for (keys, person) in [
            (&["id", "name", "email"][..], true),
            (&["name", "city", "dob"], true),
            (&["name", "version", "license"], false),
            (&["name", "email", "version"], false),
            (&["name"], false),
            (&["given", "family"], false),
            (&["firstName", "last_name"], true),
        ] {
            assert_eq!(Hints::of_keys(keys.iter().copied()).person_like(), person, "{keys:?}");
        }
        assert!(Hints::of_keys(["number", "cvc"].into_iter()).card_like());
        assert!(Hints::of_keys(["city", "line1"].into_iter()).address_like());
    }
}
