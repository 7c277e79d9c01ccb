//! Chinese words and characters, for reading names in texts that have no blanks.
//!
//! Out: a table with five kinds of keys. A word of two to four characters: its cost, 4 × -ln of its share of all
//! words, at most 63; `100 +` it where the word is a person's name, `200 +` it where it is one and more besides. A character: `1000 + surname + given * 8 + foreign * 128`, how likely it begins a name (0 to 7),
//! is part of a given name (0 to 15), or writes a sound of a foreign name (0 to 7). `t` and a traditional character:
//! `4000 +` the simplified one. `s` and a character: its cost as a word. `j` and a character: how likely it is part of a Japanese given name (1 to 15).
//! All words are in simplified characters.

use std::collections::BTreeMap;

use anyhow::Context;
use cloakgate_names::build_table;

use super::fetch::Sources;
use super::people::{self, Part};

/// How often a word must have been seen.
const MIN_SEEN: u64 = 20;
const MAX_COST: u32 = 63;

/// What a dictionary says of a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Known {
    Word,
    /// Of someone with a Chinese surname.
    Chinese,
    /// Of someone else.
    Foreign,
}

#[derive(Default)]
struct Counts {
    surnames: BTreeMap<char, f64>,
    given: BTreeMap<char, f64>,
    foreign: BTreeMap<char, f64>,
    single: BTreeMap<char, u64>,
    words: BTreeMap<String, (u64, Known)>,
    all: u64,
}

pub(super) fn build(sources: &Sources, surnames: &str) -> anyhow::Result<Vec<u8>> {
    let surnames: Vec<&str> =
        surnames.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    let mut counts = Counts::default();
    let dictionary = sources.text("jieba", "jieba-0.42.1/jieba/dict.txt")?;
    for line in dictionary.lines() {
        let cells: Vec<&str> = line.split(' ').collect();
        let [word, seen, kind] = cells.as_slice() else { anyhow::bail!("the dictionary has another form") };
        counts.add(word, seen.parse().context("a count is no number")?, kind, &surnames);
    }
    for surname in surnames.iter().flat_map(|surname| surname.chars().next()) {
        *counts.surnames.entry(surname).or_default() += 20.0;
    }
    let mut numbers = counts.numbers();
    let simple = sources.text("opencc-python-reimplemented", "opencc/dictionary/TSCharacters.txt")?;
    for line in simple.lines() {
        let (old, new) = line.split_once('\t').context("the table of characters has another form")?;
        let new = new.split(' ').next().and_then(|new| new.chars().next());
        let known = new.filter(|new| counts.single.contains_key(new));
        if let Some(new) = known.filter(|new| !old.starts_with(*new)) {
            numbers.insert(format!("t{old}"), 4000 + u32::from(new));
        }
    }
    for (c, likely) in japanese(sources)? {
        numbers.insert(format!("j{c}"), likely);
    }
    build_table(&numbers).context("too many kinds of characters")
}

impl Counts {
    fn add(&mut self, word: &str, seen: u64, kind: &str, surnames: &[&str]) {
        let characters: Vec<char> = word.chars().collect();
        self.all += seen;
        if !characters.iter().all(|c| matches!(c, '\u{4e00}'..='\u{9fff}')) {
            return;
        }
        let commonness = (seen as f64).ln() + 1.0;
        let mut known = Known::Word;
        match characters.as_slice() {
            [c] => *self.single.entry(*c).or_default() += seen,
            [surname, given @ ..]
                if kind.starts_with("nr")
                    && kind != "nrt"
                    && given.len() == 2
                    && surnames.contains(&surname.to_string().as_str()) =>
            {
                *self.surnames.entry(*surname).or_default() += commonness;
                given.iter().for_each(|c| *self.given.entry(*c).or_default() += commonness);
                known = Known::Chinese;
            }
            [surname, _] if kind.starts_with("nr") && surnames.contains(&surname.to_string().as_str()) => {
                known = Known::Chinese;
            }
            sounds if kind == "nrt" && sounds.len() >= 3 => {
                sounds.iter().for_each(|c| *self.foreign.entry(*c).or_default() += commonness);
                known = Known::Foreign;
            }
            [_, ..] if kind.starts_with("nr") => known = Known::Foreign,
            _ => {}
        }
        if (2..=4).contains(&characters.len()) && seen >= MIN_SEEN {
            self.words.insert(word.to_owned(), (seen, known));
        }
    }

