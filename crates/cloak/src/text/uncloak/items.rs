//! A text as sentences of names, facts, words and marks.
//!
//! In: units, and the stand-ins found in them. Out: items in order, and sentences of them. Used alike for texts when
//! they are cloaked and for texts that come back, so that both are cut the same. Not here: whose a fact is.

use std::ops::Range;

use super::lookup::Lookup;
use super::speech::{Does, does};
use super::trie::{Match, Pattern};
use super::units::{Class, Unit};

/// What an item is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum What {
    /// A word, or the name of something else than a person.
    Word,
    /// A stand-in that names somebody.
    Name(Pattern),
    /// A word that stands for several values.
    Fact(Pattern),
    /// A mark.
    Mark(char),
    /// An end of line; true for a blank line.
    Break(bool),
}

/// Part of a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) what: What,
    pub(crate) hash: u64,
    /// Its units: first, and one past the last.
    pub(crate) first: usize,
    pub(crate) after: usize,
}

impl Item {
    /// True for what counts as a word when sentences are compared.
    pub(crate) fn is_word(&self) -> bool {
        matches!(self.what, What::Word | What::Name(_) | What::Fact(_))
    }
}

/// The items of a text.
pub(crate) fn items(units: &[Unit], matches: &[Match], lookup: &Lookup<'_>, text: &str) -> Vec<Item> {
    let mut items = Vec::with_capacity(units.len());
    let mut found = matches.iter().peekable();
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let next = found.next_if(|found| found.first == at);
        let after = next.map_or(at + 1, |found| found.after);
        let is_label = |pattern| lookup.meaning(pattern).is_some_and(|meaning| meaning.is_label);
        let what = match (next, unit.class) {
            (Some(found), _) if is_label(found.pattern) => What::Fact(found.pattern),
            (Some(found), _) if !lookup.named(found.pattern).is_empty() => What::Name(found.pattern),
            (Some(_), _) | (None, Class::Word | Class::Glyph) => What::Word,
            (None, Class::Mark(mark)) => What::Mark(mark),
            (None, Class::Break) => What::Break(line_ends(unit.of(text)) > 1),
            (None, Class::Blank) => {
                at = after;
                continue;
            }
        };
        let hash = combined(units.get(at..after).unwrap_or_default());
        items.push(Item { what, hash, first: at, after });
        at = after;
    }
    items
}

/// How many lines end there, written as such or as an escape.
fn line_ends(blank: &str) -> usize {
    blank.matches('\n').count() + blank.matches("\\n").count()
}

/// One hash of several units, blanks left out.
fn combined(units: &[Unit]) -> u64 {
    let words = units.iter().filter(|unit| !matches!(unit.class, Class::Blank | Class::Break));
    chain(words.map(|unit| unit.hash))
}

