//! What is known of single words: given names, surnames, places, everyday words, words of programs.
//!
//! Out: a table from word to a number, see `Word::packed`. Keys are in small letters with their marks; a name is a
//! key without its marks, too, where that is no other word.

use std::collections::BTreeMap;

use anyhow::Context;
use cloakgate_detect::fold;
use cloakgate_names::build_table;

use super::fetch::Sources;
use super::people::{self, Part};

/// Longest key in bytes; `names` looks no further.
const MAX_WORD_BYTES: usize = 48;
/// People of a city whose name is kept for its own sake; smaller ones only mark words that are there already.
const MIN_PEOPLE: u64 = 100_000;
/// Words inside names that say nothing alone.
const PARTICLES: &[&str] = &[
    "al", "el", "de", "da", "di", "do", "du", "des", "den", "der", "dos", "das", "la", "le", "las", "los",
    "van", "von", "und", "und", "y", "e", "the", "of", "bin", "ibn", "abu", "san", "santa", "st", "ter",
    "ten", "te", "af", "av", "zu", "del", "della", "o", "mc", "mac", "ul", "ur", "na", "van't", "in", "op",
    "het", "jr", "sr", "ii", "iii",
];

/// Groups of languages whose names go together; a number is a place in the list.
const CULTURES: &[&[&str]] = &[
    &["en", "cy", "ga"],
    &["de", "nl", "lb", "fy"],
    &["sv", "da", "no", "nb", "is", "fi", "et"],
    &["fr"],
    &["es", "ca", "gl", "pt", "eu"],
    &["it", "ro", "mt"],
    &["pl", "cs", "sk", "lt", "lv"],
    &["hr", "sr", "sl", "bs", "mk", "bg"],
    &["ru", "uk", "be"],
    &["el", "hu", "sq"],
    &["tr", "az", "uz", "kk", "ky", "tk"],
    &["hy", "ka"],
    &["ar", "dv"],
    &["fa", "ku", "ps", "ur"],
    &["he"],
    &["hi", "bn", "gu", "mr", "or", "ta", "te", "ne", "si", "pa"],
    &["zh", "tw"],
    &["ja"],
    &["ko"],
    &["vi", "th", "id", "ms", "fil", "tl"],
    &["yo", "ig", "ha", "zu", "sw", "af", "xh"],
];

#[derive(Clone, Copy, Debug, Default)]
struct Word {
    male: bool,
    female: bool,
    surname: bool,
    place: bool,
    technical: bool,
    weight: u8,    // 0 to 3, of the name
    lists: u8,     // how many lists the name is in
    everyday: u8,  // 0 to 3
    cultures: u32, // a bit for each place of CULTURES
}

impl Word {
    const fn is_name(&self) -> bool {
        self.male || self.female || self.surname
    }

    /// Bit 0 male, 1 female, 2 surname, 3 place, 4 technical, 5-6 everyday, 7-8 how common a name, 9-13 culture: its
    /// number, 0 when there is none, or the name is at home in several.
    fn packed(&self) -> u32 {
        let flag = |set: bool, bit: u32| u32::from(set) << bit;
        // The people of the United States have names of all cultures.
        let own = if self.cultures == 1 { 1 } else { self.cultures & !1 };
        let culture = if own.count_ones() == 1 { own.trailing_zeros() } else { 0 };
        // A name of many lists is common somewhere, whatever one list says of it.
        let weight = self.weight.max(if self.is_name() { (self.lists / 4).min(2) } else { 0 });
        flag(self.male, 0)
            | flag(self.female, 1)
            | flag(self.surname, 2)
            | flag(self.place, 3)
            | flag(self.technical, 4)
            | u32::from(self.everyday) << 5
            | u32::from(weight) << 7
            | culture << 9
    }
}

#[derive(Default)]
struct Words(BTreeMap<String, Word>);

pub(super) fn build(sources: &Sources, technical: &str, everyday: &str) -> anyhow::Result<Vec<u8>> {
    let mut words = Words::default();
    for entry in people::entries(sources)? {
        words.add_name(&entry);
    }
    words.add_bare_names();
    for (language, word, commonness) in people::words(sources)? {
        // Chinese and Japanese are written without blanks: their words have tables of their own.
        if !matches!(language.as_str(), "zh" | "ja") {
            words.add_everyday(&word, commonness);
        }
    }
    for line in lines(everyday) {
        let (_, list) = line.split_once(": ").context("a line of everyday.txt names no language")?;
        list.split_whitespace().for_each(|word| words.add_everyday(word, 2));
    }
    for word in lines(technical).flat_map(str::split_whitespace) {
        words.0.entry(word.to_owned()).or_default().technical = true;
    }
    words.add_places(sources)?;
    let keys = words.0.into_iter().filter(|(key, word)| key.len() <= MAX_WORD_BYTES && word.packed() != 0);
    build_table(&keys.map(|(key, word)| (key, word.packed())).collect()).context("too many kinds of words")
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Words {
    /// Each word of a name is one by itself.
    fn add_name(&mut self, entry: &people::Entry) {
        let culture = CULTURES.iter().position(|group| group.contains(&entry.language.as_str()));
        for part in entry.name.split([' ', '-', '\u{a0}', '·', '/']) {
            let key = part.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
            let short = key.chars().count() < if key.is_ascii() { 2 } else { 1 };
            let letters =
                key.chars().all(|c| c.is_alphabetic() || is_mark(c) || matches!(c, '\'' | '’' | '\u{200c}'));
            if short || !letters || PARTICLES.contains(&key.as_str()) {
                continue;
            }
            let word = self.0.entry(key.replace('’', "'")).or_default();
            match entry.part {
                Part::Male => word.male = true,
                Part::Female => word.female = true,
                Part::Given => (word.male, word.female) = (true, true),
                Part::Surname => word.surname = true,
            }
            word.weight = word.weight.max(entry.weight);
            word.lists = word.lists.saturating_add(1);
            word.cultures |= culture.map_or(0, |place| 1 << place);
        }
    }

    /// Names as people write them who have no key for the marks.
    fn add_bare_names(&mut self) {
        let bare: Vec<(String, Word)> = self
            .0
            .iter()
            .filter(|(key, _)| !key.is_ascii() && key.chars().all(|c| u32::from(c) < 0x250))
            .map(|(key, word)| (fold(key), *word))
            .collect();
        for (key, word) in bare {
            if !key.is_empty() && !key.contains(' ') {
                self.0.entry(key).or_insert(word);
            }
        }
    }

    fn add_everyday(&mut self, word: &str, commonness: u8) {
        let key = word.trim().to_lowercase();
        let letters = key.chars().all(|c| c.is_alphabetic() || is_mark(c) || c == '\'');
        if letters && key.chars().count() >= 2 {
            let word = self.0.entry(key).or_default();
            word.everyday = word.everyday.max(commonness);
        }
    }

    /// Names of one word of countries, regions and cities.
    fn add_places(&mut self, sources: &Sources) -> anyhow::Result<()> {
        for (name, people) in super::places::single_words(sources)? {
            let key = name.to_lowercase();
            if people >= MIN_PEOPLE {
                self.0.entry(key).or_default().place = true;
            } else if let Some(word) = self.0.get_mut(&key) {
                word.place = true;
            }
        }
        Ok(())
    }
}

/// Marks that are no letters but belong to words of scripts such as Devanagari.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x5b0..=0x5c7 | 0x64b..=0x670 | 0x900..=0x903 | 0x93a..=0xdff | 0xe31..=0xe4e)
}
