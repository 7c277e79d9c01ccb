//! Stand-ins in text that was changed.
//!
//! In: a text, a session, lines that are done. Out: edits for what stands for one value only, and, in lenient, for
//! everyday words whose value is certain. What is left counts as unresolved. Not here: unchanged texts and lines.

use std::ops::Range;

use cloakgate_vocab::Span;

use super::Mode;
use super::access::{Access, Shown};
use super::case::follow;
use super::edits::{Edit, Put};
use super::items::{Item, What, items, sentences};
use super::known::{Known, Value};
use super::lookup::Lookup;
use super::owners::Reading;
use super::speech::{Does, does, unit_does};
use super::told::told;
use super::trie::{Match, trimmed};
use super::unchanged::Unchanged;
use super::units::{Class, Unit, seen, units};
use super::whose::decide;
use crate::text::session::Replaced;
use crate::text::{Field, TextSession};

mod emphasis;
mod json;

use emphasis::left_open;
use json::Quoted;

/// Edits for the stand-ins of a text.
pub(crate) fn restore(
    text: &str,
    session: &TextSession,
    (mode, access): (Mode, Access),
    done: &Unchanged,
) -> Vec<Edit> {
    if session.all_entries().is_empty() && session.labels().is_empty() {
        return Vec::new();
    }
    let lookup = Lookup::new(session);
    let units = units(text, session.words());
    let matches = lookup.matches(&units, text);
    let writer = Writer { text, units: &units, lookup: &lookup, quoted: Quoted::of(text), access };
    let mut done = Done { ranges: &done.ranges };
    let mut edits = Vec::new();
    let mut facts = Vec::new();
    for found in &matches {
        if done.holds(writer.range(found.first, found.after).start) {
            continue;
        }
        if lookup.meaning(found.pattern).is_some_and(|meaning| meaning.is_label) {
            facts.push(found);
        } else {
            edits.push(writer.stand_in(found, &matches));
        }
    }
    if facts.is_empty() {
        return edits;
    }
    let decided = if mode == Mode::Lenient { writer.decide(&matches) } else { Vec::new() };
    let mut decided = decided.into_iter().peekable();
    for found in facts {
        while decided.next_if(|(item, _)| item.first < found.first).is_some() {}
        let value = decided.next_if(|(item, _)| item.first == found.first).and_then(|(_, value)| value);
        edits.push(writer.fact(found, value));
    }
    edits
}

/// What stands in a text for values that were known when the last text was recorded.
pub(crate) fn known_before(text: &str, session: &TextSession) -> Vec<Replaced> {
    let lookup = Lookup::new(session);
    let units = units(text, session.words());
    let matches = lookup.matches(&units, text);
    let (quoted, access) = (Quoted::of(text), Access::EVERYTHING);
    let writer = Writer { text, units: &units, lookup: &lookup, quoted, access };
    let known = |found: &Match| {
        let written = text.get(writer.range(found.first, found.after))?;
        let (index, entry) = lookup.entry(found.pattern, written)?;
        let edit = writer.stand_in(found, &matches);
        let at = Span::new(edit.range.start, edit.range.end)?;
        let Put::Value(original) = edit.put else { return None };
        if index >= session.recorded_entries() || original == written {
            return None;
        }
        Some(Replaced { at, original, field: entry.field, unique: true })
    };
    matches.iter().filter_map(known).collect()
}

/// Lines that are done; asked for in order.
struct Done<'a> {
    ranges: &'a [Range<usize>],
}

impl Done<'_> {
    fn holds(&mut self, at: usize) -> bool {
        while let [first, rest @ ..] = self.ranges
            && first.end <= at
        {
            self.ranges = rest;
        }
        self.ranges.first().is_some_and(|range| range.contains(&at))
    }
}

struct Writer<'a> {
    text: &'a str,
    units: &'a [Unit],
    lookup: &'a Lookup<'a>,
    quoted: Quoted,
    access: Access,
}

