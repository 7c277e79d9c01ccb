//! Names of people in Korean texts.
//!
//! In: a text. Out: names of a surname of one syllable (or two) and a given name, without forms of address and
//! particles. Evidence: a form of address or an office, attached or as the next word; a word for a person's name before;
//! a given name of the list. Invariant: each word is looked at once.

use cloakgate_vocab::Span;

use crate::lists::{Lists, Role};
use crate::mention::{Kind, Mention};

/// Adds the names of a text.
pub(super) fn read(text: &str, lists: &Lists, mentions: &mut Vec<Mention>) {
    let mut before = "";
    let mut words = words(text).peekable();
    while let Some((start, word)) = words.next() {
        let next = words.peek().map_or("", |(_, word)| *word);
        if let Some((length, score)) = name(word, before, next, lists) {
            mentions.push(Mention { span: Span::sized(start, length), kind: Kind::Person, score });
        }
        before = word;
    }
}

/// Runs of Hangul syllables with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c| !is_hangul(c)).filter(|word| !word.is_empty()).map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (start, word)
    })
}

/// Length and score of the name that a word begins with.
fn name(word: &str, before: &str, next: &str, lists: &Lists) -> Option<(usize, f32)> {
    let syllables: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let is = |word: &str, role: Role| lists.roles().of(word).has(role);
    let surname = [2, 1].into_iter().find(|count| {
        let surname = syllables.get(count - 1).and_then(|end| word.get(..*end));
        surname.is_some_and(|surname| is(surname, Role::KoreanSurname))
    })?;
    for given in [2, 1, 3] {
        let Some(length) = syllables.get(surname + given - 1) else { continue };
        let name = word.get(..*length)?;
        let rest = word.get(*length..)?;
        let known = lists.word(word.get(*syllables.get(surname - 1)?..*length)?).given.is_some();
        let everyday = lists.word(name).everyday > 0 || lists.word(word).everyday > 0;
        let addressed = is_address(rest, lists) || rest.is_empty() && is_address(next, lists);
        let ends = rest.is_empty() || is(rest, Role::KoreanParticle);
        let told = is(before, Role::KoreanBefore) && ends;
        let score = match given {
            2 if addressed && known => 0.95,
            2 if (addressed || told) && !everyday => 0.85,
            2 if known && ends && !everyday => 0.75,
            1 if addressed && !everyday && known && rest.is_empty() => 0.6,
            3 if (addressed || told) && known => 0.7,
            _ => continue,
        };
        return Some((*length, score));
    }
    None
}

/// A form of address or an office, with `님` and particles after it.
fn is_address(word: &str, lists: &Lists) -> bool {
    let is = |word: &str, role: Role| lists.roles().of(word).has(role);
    word.char_indices().take(4).any(|(at, c)| {
        let (title, rest) = word.split_at_checked(at + c.len_utf8()).unwrap_or_default();
        let rest = rest.strip_prefix('님').unwrap_or(rest);
        is(title, Role::KoreanAfter) && (rest.is_empty() || is(rest, Role::KoreanParticle))
    })
}

const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}
