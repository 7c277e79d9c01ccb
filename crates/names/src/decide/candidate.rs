//! Which words may be a name.
//!
//! In: the words of a block, and the people that the small network sees in it. Out: runs of words, in order and apart.
//! Invariant: a candidate does not go over a line, a comma or a bracket, begins and ends with a word of a name, and has
//! at most `MAX_WORDS` words. Not here: whether it is one (`evidence`).

use std::ops::Range;

use cloakgate_vocab::Span;

use super::words::{Shape, Word, is_particle};

/// Most words of a name; longer runs of capitals are headings.
const MAX_WORDS: usize = 6;

/// What of a block may be names.
pub(crate) fn candidates(text: &str, words: &[Word], people: &[Span]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for person in people {
        let first = words.partition_point(|word| word.span.end() <= person.start());
        let after = words.partition_point(|word| word.span.start() < person.end());
        for part in parts(text, words, first..after) {
            let part = grown(text, words, part);
            let next = found.last().map_or(0, |last: &Range<usize>| last.end);
            keep(words, part.start.max(next)..part.end, &mut found);
        }
    }
    let seen = found.clone();
    let taken = |index: usize| {
        let at = seen.partition_point(|range| range.end <= index);
        seen.get(at).is_some_and(|range| range.contains(&index))
    };
    let mut at = 0;
    while at < words.len() {
        let Some(word) = words.get(at).filter(|_| !taken(at)) else {
            at += 1;
            continue;
        };
        if word.is_big() {
            let mut end = at + 1;
            while end < words.len() && !taken(end) && joins(text, words, at, end) {
                end += 1;
            }
            if end - at <= MAX_WORDS {
                list_run(text, words, at..end, &mut found);
            }
            at = end;
        } else {
            let start = at;
            at += 1;
            if word.shape == Shape::Lower && is_small_name(word) {
                while at < words.len() && !taken(at) && at - start < 3 && goes_on(text, words, at) {
                    at += 1;
                }
                found.push(start..at);
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// A given name that is written small and means nothing else.
fn is_small_name(word: &Word) -> bool {
    word.span.len() > 2 && word.is_given() && !word.known.is_other() && !word.everyday
}

/// Whether the word at `at` goes on a name that begins small: `marie dubois`.
fn goes_on(text: &str, words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let (Some(before), Some(word)) = (before, words.get(at)) else { return false };
    beside(text, before, word) && word.known.is_name() && !word.everyday && !word.known.place
}

/// Whether the word at `at` goes on the run that began at `first`.
fn joins(text: &str, words: &[Word], first: usize, at: usize) -> bool {
    let (Some(before), Some(word)) = (at.checked_sub(1).and_then(|before| words.get(before)), words.get(at))
    else {
        return false;
    };
    if at == first || !beside(text, before, word) {
        return false;
    }
    let particle = |word: &Word| word.span.of(text).is_some_and(is_particle);
    let leads_on = particle(word)
        && words
            .iter()
            .skip(at + 1)
            .take(2)
            .zip(words.iter().skip(at))
            .all(|(next, one)| beside(text, one, next))
        && words.iter().skip(at + 1).take(2).find(|next| !particle(next)).is_some_and(Word::is_big);
    word.is_big() || leads_on
}

/// Nothing but a blank lies between the two.
pub(super) fn beside(text: &str, one: &Word, next: &Word) -> bool {
    matches!(text.get(one.span.end()..next.span.start()), Some(" " | "\u{a0}" | ""))
}

/// The parts of what the network saw: cut at commas, brackets and line ends, and at small words between big ones.
fn parts(text: &str, words: &[Word], seen: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let big = words.get(seen.clone()).is_some_and(|words| words.iter().any(Word::is_big));
    let mut start = seen.start;
    for at in seen.clone() {
        let Some(word) = words.get(at) else { break };
        let particle = word.span.of(text).is_some_and(is_particle) && at > start;
        if big && word.shape == Shape::Lower && !particle {
            parts.push(start..at);
            start = at + 1;
        } else if at > start && !words.get(at - 1).is_some_and(|before| beside(text, before, word)) {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..seen.end);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The part with the names and initials right beside it.
fn grown(text: &str, words: &[Word], part: Range<usize>) -> Range<usize> {
    let mut part = part;
    let named = |word: &Word| {
        word.is_big()
            && !word.title
            && (word.shape == Shape::Initial || (word.known.is_name() && !word.everyday && !word.known.place))
    };
    while part.len() < MAX_WORDS
        && let (Some(last), Some(next)) = (words.get(part.end - 1), words.get(part.end))
        && named(next)
        && last.is_big()
        && beside(text, last, next)
    {
        part.end += 1;
    }
    while part.len() < MAX_WORDS
        && let Some(before) = part.start.checked_sub(1)
        && let (Some(word), Some(first)) = (words.get(before), words.get(part.start))
        && named(word)
        && first.is_big()
        && beside(text, word, first)
    {
        part.start = before;
    }
    part
}

/// The name in a run of words with capitals: without titles and everyday words at its ends, and cut at those inside.
fn list_run(text: &str, words: &[Word], run: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut start = run.start;
    let end = run.end;
    for at in run {
        let Some(word) = words.get(at) else { break };
        let titled = word.title && at + 1 < end;
        if word.is_plain() || titled {
            keep(words, start..at, found);
            start = at + 1;
        } else if at == start && word.span.of(text).is_some_and(is_particle) && word.shape == Shape::Lower {
            start = at + 1;
        }
    }
    keep(words, start..end, found);
}

/// Adds a candidate, if after trimming it still holds a word that may be a name.
fn keep(words: &[Word], range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut range = range;
    while let Some(first) = words.get(range.start).filter(|_| range.len() > 1)
        && (first.title || (first.is_plain() && first.shape != Shape::Initial))
    {
        range.start += 1;
    }
    while let Some(last) =
        range.end.checked_sub(1).and_then(|last| words.get(last)).filter(|_| range.len() > 1)
        && (last.shape == Shape::Lower && words.get(range.start).is_some_and(Word::is_big))
    {
        range.end -= 1;
    }
    let named = words.get(range.clone()).is_some_and(|words| {
        words.iter().any(|word| {
            word.span.len() > 2 && word.shape != Shape::Initial && (!word.everyday || word.known.is_name())
        })
    });
    if named && range.len() <= MAX_WORDS {
        found.push(range);
    }
}
