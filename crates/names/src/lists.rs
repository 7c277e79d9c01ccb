//! What is known of a single word: given name, surname, place, everyday word, word of programs.
//!
//! In: one word. Out: evidence. Invariant: a look-up is one probe of a table and allocates nothing for a word of
//! ASCII letters. Not here: whether a word is a name where it stands; a list alone never decides that.

mod roles;
mod table;

use cloakgate_detect::fold;

pub(crate) use self::roles::{Role, RoleSet, Roles};
pub(crate) use self::table::Hash;
use self::table::Table;
pub use self::table::build_table;
use crate::integrity::check;
use crate::names::NamesError;

static WORDS: &[u8] = include_bytes!("../data/words.bin");
const WORDS_SHA256: &str = include_str!("../data/words.sha256");
static HAN: &[u8] = include_bytes!("../data/han.bin");
const HAN_SHA256: &str = include_str!("../data/han.sha256");
/// No key is longer.
const MAX_WORD_BYTES: usize = 48;

/// To whom a given name is given.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Given {
    Male,
    Female,
    Both,
}

/// What the lists say of a word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct WordEvidence {
    /// Whether it is a given name, and whose.
    pub(crate) given: Option<Given>,
    /// Whether it is a surname.
    pub(crate) surname: bool,
    /// How common a name, from 0 (rare, or none) to 3.
    pub(crate) frequency: u8,
    /// How common a word of a language, from 0 (none) over 1 (a word) and 2 (a frequent one) to 3 (a function word).
    pub(crate) everyday: u8,
    /// Whether programs, protocols, products or brands are called so.
    pub(crate) technical: bool,
    /// Whether a place is called so.
    pub(crate) place: bool,
    /// Number of the group of languages in which it is a name; 0 when it is English or in several.
    pub(crate) culture: u8,
}

impl WordEvidence {
    const fn unpack(packed: u32) -> Self {
        Self {
            given: match packed & 3 {
                1 => Some(Given::Male),
                2 => Some(Given::Female),
                3 => Some(Given::Both),
                _ => None,
            },
            surname: packed & 4 != 0,
            frequency: (packed >> 7 & 3) as u8,
            everyday: (packed >> 5 & 3) as u8,
            technical: packed & 16 != 0,
            place: packed & 8 != 0,
            culture: (packed >> 9 & 31) as u8,
        }
    }

    /// A given name or a surname.
    pub(crate) const fn is_name(&self) -> bool {
        self.given.is_some() || self.surname
    }

    /// A word that means something else than a person.
    pub(crate) const fn is_other(&self) -> bool {
        self.everyday > 0 || self.technical || self.place
    }
}

/// What is known of a Chinese character: how likely it stands in a name, 0 when it does not.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct HanEvidence {
    /// As a surname: 1 to 7, a step is a factor of e.
    pub(crate) surname: u8,
    /// In a given name: 1 to 15, two steps are a factor of e.
    pub(crate) given: u8,
    /// In a foreign name, for a sound: 1 to 7, a step is a factor of 2.
    pub(crate) foreign: u8,
}

/// A word of the Chinese dictionary.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct HanWord {
    /// 4 × -ln of its share of all words.
    pub(crate) cost: u32,
    /// Whether somebody is called so.
    pub(crate) person: bool,
    /// Whether it means something else, too.
    pub(crate) more: bool,
}

/// The lists.
pub(crate) struct Lists {
    words: Table,
    han: Table,
    roles: Roles,
}

impl Lists {
    /// The lists that are built in.
    ///
    /// # Errors
    /// When they are damaged.
    pub(crate) fn load() -> Result<Self, NamesError> {
        Ok(Self {
            words: read(WORDS, WORDS_SHA256, "words.bin")?,
            han: read(HAN, HAN_SHA256, "han.bin")?,
            roles: Roles::load().ok_or(NamesError::Damaged { file: "roles.txt" })?,
        })
    }

    /// What is known of a word, whatever its case.
    pub(crate) fn word(&self, word: &str) -> WordEvidence {
        if word.len() > MAX_WORD_BYTES {
            return WordEvidence::default();
        }
        if word.is_ascii() {
            return self
                .at(word.bytes().fold(Hash::new(), |hash, byte| hash.byte(byte.to_ascii_lowercase())));
        }
        let small = word.chars().flat_map(char::to_lowercase);
        let found = self.at(small.fold(Hash::new(), |hash, c| hash.char(if c == '’' { '\'' } else { c })));
        let bare = found == WordEvidence::default() && word.chars().all(|c| u32::from(c) < 0x250);
        if bare { self.at(Hash::of(&fold(word))) } else { found }
    }

