//! Names of people in alphabets without capitals: Arabic and Persian, Hebrew, Devanagari and other scripts of India.
//!
//! In: a text. Out: names of two words or more, and names after a form of address, without it. A given name of the
//! lists begins a name; another name of the lists, a word of descent with a name, or a word with the article follows.
//! A word that is an everyday one begins no name unless a form of address stands before it. Invariant: each word is
//! looked up at most three times; a name has at most `MAX_WORDS` words.

use cloakgate_vocab::Span;

use crate::lists::{Lists, Role, RoleSet, WordEvidence};
use crate::mention::{Kind, Mention};

const MAX_WORDS: usize = 5;

/// A word of these scripts.
struct Word<'a> {
    start: usize,
    written: &'a str,
    known: WordEvidence,
    roles: RoleSet,
    /// The next word follows after one blank.
    joined: bool,
}

/// Adds the names of a text.
pub(super) fn read(text: &str, lists: &Lists, mentions: &mut Vec<Mention>) {
    let words = words(text, lists);
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let titled = before.is_some_and(|before| before.roles.has(Role::UncasedBefore));
        let Some((count, score)) = name(rest, titled) else {
            at += 1;
            continue;
        };
        if let Some((first, last)) = rest.first().zip(rest.get(count - 1)) {
            let span = Span::sized(first.start, last.start + last.written.len() - first.start);
            mentions.push(Mention { span, kind: Kind::Person, score });
        }
        at += count;
    }
}

/// How many words from the first on are a name, and how surely.
fn name(words: &[Word<'_>], titled: bool) -> Option<(usize, f32)> {
    let first = words.first()?;
    let ordinary = first.known.everyday > 0 || first.known.place;
    let begins =
        first.known.given.is_some() && !ordinary || matches!(first.written, "عبد" | "أبو" | "ابو") || titled;
    if !begins || first.roles.has(Role::UncasedBefore) {
        return None;
    }
    let mut count = 1;
    let mut names = usize::from(first.known.is_name());
    for (at, pair) in words.windows(2).enumerate().take(MAX_WORDS - 1) {
        let [word, next] = pair else { break };
        if !word.joined {
            break;
        }
        let descent = next.roles.has(Role::UncasedDescent);
        let linked = word.roles.has(Role::UncasedDescent) && next.written.chars().count() >= 3;
        let article = at >= 1 || first.known.given.is_some();
        let nisba = article
            && next.written.starts_with("ال")
            && next.written.ends_with('ي')
            && next.known.everyday == 0;
        let listed = next.known.is_name() && (next.known.everyday == 0 || next.known.frequency >= 2);
        if !(descent || linked || nisba || listed) {
            break;
        }
        if !descent {
            names += 1;
            count = at + 2;
        }
    }
    let honoured = words.get(count - 1).is_some_and(|last| last.joined)
        && words.get(count).is_some_and(|next| next.roles.has(Role::UncasedAfter));
    let score = match (count, names) {
        (_, 1..) if titled => 0.9,
        (1, 1..) if honoured => 0.85,
        (2.., 2..) if first.known.is_name() => 0.85,
        (2.., 1..) if !ordinary => 0.7,
        (1, 0) if titled && first.written.chars().count() >= 3 && first.known == WordEvidence::default() => {
            0.6
        }
        _ => return None,
    };
    Some((count, score))
}

/// The words of a text in these scripts.
fn words<'a>(text: &'a str, lists: &Lists) -> Vec<Word<'a>> {
    let mut words: Vec<Word<'a>> = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]) {
        if c.is_some_and(belongs) {
            start = start.or(Some(at));
        } else if let Some(first) = start.take() {
            let written = text.get(first..at).unwrap_or_default();
            let next = text.get(at..).unwrap_or_default();
            let next = next.strip_prefix('.').filter(|_| written.chars().count() <= 4).unwrap_or(next);
            let joined = next.strip_prefix([' ', '\u{a0}']).is_some_and(|next| next.starts_with(belongs));
            words.push(Word {
                start: first,
                written,
                known: lists.word(written),
                roles: lists.roles().of(written),
                joined,
            });
        }
    }
    words
}

/// A letter or mark of these scripts.
pub(super) const fn belongs(c: char) -> bool {
    matches!(c,
        '\u{5b0}'..='\u{5f4}' | '\u{620}'..='\u{65f}' | '\u{66e}'..='\u{6d3}' | '\u{6d5}' | '\u{6fa}'..='\u{6ff}' | '\u{200c}' | '\u{200d}'
        | '\u{900}'..='\u{963}' | '\u{970}'..='\u{9e3}' | '\u{9f0}'..='\u{a65}' | '\u{a70}'..='\u{ae5}' | '\u{af0}'..='\u{b65}'
        | '\u{b70}'..='\u{be5}' | '\u{c00}'..='\u{c65}' | '\u{c80}'..='\u{ce5}' | '\u{d00}'..='\u{d65}' | '\u{d80}'..='\u{de5}')
}