    /// `黄金` in `黄金周`.
    fn begins_with_word(&self, word: &str) -> bool {
        let first: String = word.chars().take(2).collect();
        self.words.get(&first).is_some_and(|(seen, known)| *seen >= 300 && *known == Known::Word)
    }

    fn numbers(&self) -> BTreeMap<String, u32> {
        let mut numbers = BTreeMap::new();
        for (c, seen) in &self.single {
            let cost = -4.0 * (*seen as f64 / self.all as f64).ln();
            numbers.insert(format!("s{c}"), (cost.round() as u32).min(MAX_COST));
        }
        let given = levels(&self.given, 0.5, 15);
        let surnames = levels(&self.surnames, 1.0, 7);
        let foreign = levels(&self.foreign, 0.7, 7);
        for (word, (seen, known)) in &self.words {
            let cost = -4.0 * (*seen as f64 / self.all as f64).ln();
            // The dictionary takes many a phrase for a name: the characters must be those of names.
            let rest = |least: u32, of: &BTreeMap<char, u32>, skipped: usize| {
                word.chars().skip(skipped).all(|c| of.get(&c).is_some_and(|level| *level >= least))
            };
            let person = match (known, word.chars().count()) {
                (Known::Chinese, 2) if rest(6, &given, 1) => 200,
                (Known::Chinese, 3) if rest(6, &given, 1) && !self.begins_with_word(word) => 100,
                (Known::Foreign, _) if rest(3, &foreign, 0) => 100,
                _ => 0,
            };
            numbers.insert(word.clone(), person + (cost.round() as u32).min(MAX_COST));
        }
        let characters = self.single.keys().chain(given.keys()).chain(foreign.keys());
        for c in characters {
            let level = |of: &BTreeMap<char, u32>| of.get(c).copied().unwrap_or_default();
            let number = level(&surnames) + level(&given) * 8 + level(&foreign) * 128;
            numbers.insert(c.to_string(), 1000 + number);
        }
        numbers
    }
}

/// Counts on a scale that ends at `most`, each level `step` in the logarithm below the next; what is rarer is left out.
fn levels(counts: &BTreeMap<char, f64>, step: f64, most: u32) -> BTreeMap<char, u32> {
    let largest = counts.values().copied().fold(1.0, f64::max);
    let level = |count: f64| (f64::from(most) + (count / largest).ln() / step).round();
    counts
        .iter()
        .map(|(c, count)| (*c, level(*count)))
        .filter(|(_, level)| *level >= 1.0)
        .map(|(c, level)| (c, level as u32))
        .collect()
}

/// Characters of Japanese given names.
fn japanese(sources: &Sources) -> anyhow::Result<BTreeMap<char, u32>> {
    let mut counts: BTreeMap<char, f64> = BTreeMap::new();
    let folder = "japanese_personal_name_dataset/dataset";
    for file in ["first_name_man_org.csv", "first_name_woman_org.csv"] {
        let list = sources.text("japanese-personal-name-dataset", &format!("{folder}/{file}"))?;
        let spellings = list.lines().flat_map(|line| line.split(',').skip(2));
        for c in spellings.flat_map(str::chars).filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}' | '々')) {
            *counts.entry(c).or_default() += 1.0;
        }
    }
    let names = people::entries(sources)?;
    let given = names.iter().filter(|entry| entry.language == "ja" && entry.part != Part::Surname);
    for c in given.flat_map(|entry| entry.name.chars()).filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}')) {
        *counts.entry(c).or_default() += 20.0;
    }
    Ok(levels(&counts, 0.5, 15))
}
