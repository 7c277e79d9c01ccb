//! The one table that every word of a text is looked up in.
//!
//! In: a word or a phrase without its separators. Out: its meaning as a key, and its roles. Built once from the data
//! files and the names of the numbers that states give; words are compared by their hash (the files hold no two entries
//! with one hash, a test checks). Invariant: a look-up of a word that is not in the table reads one bit. Not here: the
//! hash (`word_hash`).

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::address;
use crate::canonical::{is_word_char, without_stroke};
use crate::hash_filter::HashFilter;
use crate::keys::Meaning;
use crate::recognise;
use crate::word_hash::{hash, hash_of_chunks, pair};

const KEY_FILE: &str = include_str!("../data/keys.txt");
const WORD_FILE: &str = include_str!("../data/words.txt");

/// Longest word, in bytes, that is looked up.
pub(crate) const MAX_WORD_BYTES: usize = 64;

/// Fewest letters of a phrase that is known without its accents too.
const MIN_PLAIN_LETTERS: usize = 5;

/// Words of English that phrases without their accents would be.
const OTHER_WORDS: &[&str] = &["presents", "assure"];

/// Roles of a word, as a bit set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Roles(u16);

impl Roles {
    /// Last word of a key phrase.
    pub(crate) const KEY_END: Self = Self(1);
    /// Form of address.
    pub(crate) const TITLE: Self = Self(1 << 1);
    /// Ends a letter; a name follows.
    pub(crate) const CLOSING: Self = Self(1 << 2);
    /// Head of a mail line that holds people.
    pub(crate) const HEAD: Self = Self(1 << 3);
    /// May begin an `Authorization` value.
    pub(crate) const AUTHORIZATION: Self = Self(1 << 4);
    /// Command whose arguments hold a password.
    pub(crate) const SHELL: Self = Self(1 << 5);
    /// Opens a letter; a name follows.
    pub(crate) const GREETING: Self = Self(1 << 7);
    /// Follows the name of a mail's writer.
    pub(crate) const WROTE: Self = Self(1 << 6);

    /// Word of an address: a kind of street, a flat, a box.
    pub(crate) const STREET: Self = Self(1 << 9);

    /// Kind of paper that belongs to somebody.
    pub(crate) const PAPER: Self = Self(1 << 10);

    /// Begins what a booking says of a traveller's paper.
    pub(crate) const TRAVEL: Self = Self(1 << 11);
    /// Element of a clinical document that holds a patient.
    pub(crate) const PATIENT: Self = Self(1 << 12);

    /// Name of a call that takes a name and a password.
    pub(crate) const CALL: Self = Self(1 << 13);

    /// A key phrase by itself.
    const WHOLE_KEY: Self = Self(1 << 8);

    /// The roles of both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True when the other set holds all of these.
    pub(crate) const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// True when the two sets share a role.
    pub(crate) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64, // 0 = free
    meaning: Option<Meaning>,
    roles: Roles,
}

/// Words and phrases by hash.
pub(crate) struct Lexicon {
    words: Filter,    // all that `slots` holds
    pairs: Filter,    // the last two words of phrases, by both hashes
    endings: Filter,  // the last eight bytes of phrases
    slots: Vec<Slot>, // length is a power of two, at least twice the number of entries
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(KEY_FILE, WORD_FILE));

/// The table, built at its first use.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// Which words may be in the table: some twenty bits for each entry, so that few others pass.
pub(crate) type Filter = HashFilter<4096>;

/// Hash of the last bytes of a phrase, its words joined.
fn of_ending(ending: [u8; 8]) -> u64 {
    hash_of_chunks(u64::from_le_bytes(ending), 0, 8)
}

