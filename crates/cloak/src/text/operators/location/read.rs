//! Cuts addresses and places into the parts that the gazetteer knows.
//!
//! In: an address or a place, `12 rue de la Paix, 75002 Paris, France`. Out: `Paris`, `France`, the finest first.
//! Invariant: house numbers, streets, post codes and what nobody knows are no parts. Not here: which meaning counts.

use cloakgate_detect::gazetteer::{Level, Meaning, Place};

use super::super::Spot;
use super::codes::meanings_of;

/// A name is meant that has no other one beside it with a quarter of its people.
const LIKELY: f64 = 4.0;
/// Most words of the name of a place behind a street.
const MAX_WORDS: usize = 4;
/// Last words of a street, behind which a city may stand without a comma.
const STREET_ENDS: &[&str] = &[
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "lane",
    "ln",
    "drive",
    "dr",
    "boulevard",
    "blvd",
    "way",
    "court",
    "ct",
    "place",
    "pl",
    "square",
    "sq",
    "terrace",
    "close",
    "crescent",
    "parkway",
    "pkwy",
    "highway",
    "hwy",
    "str",
    "straße",
    "strasse",
    "gasse",
    "platz",
    "allee",
    "weg",
    "straat",
    "laan",
    "plein",
    "gade",
    "gatan",
    "vägen",
    "utca",
    "ul",
];

/// A part of an address.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment<'a> {
    /// As it is written.
    pub(super) written: &'a str,
    /// What it may mean.
    pub(super) meanings: Vec<Meaning>,
}

/// The known parts, the finest first. A part that is coarser than one behind it is left out.
pub(super) fn read(address: &str) -> Vec<Segment<'_>> {
    let mut segments: Vec<Segment<'_>> = Vec::new();
    let pieces: Vec<&str> = address.split([',', ';', '|', '\n', '(', ')']).collect();
    for (place, piece) in pieces.iter().enumerate().rev() {
        for segment in parts_of(piece, place == 0 && pieces.len() > 1) {
            let same = segments.iter().any(|other| other.meanings == segment.meanings);
            // The finer part of an address lies in the coarser ones.
            let fits = segments.iter().all(|other| {
                segment.meanings.iter().any(|one| other.meanings.iter().any(|two| one.place.is_in(two.place)))
            });
            if !same && (segments.is_empty() || fits) {
                segments.push(segment);
            }
        }
    }
    segments.reverse();
    segments
}

/// The known parts of one piece between commas, from its end: `San Francisco CA 94107` has two.
fn parts_of(piece: &str, first: bool) -> Vec<Segment<'_>> {
    let piece = piece.trim().trim_end_matches('.');
    let Some((words, numbered)) = without_codes(piece) else { return Vec::new() };
    if let Some(segment) = segment(words) {
        // `Berlin, 10115`: but a street alone is no city, even if it is called like one.
        return vec![segment];
    }
    let mut parts = Vec::new();
    let mut rest = words;
    if let Some((head, last)) = rest.rsplit_once(' ')
        && last.chars().all(char::is_uppercase)
        && let Some(state) = segment(last)
    {
        parts.push(state);
        rest = without_codes(head.trim_end_matches([',', ' '])).map_or("", |(words, _)| words);
        if let Some(city) = segment(rest) {
            parts.push(city);
            return parts;
        }
    }
    let street = numbered || !parts.is_empty();
    if street && !first {
        parts.extend(behind_street(rest, piece));
    }
    parts
}

/// A piece without post codes and house numbers at its ends, and whether there was one.
fn without_codes(piece: &str) -> Option<(&str, bool)> {
    let is_code = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let mut rest = piece.trim();
    let mut numbered = false;
    while let Some((_, tail)) = rest.split_once(' ').filter(|(head, _)| is_code(head)) {
        rest = tail.trim_start();
        numbered = true;
    }
    while let Some((head, _)) = rest.rsplit_once(' ').filter(|(_, tail)| is_code(tail)) {
        rest = head.trim_end_matches([' ', '-', ',']);
        numbered = true;
    }
    (!rest.is_empty() && !is_code(rest)).then_some((rest, numbered))
}

fn segment(words: &str) -> Option<Segment<'_>> {
    let meanings = meanings_of(words);
    (!meanings.is_empty()).then_some(Segment { written: words, meanings })
}