    /// What words are beside names.
    pub(crate) const fn roles(&self) -> &Roles {
        &self.roles
    }

    /// What is known of a Chinese character.
    pub(crate) fn han(&self, c: char) -> HanEvidence {
        let packed = self.han.number(Hash::new().char(c)).and_then(|number| number.checked_sub(1000));
        let packed = packed.unwrap_or_default();
        HanEvidence {
            surname: (packed & 7) as u8,
            given: (packed >> 3 & 15) as u8,
            foreign: (packed >> 7 & 7) as u8,
        }
    }

    /// The simplified character for a traditional one; others stay.
    pub(crate) fn simplified(&self, c: char) -> char {
        let number = self.han.number(Hash::new().byte(b't').char(c));
        number.and_then(|number| char::from_u32(number.checked_sub(4000)?)).unwrap_or(c)
    }

    /// A Chinese word of simplified characters.
    pub(crate) fn han_word(&self, word: &[char]) -> Option<HanWord> {
        let start = if word.len() == 1 { Hash::new().byte(b's') } else { Hash::new() };
        let number = self.han.number(word.iter().fold(start, |hash, c| hash.char(*c)))?;
        Some(HanWord { cost: number % 100, person: number >= 100, more: number / 100 != 1 })
    }

    /// How likely a character is part of a Japanese given name, from 0 to 15.
    pub(crate) fn japanese_given(&self, c: char) -> u32 {
        self.han.number(Hash::new().byte(b'j').char(c)).unwrap_or_default()
    }

    fn at(&self, hash: Hash) -> WordEvidence {
        self.words.number(hash).map(WordEvidence::unpack).unwrap_or_default()
    }
}

impl std::fmt::Debug for Lists {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Lists")
    }
}

/// A table that is built in, checked.
fn read(bytes: &[u8], sha256: &str, file: &'static str) -> Result<Table, NamesError> {
    check(file, bytes, sha256.trim())?;
    Table::read(bytes).ok_or(NamesError::Damaged { file })
}

#[cfg(test)]
mod tests {
    use super::{Given, Lists};

    #[test]
    fn words_are_what_the_lists_say() {
        let lists = Lists::load().unwrap();
        for (word, given, surname, everyday, technical, place) in [
            ("Katarzyna", Some(Given::Female), false, false, false, false),
            ("MÜLLER", None, true, false, false, false),
            ("Lindström", None, true, false, false, false),
            ("lindstrom", None, true, false, false, false),
            ("Иванов", None, true, false, false, false),
            ("Jenkins", None, true, false, true, false),
            ("Kubernetes", None, false, false, true, false),
            ("Donnerstag", None, false, true, false, false),
            ("Uruguay", None, false, false, false, true),
            ("xyzzyx", None, false, false, false, false),
            ("", None, false, false, false, false),
        ] {
            let found = lists.word(word);
            assert_eq!(
                (found.surname, found.everyday > 0, found.technical, found.place),
                (surname, everyday, technical, place),
                "{word}"
            );
            assert!(given.is_none() || found.given == given, "{word}: {found:?}");
        }
    }

    #[test]
    fn names_that_are_words_are_both() {
        let lists = Lists::load().unwrap();
        for word in ["Mark", "Will", "May", "Grace", "Bill", "Rose"] {
            let found = lists.word(word);
            assert!(found.is_name() && found.is_other(), "{word}: {found:?}");
        }
    }

    #[test]
    fn chinese_characters_are_what_they_are_in_names() {
        let lists = Lists::load().unwrap();
        assert!(lists.han('王').surname >= 6 && lists.han('的').surname == 0);
        assert!(lists.han('明').given >= 10 && lists.han('的').given < 8);
        assert!(lists.han('斯').foreign >= 6);
        assert_eq!((lists.simplified('孫'), lists.simplified('山')), ('孙', '山'));
        assert!(lists.han_word(&['政', '府']).is_some_and(|word| word.cost < 40 && !word.person));
        assert!(lists.han_word(&['的']).is_some_and(|word| word.cost < 30));
        assert!(lists.japanese_given('太') >= 8);
    }

    #[test]
    fn long_words_are_nothing() {
        let lists = Lists::load().unwrap();
        assert!(!lists.word(&"é".repeat(500)).is_name());
        assert!(!lists.word(&"ẞ".repeat(16)).is_name());
    }
}