impl Lexicon {
    fn read(keys: &str, words: &str) -> Self {
        let mut lexicon = Self {
            words: Filter::new(),
            pairs: Filter::new(),
            endings: Filter::new(),
            slots: vec![Slot::default(); 16_384],
        };
        for (name, phrases) in entries(keys) {
            let Some(meaning) = Meaning::from_name(name) else { continue };
            for phrase in phrases {
                lexicon.add_phrase(phrase, meaning);
            }
        }
        for kind in recognise::kinds() {
            let Some(meaning) = Meaning::of_number(kind.category) else { continue };
            for cue in kind.cues {
                lexicon.add_phrase(cue, meaning);
            }
        }
        for (name, phrases) in entries(keys) {
            let Some(meaning) = Meaning::from_name(name) else { continue };
            for phrase in phrases.filter_map(without_accents) {
                lexicon.add_phrase(&phrase, meaning);
            }
        }
        for (name, phrases) in entries(words) {
            let roles = match name {
                "Title" => Roles::TITLE,
                "Closing" => Roles::CLOSING,
                "Head" => Roles::HEAD,
                "Authorization" => Roles::AUTHORIZATION,
                "Shell" => Roles::SHELL,
                "Call" => Roles::CALL,
                "Wrote" => Roles::WROTE,
                "Greeting" => Roles::GREETING,
                "Paper" => Roles::PAPER,
                "Travel" => Roles::TRAVEL,
                "Patient" => Roles::PATIENT,
                _ => continue,
            };
            for phrase in phrases {
                for spelling in spellings(phrase) {
                    lexicon.insert(spelling.as_bytes(), None, roles);
                }
            }
        }
        for word in address::anchors() {
            for spelling in spellings(word) {
                lexicon.insert(spelling.as_bytes(), None, Roles::STREET);
            }
        }
        lexicon
    }

    fn add_phrase(&mut self, phrase: &str, meaning: Meaning) {
        for spelling in spellings(phrase) {
            let joined: String = spelling.chars().filter(|c| is_key_char(*c)).collect();
            if joined.is_empty() {
                continue;
            }
            if let Some(ending) = joined.as_bytes().last_chunk() {
                self.endings.add(of_ending(*ending));
            }
            let whole = Roles(Roles::KEY_END.0 | Roles::WHOLE_KEY.0);
            self.insert(joined.as_bytes(), Some(meaning), whole);
            let mut words = spelling.split(|c: char| !is_key_char(c)).filter(|word| !word.is_empty());
            if let (Some(last), Some(before)) = (words.next_back(), words.next_back()) {
                self.insert(last.as_bytes(), None, Roles::KEY_END);
                self.pairs.add(pair(hash(before.as_bytes()), hash(last.as_bytes())));
            }
        }
    }

    /// Adds an entry. Roles add up; of two meanings of one phrase the first counts.
    fn insert(&mut self, word: &[u8], meaning: Option<Meaning>, roles: Roles) {
        let hash = hash(word);
        self.words.add(hash);
        let mask = self.slots.len() - 1;
        let start = usize::try_from(hash >> 1).unwrap_or(0);
        for step in 0..self.slots.len() {
            let Some(slot) = self.slots.get_mut((start + step) & mask) else { return };
            if slot.hash == 0 || slot.hash == hash {
                slot.hash = hash;
                slot.roles = Roles(slot.roles.0 | roles.0);
                slot.meaning = slot.meaning.or(meaning);
                return;
            }
        }
    }

    #[inline]
    fn slot(&self, hash: u64) -> Option<&Slot> {
        if !self.words.may_hold(hash) {
            return None;
        }
        let mask = self.slots.len() - 1;
        let start = (hash >> 1) as usize;
        for step in 0..self.slots.len() {
            let slot = self.slots.get(start.wrapping_add(step) & mask)?;
            if slot.hash == hash {
                return Some(slot);
            }
            if slot.hash == 0 {
                return None;
            }
        }
        None
    }

    /// Roles of one word of a text.
    pub(crate) fn roles(&self, word: &[u8]) -> Roles {
        if word.len() > MAX_WORD_BYTES { Roles::default() } else { self.roles_of(hash(word)) }
    }

    /// The words that have a role; most have none.
    #[inline]
    pub(crate) const fn words(&self) -> &Filter {
        &self.words
    }

    /// Roles of a word by its hash.
    #[inline]
    pub(crate) fn roles_of(&self, hash: u64) -> Roles {
        self.slot(hash).map_or(Roles::default(), |slot| slot.roles)
    }

    /// Whether a key phrase may end with a word of these roles, given the hashes of the word before and its own.
    /// Frequent words such as `by` and `at` end phrases only after certain others.
    #[inline]
    pub(crate) fn ends_key(&self, roles: Roles, before: u64, word: u64) -> bool {
        roles.any(Roles::WHOLE_KEY) || (roles.any(Roles::KEY_END) && self.may_follow(before, word))
    }

