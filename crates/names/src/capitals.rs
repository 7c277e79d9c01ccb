//! Names of people in scripts with capitals: Latin, Cyrillic, Greek.
//!
//! In: a text. Out: mentions, sorted by start, apart. A name is a run of words with capitals in which one is a given
//! name of the lists, an initial, or a patronymic, and another is a surname of the lists, has the ending of one, or is
//! no word that means something else. A given name alone, or a surname alone, is none. A run that goes on with a word
//! for an institution or a street, or follows one, is none either.
//!
//! Invariant: each word is looked up once; a name has at most `MAX_WORDS` words.

mod endings;
mod words;

use std::collections::HashSet;

use cloakgate_vocab::Span;

use self::words::{Form, Word, words};
use crate::lists::{Lists, Role};
use crate::mention::{Kind, Mention};

/// Most words of a name, particles included.
const MAX_WORDS: usize = 7;
/// Things that are called like a person, one a line.
const THINGS: &str = include_str!("../data/things.txt");
/// How sure a surname is that stands alone after the whole name.
const AGAIN: f32 = 0.7;

/// The letters of the names that are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Letters {
    Latin,
    /// Cyrillic and Greek.
    Others,
}

/// Names in a text.
pub(crate) fn read(text: &str, letters: Letters, lists: &Lists) -> Vec<Mention> {
    let words = words(text, letters, lists);
    let mut mentions = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        match name(before, rest).filter(|(count, _)| !is_thing(text, before, rest, *count)) {
            Some((count, score)) => {
                if let Some((first, last)) = rest.first().zip(rest.get(count - 1)) {
                    mentions.push(Mention {
                        span: Span::sized(first.start, last.end - first.start),
                        kind: Kind::Person,
                        score,
                    });
                }
                at += count;
            }
            None => at += 1,
        }
    }
    again(text, &words, &mut mentions);
    mentions
}

/// Adds surnames that stand alone, of people whose whole names stand elsewhere in the text.
fn again(text: &str, words: &[Word], mentions: &mut Vec<Mention>) {
    let mut spans: Vec<Span> = mentions.iter().map(|mention| mention.span).collect();
    spans.sort_unstable_by_key(|span| span.start());
    let covering = |word: &Word| {
        let next = spans.partition_point(|span| span.start() <= word.start);
        next.checked_sub(1).and_then(|at| spans.get(at)).filter(|span| word.end <= span.end())
    };
    let surnames: HashSet<&str> = words
        .iter()
        .filter(|word| word.form == Form::Capital && !word.means_else() && word.evidence.given.is_none())
        .filter(|word| covering(word).is_some_and(|span| span.end() == word.end && span.start() < word.start))
        .filter_map(|word| text.get(word.start..word.end))
        .filter(|surname| surname.chars().nth(3).is_some())
        .collect();
    if surnames.is_empty() {
        return;
    }
    for word in words.iter().filter(|word| word.form == Form::Capital && covering(word).is_none()) {
        let written = text.get(word.start..word.end).unwrap_or_default();
        // As it is, or with the ending of a case: `Babića`.
        let cuts = written.char_indices().rev().take(2).map(|(at, _)| at);
        let known = [written.len()].into_iter().chain(cuts).any(|cut| {
            written
                .get(..cut)
                .is_some_and(|stem| surnames.contains(stem) && (cut == written.len() || cut > 5))
        });
        if known {
            let span = Span::sized(word.start, word.end - word.start);
            mentions.push(Mention { span, kind: Kind::Person, score: AGAIN });
        }
    }
    mentions.sort_by_key(|mention| mention.span.start());
}

/// How many words from the first on are a name, and how surely.
fn name(before: Option<&Word>, words: &[Word]) -> Option<(usize, f32)> {
    let first = words.first().filter(|word| word.can_begin())?;
    if before.is_some_and(|before| before.joined && before.is_institution_before())
        || first.is_institution_before()
    {
        return None;
    }
    let titled = before.is_some_and(|before| before.joined && before.roles.has(Role::Title));
    let count = extent(words);
    let name = words.get(..count)?;
    let score = judge(first, name, titled).or_else(|| surname_first(words))?;
    let (count, score) = match score {
        Verdict::Whole(score) => (count, score),
        Verdict::Listed(score) => (3.min(words.len()), score),
    };
    let goes_on = words.get(count - 1).is_some_and(|last| last.joined)
        && words.get(count).is_some_and(Word::is_institution);
    (!goes_on).then_some((count, score))
}