/// A city behind a post code or the last word of a street: `221B Baker Street London`, `rue X 75002 Paris`.
fn behind_street<'a>(words: &'a str, piece: &'a str) -> Option<Segment<'a>> {
    let starts: Vec<usize> = words
        .char_indices()
        .filter(|(at, _)| *at == 0 || words.get(..*at).is_some_and(|head| head.ends_with(' ')))
        .map(|(at, _)| at)
        .collect();
    let from = starts.len().saturating_sub(MAX_WORDS).max(1);
    starts.get(from..)?.iter().find_map(|start| {
        let name = words.get(*start..)?;
        let before = words.get(..*start)?.trim_end().trim_end_matches('.');
        let last = before.rsplit([' ', '-']).next()?.to_lowercase();
        let code =
            piece.contains(before) && last.len() >= 4 && last.bytes().all(|byte| byte.is_ascii_digit());
        let street = STREET_ENDS.iter().any(|end| last == *end || (end.len() > 4 && last.ends_with(end)));
        (code || street).then(|| segment(name))?
    })
}

/// What follows a place and says where it lies: `, Texas`, `, TX, USA`.
pub(super) fn trail<'a>(spot: &Spot<'a>) -> &'a str {
    let after = spot.after();
    let own: Vec<Place> = read(spot.value)
        .first()
        .map(|first| {
            first
                .meanings
                .iter()
                .filter(|meaning| meaning.place.level() < Level::Country)
                .map(|meaning| meaning.place)
                .collect()
        })
        .unwrap_or_default();
    let mut taken = 0;
    while let Some(rest) = after.get(taken..).and_then(|rest| rest.strip_prefix(", ")) {
        let start = after.len() - rest.len();
        let Some(end) = longest_place(rest, &own) else { break };
        taken = start + end;
    }
    after.get(..taken).unwrap_or_default()
}

/// The end of the longest name at the start of a text that one of the places lies in.
fn longest_place(text: &str, inside: &[Place]) -> Option<usize> {
    let mut best = None;
    let mut end = 0;
    for word in text.split_inclusive([' ', ',', '.', ';', ')', '!', '?']).take(MAX_WORDS) {
        let bare = word.trim_end_matches([' ', ',', '.', ';', ')', '!', '?']);
        let name = text.get(..end + bare.len())?;
        let found = meanings_of(name);
        if !bare.is_empty()
            && found
                .iter()
                .any(|other| inside.iter().any(|place| *place != other.place && place.is_in(other.place)))
        {
            best = Some(end + bare.len());
        }
        end += word.len();
        if !word.ends_with(' ') || bare.len() + 1 != word.len() {
            break;
        }
    }
    best
}

/// The places that are likely meant: own names before others, none that has far fewer people than the largest.
pub(super) fn people_enough(meanings: &[Meaning]) -> Vec<Place> {
    let own: Vec<&Meaning> = meanings.iter().filter(|meaning| meaning.own).collect();
    let all: Vec<&Meaning> = if own.is_empty() { meanings.iter().collect() } else { own };
    let most = all.iter().map(|meaning| meaning.place.people()).fold(0.0, f64::max);
    all.into_iter().map(|meaning| meaning.place).filter(|place| place.people() * LIKELY >= most).collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn addresses_have_parts() {
        for (address, parts) in [
            ("12 rue de la Paix, 75002 Paris, France", "Paris|France"),
            ("12 rue de Paris, 69003 Lyon", "Lyon"),
            ("Lyon", "Lyon"),
            ("Paris, Texas", "Paris|Texas"),
            ("Austin, TX 78701, USA", "Austin|TX|USA"),
            ("123 Main Street, Springfield, IL 62704", "Springfield|IL"),
            ("221B Baker Street London", "London"),
            ("10 Victoria Street, London SW1A 2AA, UK", "London|UK"),
            ("Hauptstraße 5, 10115 Berlin", "Berlin"),
            ("Calle Mayor 3, 28013 Madrid, España", "Madrid|España"),
            ("5 Oxford Street", ""),
            ("10 Rue de Lyon", ""),
            ("Xyzzyville", ""),
            ("94107", ""),
            ("", ""),
        ] {
            let found: Vec<&str> = read(address).iter().map(|segment| segment.written).collect();
            assert_eq!(found.join("|"), parts, "{address}");
        }
    }
}