    /// False when no phrase ends like these words, joined.
    pub(crate) fn may_end_with(&self, joined: &[u8]) -> bool {
        joined.last_chunk().is_none_or(|ending| self.endings.may_hold(of_ending(*ending)))
    }

    /// Meaning of a key phrase, its words joined.
    pub(crate) fn meaning(&self, joined: &[u8]) -> Option<Meaning> {
        self.meaning_of(hash(joined))
    }

    /// Meaning of a key of one word by its hash.
    pub(crate) fn meaning_of(&self, hash: u64) -> Option<Meaning> {
        self.slot(hash)?.meaning
    }

    /// False when no phrase ends with the two words of these hashes.
    #[inline]
    pub(crate) fn may_follow(&self, before: u64, word: u64) -> bool {
        self.pairs.may_hold(pair(before, word))
    }
}

/// Characters that count in a phrase; all else separates.
pub(crate) fn is_key_char(c: char) -> bool {
    is_word_char(c) || matches!(c, '°' | 'º')
}

/// A phrase as written, and with other capitals where hashing does not fold them.
fn spellings(phrase: &str) -> impl Iterator<Item = String> {
    let needs_more = phrase.chars().any(|c| u32::from(c) > 0xff && c.is_lowercase());
    let mut all = vec![phrase.to_owned()];
    if needs_more {
        let capitalised = phrase
            .split_inclusive(' ')
            .map(|word| {
                let mut chars = word.chars();
                chars
                    .next()
                    .map(|first| first.to_uppercase().chain(chars).collect::<String>())
                    .unwrap_or_default()
            })
            .collect::<String>();
        let mut sentence = phrase.chars();
        let first_up = sentence
            .next()
            .map(|first| first.to_uppercase().chain(sentence).collect::<String>())
            .unwrap_or_default();
        all.extend([phrase.to_uppercase(), capitalised, first_up]);
    }
    all.into_iter()
}

/// `datum narozeni` for `datum narození`: as columns and fields of programs write it. Short words would be others.
fn without_accents(phrase: &str) -> Option<String> {
    if phrase.is_ascii() {
        return None;
    }
    let unmarked = |c| if c == '’' { '\'' } else { without_stroke(c) };
    let plain: String = phrase.nfd().filter(|c| !is_combining_mark(*c)).map(unmarked).collect();
    let letters = plain.chars().filter(|c| is_key_char(*c)).count();
    let other = OTHER_WORDS.contains(&plain.as_str());
    (plain.is_ascii() && letters >= MIN_PLAIN_LETTERS && !other).then_some(plain)
}

fn entries(file: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .map(|(name, phrases)| (name, phrases.split(", ")))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{KEY_FILE, Roles, WORD_FILE, entries, hash, is_key_char, lexicon, spellings};
    use crate::keys::Meaning;

    #[test]
    fn every_line_of_the_files_is_read() {
        for line in KEY_FILE.lines().filter(|line| !line.starts_with('#')) {
            let name = line.split(": ").next().unwrap();
            assert!(Meaning::from_name(name).is_some(), "{name}");
        }
        assert_eq!(WORD_FILE.lines().filter(|line| !line.starts_with('#')).count(), 11);
    }

    #[test]
    fn no_two_phrases_share_a_hash() {
        let mut seen: HashMap<u64, String> = HashMap::new();
        for (_, phrases) in entries(KEY_FILE) {
            for spelling in phrases.flat_map(spellings) {
                let joined: String =
                    spelling.chars().filter(|c| is_key_char(*c)).collect::<String>().to_lowercase();
                let key = hash(joined.as_bytes());
                let other = seen.entry(key).or_insert_with(|| joined.clone());
                assert_eq!(*other, joined);
            }
        }
    }

    #[test]
    fn words_are_found_in_any_case() {
        for (word, role) in [
            ("Password", Roles::KEY_END),
            ("PASSWORT", Roles::KEY_END),
            ("prénom", Roles::KEY_END),
            ("PRÉNOM", Roles::KEY_END),
            ("Имя", Roles::KEY_END),
            ("Herr", Roles::TITLE),
            ("regards", Roles::CLOSING),
        ] {
            assert!(lexicon().roles(word.as_bytes()).any(role), "{word}");
        }
        for word in ["", "levenshtein", "Kubernetes", "x".repeat(500).as_str()] {
            assert_eq!(lexicon().roles(word.as_bytes()), Roles::default(), "{word}");
        }
    }
}