/// One hash of several in their order. They are keyed, so that nobody can choose what meets.
pub(crate) fn chain(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0x243f_6a88_85a3_08d3, |all, hash| {
        (all.rotate_left(23) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// One sentence: its items, and whether a paragraph begins with it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Cut {
    pub(crate) items: Range<usize>,
    pub(crate) begins_paragraph: bool,
}

/// The sentences of a text. A line ends one, unless it only goes on below; so does a brace.
pub(crate) fn sentences(items: &[Item], units: &[Unit], text: &str) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let (mut start, mut begins_paragraph, mut depth) = (0, true, 0usize);
    for (at, item) in items.iter().enumerate() {
        let (ends, paragraph) = match item.what {
            What::Break(blank) => {
                (depth == 0 && (blank || !goes_on(items, at, units, text)), blank && depth == 0)
            }
            What::Mark('{') => {
                depth += 1;
                (true, false)
            }
            What::Mark('}') => {
                depth = depth.saturating_sub(1);
                (true, false)
            }
            What::Mark('<') => (is_end_tag(items, at, units, text), false),
            What::Mark('.' | '!' | '?' | '。' | '！' | '？') => (is_end(items, at, units, text), false),
            _ => (false, false),
        };
        if ends {
            if items.get(start..at).is_some_and(|items| items.iter().any(Item::is_word)) {
                cuts.push(Cut { items: start..at, begins_paragraph });
                begins_paragraph = false;
            }
            start = at + 1;
        }
        begins_paragraph |= paragraph;
    }
    if items.get(start..).is_some_and(|items| items.iter().any(Item::is_word)) {
        cuts.push(Cut { items: start..items.len(), begins_paragraph });
    }
    cuts
}

/// True for the end of a block of HTML.
fn is_end_tag(items: &[Item], at: usize, units: &[Unit], text: &str) -> bool {
    const BLOCKS: [&str; 10] =
        ["li", "tr", "p", "div", "ul", "ol", "table", "section", "article", "blockquote"];
    let name =
        items.get(at + 2).filter(|_| items.get(at + 1).is_some_and(|item| item.what == What::Mark('/')));
    let name = name.and_then(|item| units.get(item.first)).map(|unit| unit.of(text)).unwrap_or_default();
    BLOCKS.contains(&name)
}

/// True when a line only goes on on the next one: it ends in a comma or a small word that wants another, or no stop
/// ends it and a small letter follows that begins no `key: value`.
fn goes_on(items: &[Item], at: usize, units: &[Unit], text: &str) -> bool {
    let before = at.checked_sub(1).and_then(|before| items.get(before));
    let Some((before, next)) = before.zip(items.get(at + 1)) else { return false };
    if !next.is_word() {
        return matches!(next.what, What::Mark(':' | ';' | ',' | ')' | '.'));
    }
    let wants = item_does(before, units, text);
    if before.what == What::Mark(',')
        || (wants.has(Does::FOLLOWS) && !wants.has(Does::RESPECTIVELY))
        || wants.has(Does::ARTICLE)
    {
        return true;
    }
    let small = units.get(next.first).is_some_and(|unit| unit.of(text).starts_with(char::is_lowercase));
    let after = items.get(at + 2).map(|after| after.what);
    let is_key = matches!(after, Some(What::Mark(':' | '=')));
    let is_cell = is_key || matches!(after, Some(What::Mark(',' | ';' | '|')));
    match (before.what, next.what) {
        (What::Mark('.' | '!' | '?' | '|' | '}' | ']'), _) => false,
        (What::Mark(':'), What::Fact(_)) => !is_key,
        (What::Mark(':'), What::Word) if item_does(next, units, text).has(Does::RECORD) => !is_key,
        (What::Word, What::Fact(_)) if wants.has(Does::RECORD) || wants.has(Does::OPENS) => !is_key,
        (What::Mark(':'), _) | (What::Word, What::Fact(_)) | (_, What::Word) => small && !is_cell,
        _ => false,
    }
}

/// True when a stop ends a sentence: a blank or the end follows, and it is not the stop of `Dr.` or `J.`.
fn is_end(items: &[Item], at: usize, units: &[Unit], text: &str) -> bool {
    const TITLES: [&str; 14] =
        ["dr", "mr", "mrs", "ms", "prof", "st", "sr", "jr", "no", "nr", "vs", "approx", "hr", "fr"];
    let unit = |item: &Item| units.get(item.first);
    let Some(stop) = items.get(at) else { return false };
    let touches_next =
        items.get(at + 1).and_then(unit).zip(unit(stop)).is_some_and(|(next, stop)| next.start == stop.end);
    if touches_next && items.get(at + 1).is_some_and(Item::is_word) {
        return false;
    }
    if stop.what != What::Mark('.') {
        return true;
    }
    let Some(before) = at.checked_sub(1).and_then(|before| items.get(before)) else { return true };
    let word = unit(before).map(|unit| unit.of(text)).unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    before.what != What::Word || !(is_initial || TITLES.contains(&&*word.to_lowercase()))
}

/// What the word of an item does.
pub(crate) fn item_does(item: &Item, units: &[Unit], text: &str) -> Does {
    match (item.what, units.get(item.first)) {
        (What::Word, Some(unit)) if item.after == item.first + 1 => does(unit.of(text)),
        (What::Mark('&'), _) => Does::JOINS,
        _ => Does::default(),
    }
}