/// Whether words are the name of a thing or a figure, with a form of address before them or without.
fn is_thing(text: &str, before: Option<&Word>, words: &[Word], count: usize) -> bool {
    let Some((first, last)) = words.first().zip(words.get(count - 1)) else { return false };
    let small = |start: usize| text.get(start..last.end).unwrap_or_default().to_lowercase().replace('.', "");
    let (alone, titled) = (small(first.start), before.map(|before| small(before.start)));
    let known = |name: &str| {
        THINGS
            .lines()
            .any(|thing| name.strip_prefix(thing).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
    };
    known(&alone) || titled.is_some_and(|name| known(&name))
}

/// What a run of words is.
#[derive(Clone, Copy)]
enum Verdict {
    /// A name, all of it.
    Whole(f32),
    /// `Last, First`: a comma stands between two words.
    Listed(f32),
}

/// How many words, joined by blanks, may be parts of one name.
fn extent(words: &[Word]) -> usize {
    let mut count = 0;
    let mut unknown = 0;
    for (at, word) in words.iter().enumerate().take(MAX_WORDS) {
        let next_is_name = || {
            let next = words.get(at + 1);
            next.is_some_and(|next| {
                next.form == Form::Capital && (next.evidence.surname || !next.means_else())
            })
        };
        let fits = match word.form {
            Form::Initial => true,
            Form::Capital => {
                at == 0
                    || word.can_follow()
                        && !(word.is_institution() && (at > 1 || word.evidence.frequency < 2))
            }
            Form::Small => {
                let particle = at > 0 && word.joined && word.is_particle();
                let second = || words.get(at + 1).is_some_and(Word::is_particle);
                particle && (next_is_name() || second())
            }
            Form::Other => false,
        };
        unknown += usize::from(word.is_unknown());
        if !fits || unknown > 1 {
            break;
        }
        if word.form != Form::Small {
            count = at + 1;
        }
        if !word.joined {
            break;
        }
    }
    count.max(1)
}

/// Whether words that may be parts of a name are one.
fn judge(first: &Word, name: &[Word], titled: bool) -> Option<Verdict> {
    let capitals = || name.iter().filter(|word| word.form == Form::Capital);
    let initials = name.iter().filter(|word| word.form == Form::Initial).count();
    let count = capitals().count();
    if capitals().any(|word| word.patronymic) && count + initials >= 2 {
        return Some(Verdict::Whole(0.95));
    }
    let given = capitals().take(2).find(|word| word.evidence.given.is_some());
    let surname = capitals().rev().find(|word| {
        word.surname_like()
            && given.is_none_or(|given| given.start != word.start)
            && (given.is_some() || word.start != first.start)
    });
    // A surname comes first where its ending tells it.
    let surname = surname.filter(|surname| surname.start != first.start || surname.ending || surname.perhaps);
    let unknown = capitals().skip(1).any(|word| !word.means_else());
    let ordinary = first.evidence.everyday >= 2 || first.evidence.technical || first.evidence.place;
    // A word before a given name belongs to it only where it is a surname.
    let other = given.is_some_and(|given| given.start != first.start) && first.form == Form::Capital;
    if other && !titled && (!first.surname_like() || first.means_else()) {
        return None;
    }
    let particle = name.iter().any(|word| word.form == Form::Small);
    let score = match (given, surname) {
        _ if titled && count >= 1 && !first.means_else() => 0.9,
        (Some(_), Some(surname)) if count >= 2 && ordinary && surname.means_else() => return None,
        (Some(_), Some(_)) if count >= 2 && ordinary => 0.7,
        (Some(_), Some(surname)) if count >= 2 && surname.means_else() => 0.8,
        (Some(_), Some(_)) if count >= 2 => 0.95,
        (Some(given), None) if count >= 2 && unknown && !ordinary && given.start == first.start => 0.8,
        (None, Some(surname))
            if count >= 2 && surname.ending && !first.means_else() && first.evidence.everyday == 0 =>
        {
            if first.begins_sentence && first.is_unknown() { 0.4 } else { 0.75 }
        }
        (None, Some(surname)) if count >= 2 && particle && !surname.means_else() && !first.means_else() => {
            0.7
        }
        (_, surname) if initials >= 1 && count >= 1 => {
            let last = surname.or_else(|| capitals().next())?;
            if last.surname_like() && !last.means_else() {
                0.85
            } else if !last.means_else() && initials >= 2 {
                0.7
            } else {
                return None;
            }
        }
        _ => return None,
    };
    Some(Verdict::Whole(score))
}

/// `Last, First` at the start of a line or a cell.
fn surname_first(words: &[Word]) -> Option<Verdict> {
    let [last, comma, given, ..] = words else { return None };
    let listed =
        last.begins_line && last.form == Form::Capital && last.evidence.surname && !last.means_else();
    let known = comma.form == Form::Other
        && comma.comma
        && given.evidence.given.is_some()
        && (!given.means_else() || given.evidence.frequency >= 2 && !given.evidence.technical);
    (listed && known).then_some(Verdict::Listed(0.8))
}

#[cfg(test)]
mod tests;
