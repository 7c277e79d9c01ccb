//! Names of people in Japanese texts.
//!
//! In: a run of Chinese characters and what follows it. Out: names in it, without forms of address. A surname of the
//! list begins a run or follows a word for an office; a given name of one to three characters follows it, or kana of
//! the list, or a form of address. Invariant: each run is looked at a bounded number of times from each character.

use cloakgate_vocab::Span;

use crate::lists::{Hash, Lists, Role};
use crate::mention::{Kind, Mention};

/// Longest word that stands beside a name, in characters.
const MAX_ROLE: usize = 4;

/// Names in the run `text[start..end]`.
pub(super) fn read(text: &str, start: usize, end: usize, lists: &Lists) -> Vec<Mention> {
    let Some(run) = text.get(start..end) else { return Vec::new() };
    let characters: Vec<(usize, char)> = run.char_indices().collect();
    let mut places = vec![0];
    for at in 0..characters.len() {
        let mut hash = Hash::new();
        for (place, c) in characters.iter().skip(at).take(MAX_ROLE) {
            hash = hash.char(*c);
            if lists.roles().at(hash).has(Role::JapaneseBefore) {
                places.push(place + c.len_utf8());
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut mentions: Vec<Mention> = Vec::new();
    for place in places {
        let free = mentions.last().is_none_or(|last| last.span.end() <= start + place);
        if free && let Some(mention) = at(text, start + place, end, lists) {
            mentions.push(mention);
        }
    }
    mentions
}

/// The name that begins at a place of a run.
fn at(text: &str, start: usize, end: usize, lists: &Lists) -> Option<Mention> {
    let run = text.get(start..end)?;
    let ends: Vec<usize> = run.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    for surname in ends.iter().take(4).rev() {
        let known = lists.word(run.get(..*surname)?);
        let own = known.surname && known.culture == JAPANESE;
        if !own {
            continue;
        }
        let (rest, after) = (run.get(*surname..)?, text.get(start + surname..)?);
        let single = run.get(..*surname)?.chars().count() == 1;
        let found = titled(rest, after, single, lists)
            .or_else(|| bare(rest, single, known.frequency, lists))
            .or_else(|| kana(rest, after, lists))
            .or_else(|| apart(rest, after, lists));
        if let Some((length, score)) = found {
            return Some(Mention { span: Span::sized(start, surname + length), kind: Kind::Person, score });
        }
    }
    None
}

/// Number of the group of languages of the lists.
const JAPANESE: u8 = 17;

/// A form of address after up to three characters of a given name.
fn titled(rest: &str, after: &str, single: bool, lists: &Lists) -> Option<(usize, f32)> {
    let mut length = 0;
    for given in 0..=3 {
        let address = after.get(length..)?;
        let told = lists.roles().begin(address.chars(), MAX_ROLE, Role::JapaneseAfter);
        if told && !(single && given == 0) {
            return Some((length, if given == 0 { 0.8 } else { 0.95 }));
        }
        let next = rest.get(length..)?.chars().next().filter(|c| lists.japanese_given(*c) >= 3)?;
        length += next.len_utf8();
    }
    None
}

/// A given name up to the end of the run.
fn bare(rest: &str, single: bool, frequency: u8, lists: &Lists) -> Option<(usize, f32)> {
    let levels: Vec<u32> = rest.chars().take(4).map(|c| lists.japanese_given(c)).collect();
    let sum: u32 = levels.iter().sum();
    let count = levels.len() as u32;
    let likely = match (single, count) {
        (false, 1) => sum >= 10 && !lists.roles().of(rest).has(Role::JapaneseNoName),
        (false, 2) | (true, 2) => levels.iter().all(|level| *level >= if single { 9 } else { 6 }),
        (false, 3) => levels.iter().all(|level| *level >= 6),
        _ => false,
    };
    (likely && sum >= 8 * count).then_some((rest.len(), if frequency >= 2 { 0.75 } else { 0.6 }))
}

/// A given name in kana.
fn kana(rest: &str, after: &str, lists: &Lists) -> Option<(usize, f32)> {
    if !rest.is_empty() {
        return None;
    }
    let ends: Vec<usize> = after
        .char_indices()
        .take_while(|(_, c)| is_kana(*c))
        .map(|(at, c)| at + c.len_utf8())
        .take(5)
        .collect();
    let longest = ends.iter().skip(1).rev().find(|end| {
        let word: String = after.chars().take(**end / 3).map(hiragana).collect();
        lists.word(&word).given.is_some()
    });
    longest.map(|end| (*end, 0.8))
}

/// A given name after a blank.
fn apart(rest: &str, after: &str, lists: &Lists) -> Option<(usize, f32)> {
    let blank = after.chars().next().filter(|c| rest.is_empty() && matches!(c, ' ' | '\u{3000}'))?;
    let given = after.get(blank.len_utf8()..)?;
    let length: usize =
        given.chars().take(4).take_while(|c| lists.japanese_given(*c) > 0).map(char::len_utf8).sum();
    let levels: u32 = given.get(..length)?.chars().map(|c| lists.japanese_given(c)).sum();
    let count = given.get(..length)?.chars().count() as u32;
    let ends = given.get(length..)?.chars().next().is_none_or(|c| !super::is_han(c));
    if count > 0 && count < 4 && levels >= 7 * count && ends {
        return Some((blank.len_utf8() + length, 0.85));
    }
    kana("", given, lists).map(|(length, score)| (blank.len_utf8() + length, score))
}

pub(super) const fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30ff}')
}

fn hiragana(c: char) -> char {
    match c {
        'ァ'..='ヶ' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
        _ => c,
    }
}
