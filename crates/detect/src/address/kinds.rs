//! What a word of an address is: a kind of street, a part of a house, a mark of a number, a kind of place.
//!
//! In: a word. Out: a set of bits. Built once from `data/streets.txt`. Invariant: letters' case does not count, and a
//! look-up is one probe. Not here: how the words stand to each other (`address`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::word_hash::hash;

/// Longest word that is looked up, in bytes.
const MAX_WORD_BYTES: usize = 40;

/// What a word may be in an address, as a bit set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Kind(u16);

impl Kind {
    /// `12 Elm Street`.
    pub(crate) const NUMBER_NAME_KIND: Self = Self(1);
    /// `Kossuth utca 12`.
    pub(crate) const NAME_KIND_NUMBER: Self = Self(1 << 1);
    /// `Calle Mayor 12`.
    pub(crate) const KIND_NAME_NUMBER: Self = Self(1 << 2);
    /// `12, rue Haute`.
    pub(crate) const NUMBER_KIND_NAME: Self = Self(1 << 3);
    /// A word with other uses.
    pub(crate) const DOUBTFUL: Self = Self(1 << 4);
    /// A kind of street with a small letter too.
    pub(crate) const SMALL: Self = Self(1 << 5);
    /// Part of a house.
    pub(crate) const UNIT: Self = Self(1 << 6);
    /// Part of a house that says that a street stands before it.
    pub(crate) const FLAT: Self = Self(1 << 7);
    /// Mark of a number.
    pub(crate) const NUMBER_MARK: Self = Self(1 << 8);
    /// Post office box.
    pub(crate) const BOX: Self = Self(1 << 9);
    /// Word before a box.
    pub(crate) const BOX_BEFORE: Self = Self(1 << 10);
    /// Kind of place.
    pub(crate) const PLACE: Self = Self(1 << 11);
    /// Small word inside a name.
    pub(crate) const PARTICLE: Self = Self(1 << 12);
    /// A small word with other uses.
    pub(crate) const SMALL_DOUBTFUL: Self = Self(1 << 13);
    /// Any kind of street.
    pub(crate) const STREET: Self = Self(0b1111);

    /// True when the two sets share a bit.
    pub(crate) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn of_line(name: &str) -> Option<Self> {
        Some(match name {
            "number_name_kind" => Self::NUMBER_NAME_KIND,
            "name_kind_number" => Self::NAME_KIND_NUMBER,
            "kind_name_number" => Self::KIND_NAME_NUMBER,
            "number_kind_name" => Self::NUMBER_KIND_NAME,
            "doubtful" => Self::DOUBTFUL,
            "small" => Self::SMALL,
            "small_doubtful" => Self::SMALL_DOUBTFUL,
            "unit" => Self::UNIT,
            "flat" => Self::FLAT,
            "number_mark" => Self::NUMBER_MARK,
            "box" => Self::BOX,
            "box_before" => Self::BOX_BEFORE,
            "place" => Self::PLACE,
            "particle" => Self::PARTICLE,
            _ => return None,
        })
    }
}

const FILE: &str = include_str!("../../data/streets.txt");

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "))
}

static KINDS: LazyLock<HashMap<&'static str, Kind>> = LazyLock::new(|| {
    let mut kinds: HashMap<&'static str, Kind> = HashMap::new();
    for (name, words) in lines() {
        let Some(kind) = Kind::of_line(name) else { continue };
        for word in words.split(", ") {
            kinds.entry(word).or_default().0 |= kind.0;
        }
    }
    kinds
});

/// Places of the table of words of ASCII: a power of two, at least four times the number of words.
const PLACES: usize = 1 << 13;

/// The words of ASCII by hash; 0 is a free place.
static BY_HASH: LazyLock<Vec<(u64, Kind)>> = LazyLock::new(|| {
    let mut places = vec![(0, Kind::default()); PLACES];
    for (word, kind) in KINDS.iter().filter(|(word, _)| word.is_ascii()) {
        let hash = hash(word.as_bytes());
        let free = probes(hash).find(|place| places.get(*place).is_some_and(|(other, _)| *other == 0));
        if let Some(place) = free.and_then(|place| places.get_mut(place)) {
            *place = (hash, *kind);
        }
    }
    places
});

/// The places where a word of this hash may be, in order.
fn probes(hash: u64) -> impl Iterator<Item = usize> {
    let home = (hash >> 1) as usize;
    (0..PLACES).map(move |step| home.wrapping_add(step) & (PLACES - 1))
}

fn endings(line: &str) -> Vec<&'static str> {
    lines().filter(|(name, _)| *name == line).flat_map(|(_, words)| words.split(", ")).collect()
}

static ENDINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| endings("endings"));
static DOUBTFUL_ENDINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| endings("doubtful_endings"));

/// Words for kinds of streets and of boxes and parts of houses that an address is looked for around.
pub(crate) fn anchors() -> impl Iterator<Item = &'static str> {
    KINDS
        .iter()
        .filter(|(word, kind)| {
            let street =
                kind.any(Kind::STREET) && (word.len() > 1 || matches!(**word, "c" | "u") || !word.is_ascii());
            street || kind.any(Kind::FLAT) || kind.any(Kind::BOX)
        })
        .map(|(word, _)| *word)
}

/// What a word may be.
pub(crate) fn kind_of(word: &str) -> Kind {
    if word.len() > MAX_WORD_BYTES {
        return Kind::default();
    }
    if !word.is_ascii() {
        // `ถนนสุขุมวิท`: Thai writes the kind and the name as one word
        let thai = ["ถนน", "ซอย"].iter().find(|kind| word.starts_with(**kind)).copied();
        let small = word.to_lowercase();
        return KINDS.get(thai.unwrap_or(small.as_str())).copied().unwrap_or_default();
    }
    let (wanted, places) = (hash(word.as_bytes()), &*BY_HASH);
    probes(wanted)
        .filter_map(|place| places.get(place))
        .take_while(|(hash, _)| *hash != 0)
        .find(|(hash, _)| *hash == wanted)
        .map_or(Kind::default(), |(_, kind)| *kind)
}

/// How surely a word ends like the name of a street.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ending {
    /// `Hauptstraße`.
    Sure,
    /// `Neumarkt`: more must follow.
    Doubtful,
}

/// How the word ends, if like the name of a street.
pub(crate) fn ending_of(word: &str) -> Option<Ending> {
    let lower = word.to_lowercase();
    let ends = |endings: &[&str]| {
        endings.iter().any(|ending| lower.len() >= ending.len() + 3 && lower.ends_with(ending))
    };
    if ends(&ENDINGS) {
        return Some(Ending::Sure);
    }
    ends(&DOUBTFUL_ENDINGS).then_some(Ending::Doubtful)
}

/// The last bytes of endings, one bit for each byte of ASCII.
static LAST_BYTES: LazyLock<u128> = LazyLock::new(|| {
    let last = ENDINGS.iter().chain(DOUBTFUL_ENDINGS.iter()).filter_map(|ending| ending.bytes().last());
    last.filter(u8::is_ascii).fold(0, |bits, byte| bits | 1 << byte)
});

/// False when no word that the text ends with has an ending of streets; asks for no more than two letters.
pub(crate) fn may_end_street(text: &[u8]) -> bool {
    let [.., before, last] = text else { return false };
    let (before, last) = (before.to_ascii_lowercase(), last.to_ascii_lowercase());
    if !last.is_ascii() {
        return true;
    }
    let fits = |ending: &&'static str| {
        let bytes = ending.as_bytes();
        bytes.last() == Some(&last)
            && bytes
                .iter()
                .nth_back(1)
                .is_none_or(|byte| *byte == before || !byte.is_ascii() || !before.is_ascii())
    };
    *LAST_BYTES & 1 << last != 0 && ENDINGS.iter().chain(DOUBTFUL_ENDINGS.iter()).any(fits)
}

#[cfg(test)]
mod tests {
    use super::{Ending, Kind, ending_of, kind_of, lines};

    #[test]
    fn words_are_known_in_any_case() {
        for (word, kind) in [
            ("Street", Kind::NUMBER_NAME_KIND),
            ("CALLE", Kind::KIND_NAME_NUMBER),
            ("utca", Kind::NAME_KIND_NUMBER),
            ("Rue", Kind::NUMBER_KIND_NAME),
            ("Apt", Kind::FLAT),
            ("Postfach", Kind::BOX),
            ("Ул", Kind::KIND_NAME_NUMBER),
        ] {
            assert!(kind_of(word).any(kind), "{word}");
        }
        assert_eq!(kind_of("banana"), Kind::default());
        assert_eq!(ending_of("Hauptstraße"), Some(Ending::Sure));
        assert_eq!(ending_of("Neumarkt"), Some(Ending::Doubtful));
        assert_eq!(ending_of("Weg"), None);
    }

    #[test]
    fn every_line_of_the_file_is_read() {
        for (name, words) in lines() {
            assert!(Kind::of_line(name).is_some() || name.ends_with("endings"), "{name}");
            assert!(words.split(", ").all(|word| word == word.to_lowercase()), "{name}");
        }
    }
}