impl Writer<'_> {
    fn range(&self, first: usize, after: usize) -> Range<usize> {
        let start = self.units.get(first).map_or(0, |unit| unit.start);
        let end = self.units.get(after.wrapping_sub(1)).map_or(start, |unit| unit.end);
        start..end
    }

    fn edit(&self, range: Range<usize>, put: Put) -> Edit {
        let put = put.map(|text| {
            let (before, after) = left_open(self.text.get(range.clone()).unwrap_or_default());
            self.quoted.written(range.start, before + &text + &after)
        });
        Edit { range, put }
    }

    /// A stand-in for one value. A mark takes the word before it along, if it is its own.
    fn stand_in(&self, found: &Match, matches: &[Match]) -> Edit {
        let range = self.range(found.first, found.after);
        let written = self.text.get(range.clone()).unwrap_or_default();
        let Some((_, entry)) =
            self.lookup.entry(found.pattern, written).filter(|(_, entry)| !entry.forgotten)
        else {
            return self.edit(range, Put::Unknown);
        };
        if self.goes_on(found, matches) && entry.kind.is_name() {
            return self.edit(range, Put::Unknown);
        }
        // Looked at to be put back for its stand-in.
        let original = entry.original.expose();
        if *original == *entry.shown {
            return self.edit(range, Put::Value(written.to_owned()));
        }
        let is_mark = self.lookup.meaning(found.pattern).is_some_and(|meaning| meaning.is_mark);
        let word = if is_mark { self.word_before(found.first, &entry.shown) } else { None };
        let over = word.unwrap_or(range.start)..range.end;
        match self.access.shown(entry.field, original) {
            Shown::Withheld => self.edit(range, Put::Withheld),
            Shown::Masked(mask) => self.edit(over, Put::Mask(mask)),
            Shown::Plain(original) if is_mark => self.edit(over, Put::Value(original.to_owned())),
            Shown::Plain(original) => {
                let value = follow(&seen(written), &entry.shown, original, entry.field);
                self.edit(range, Put::Value(value))
            }
        }
    }

    /// Where the word of a mark starts, if it stands right before it without a blank.
    fn word_before(&self, mark: usize, shown: &str) -> Option<usize> {
        let shown = units(shown, self.lookup.session.words());
        let word = trimmed(shown.get(..shown.len().saturating_sub(3))?);
        let first = mark.checked_sub(word.len())?;
        let before = self.units.get(first..mark)?;
        let same = before.iter().zip(word).all(|(a, b)| a.hash == b.hash);
        same.then(|| before.first().map(|unit| unit.start)).flatten()
    }

    /// True for a name that a hyphen joins to a capitalised word which is no stand-in: another name.
    fn goes_on(&self, found: &Match, matches: &[Match]) -> bool {
        let unit = |at: usize| self.units.get(at);
        let is_found = |at: usize| {
            let after = matches.partition_point(|other| other.after <= at);
            matches.get(after).is_some_and(|other| other.first <= at)
        };
        let other = |hyphen: Option<usize>, word: Option<usize>| {
            let (Some(hyphen), Some(word)) = (hyphen.and_then(unit), word) else { return false };
            let Some(next) = unit(word) else { return false };
            hyphen.class == Class::Mark('-')
                && (hyphen.end == next.start || next.end == hyphen.start)
                && next.of(self.text).starts_with(char::is_uppercase)
                && next.of(self.text).contains(char::is_lowercase)
                && !is_found(word)
        };
        let touches = |a: usize, b: usize| unit(a).zip(unit(b)).is_some_and(|(a, b)| a.end == b.start);
        let after = touches(found.after.wrapping_sub(1), found.after)
            && other(Some(found.after), Some(found.after + 1));
        let before = found.first.checked_sub(1).is_some_and(|hyphen| touches(hyphen, found.first))
            && other(found.first.checked_sub(1), found.first.checked_sub(2));
        after || before
    }

    /// Which values the everyday words stand for.
    fn decide(&self, matches: &[Match]) -> Vec<(Item, Option<Value>)> {
        let items = items(self.units, matches, self.lookup, self.text);
        let reading = Reading { text: self.text, units: self.units, items: &items, lookup: self.lookup };
        let known = Known::new(self.lookup);
        let told = told(reading, sentences(&items, self.units, self.text));
        let decided = told.iter().flat_map(|told| decide(reading, told, &known));
        let fact = |at: usize| items.get(at).filter(|item| matches!(item.what, What::Fact(_))).copied();
        decided.filter_map(|decided| Some((fact(decided.item)?, decided.value))).collect()
    }

    /// An everyday word. Its article goes and comes with it.
    fn fact(&self, found: &Match, value: Option<Value>) -> Edit {
        let range = self.range(found.first, found.after);
        let session = self.lookup.session;
        let known = value.and_then(|value| Some((value, session.value_at(value.value)?)));
        let Some((value, (original, field))) = known else { return self.edit(range, Put::Unknown) };
        // Looked at to be put back for its stand-in.
        let original = match self.access.shown(field, original.expose()) {
            Shown::Plain(original) => original,
            Shown::Masked(mask) => return self.edit(range, Put::Mask(mask)),
            Shown::Withheld => return self.edit(range, Put::Withheld),
        };
        let label = session.labels().get(value.label as usize).map(AsRef::as_ref).unwrap_or_default();
        let written = self.text.get(range.clone()).unwrap_or_default();
        let article = self.article_before(found.first);
        if let Some(article) = article {
            let is_number = field == Field::Age && !original.contains(char::is_alphabetic);
            if self.lookup.has_article(value.label) || is_number {
                return self.edit(article..range.end, Put::Value(original.to_owned()));
            }
        }
        let has_article = self.lookup.has_article(value.label) && article.is_none();
        let bare = if has_article { without_article(original) } else { original };
        let shown = if self.lookup.has_article(value.label) { without_article(label) } else { label };
        self.edit(range, Put::Value(follow(&seen(written), shown, bare, field)))
    }

    /// Where an article starts that stands right before a word.
    fn article_before(&self, first: usize) -> Option<usize> {
        let (blank, article) = (first.checked_sub(1)?, first.checked_sub(2)?);
        let (blank, article) = (self.units.get(blank)?, self.units.get(article)?);
        let is_article = blank.class == Class::Blank && unit_does(article, self.text).has(Does::ARTICLE);
        is_article.then_some(article.start)
    }
}

fn without_article(text: &str) -> &str {
    match text.split_once(' ') {
        Some((article, rest)) if does(article).has(Does::ARTICLE) => rest.trim_start(),
        _ => text,
    }
}
