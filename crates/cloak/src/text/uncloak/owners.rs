//! Of whom the facts of a sentence speak.
//!
//! In: the items of one sentence, the person of whom the sentence before spoke. Out: for each fact the people it may be
//! about. Invariant: one person only where the sentence leaves no other reading; where it does, all who may be meant.
//! Not here: values.

use super::items::{Item, What, item_does};
use super::lookup::Lookup;
use super::speech::Does;
use super::units::Unit;

/// What is needed to read items.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) text: &'a str,
    pub(crate) units: &'a [Unit],
    pub(crate) items: &'a [Item],
    pub(crate) lookup: &'a Lookup<'a>,
}

impl Reading<'_> {
    /// What a word does.
    pub(crate) fn does(&self, item: &Item) -> Does {
        item_does(item, self.units, self.text)
    }

    /// True when a word names somebody by whom they belong to: `her brother`.
    fn has_relation(&self, range: std::ops::Range<usize>) -> bool {
        let items = self.items.get(range).unwrap_or_default();
        items.iter().any(|item| self.does(item).has(Does::RELATION))
    }

    /// True when a name belongs to something: `Yuki's`.
    fn is_possessive(&self, name: usize) -> bool {
        let unit = |item: Option<&Item>| item.and_then(|item| self.units.get(item.first));
        let mark = self.items.get(name + 1).filter(|item| item.what == What::Mark('\''));
        let letter = unit(mark.and_then(|_| self.items.get(name + 2)));
        unit(mark).zip(letter).is_some_and(|(mark, letter)| {
            mark.end == letter.start && letter.of(self.text).eq_ignore_ascii_case("s")
        })
    }

    /// True for a word that says no more than records say.
    fn is_plain(&self, word: &Item) -> bool {
        let does = self.does(word);
        let small = does.has(Does::RECORD) || does.has(Does::APPOSED) || does.has(Does::JOINS);
        small && !does.has(Does::GENERAL)
    }
}

/// Where the person is named of whom a fact speaks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Carried {
    /// Beside the fact.
    #[default]
    Not,
    /// Before it in the sentence.
    FromClause,
    /// In a sentence before.
    FromSentence,
}

/// Of whom one fact speaks.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Owned {
    /// Index of the item.
    pub(crate) item: usize,
    /// One person, or all who may be meant.
    pub(crate) owners: Vec<u32>,
    /// Whether it goes on about a person who is named before.
    pub(crate) carried: Carried,
    /// The items of its part of the sentence.
    pub(crate) clause: std::ops::Range<usize>,
}

/// Most people that one fact may be about.
const MAX_TOGETHER: usize = 8;
/// Most people who are dealt something in one sentence.
const MAX_DEALT: usize = 32;
/// Most steps between a person and what is said right after.
const MAX_APPOSED: usize = 12;

/// Of whom each fact of a sentence speaks; `sentence` lists indices of items.
pub(crate) fn owners(
    reading: Reading<'_>,
    sentence: std::ops::Range<usize>,
    subject: Option<u32>,
) -> Vec<Owned> {
    let dealt = dealt(reading, sentence.clone());
    let clauses = clauses(reading, sentence);
    let mut all = Vec::new();
    let (mut before, mut carried) = (subject, Carried::FromSentence);
    for clause in clauses {
        let named = named(reading, clause.clone());
        let speaks_of_others = reading.has_relation(clause.clone());
        for at in clause.clone() {
            if !reading.items.get(at).is_some_and(|item| matches!(item.what, What::Fact(_))) {
                continue;
            }
            let dealt =
                dealt.binary_search_by_key(&at, |(item, _)| *item).ok().and_then(|found| dealt.get(found));
            let dealt = dealt.map(|(_, owner)| *owner);
            let (owners, carried) = match (dealt, &*named) {
                (Some(owner), _) => (vec![owner], Carried::Not),
                (None, []) => (before.filter(|_| !speaks_of_others).into_iter().collect(), carried),
                (None, [_]) if speaks_of_others => {
                    (apposed(reading, clause.start, at).into_iter().collect(), Carried::Not)
                }
                (None, [one]) => (one.clone(), Carried::Not),
                (None, several) => {
                    let one = apposed(reading, clause.start, at);
                    (one.map_or_else(|| union(several), |owner| vec![owner]), Carried::Not)
                }
            };
            all.push(Owned { item: at, owners, carried, clause: clause.clone() });
        }
        if !named.is_empty() {
            before = match &*named {
                [one] if one.len() == 1 && !speaks_of_others => one.first().copied(),
                _ => None,
            };
            carried = Carried::FromClause;
        }
    }
    all
}

/// The one person that a sentence names; `Some(None)` when it names several, `None` when nobody.
pub(crate) fn subject(reading: Reading<'_>, sentence: std::ops::Range<usize>) -> Option<Option<u32>> {
    match &*named(reading, sentence.clone()) {
        [] => None,
        [one] if one.len() == 1 && !reading.has_relation(sentence) => Some(one.first().copied()),
        _ => Some(None),
    }
}

/// The people whom items name: for each, who it may be. A name that may be somebody who is named there is them.
fn named(reading: Reading<'_>, range: std::ops::Range<usize>) -> Vec<Vec<u32>> {
    let mut certain: Vec<Vec<u32>> = Vec::new();
    let mut open: Vec<Vec<u32>> = Vec::new();
    for item in reading.items.get(range).unwrap_or_default() {
        let What::Name(pattern) = item.what else { continue };
        if certain.len() + open.len() > MAX_TOGETHER {
            break;
        }
        let people = reading.lookup.named(pattern);
        let list = if people.len() == 1 { &mut certain } else { &mut open };
        if !list.iter().any(|known| known == people) {
            list.push(people.to_vec());
        }
    }
    open.retain(|people| certain.iter().flatten().filter(|person| people.contains(person)).count() != 1);
    certain.append(&mut open);
    certain
}

fn union(people: &[Vec<u32>]) -> Vec<u32> {
    let mut all: Vec<u32> = people.concat();
    all.sort_unstable();
    all.dedup();
    if all.len() > MAX_TOGETHER { Vec::new() } else { all }
}

/// The parts of a sentence that speak of one person each, as far as they can be told apart: at a semicolon, after a
/// fact before a colon, and where another person is put beside one of whom something was said.
fn clauses(reading: Reading<'_>, sentence: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let mut clauses = Vec::new();
    let mut start = sentence.start;
    let (mut has_name, mut has_fact, mut is_plain) = (false, false, true);
    for at in sentence.clone() {
        let Some(item) = reading.items.get(at) else { break };
        let previous =
            at.checked_sub(1).filter(|before| *before >= start).and_then(|before| reading.items.get(before));
        let beside = previous.is_some_and(|previous| {
            previous.what == What::Mark(',') || reading.does(previous).has(Does::JOINS)
        });
        let splits = match item.what {
            What::Mark(';') => true,
            What::Mark(':') => has_fact && !has_name && !is_plain,
            What::Name(_) => beside && has_name && has_fact && !reading.is_possessive(at),
            _ => false,
        };
        if splits {
            clauses.push(start..at);
            start = at;
            (has_name, has_fact, is_plain) = (false, false, true);
        }
        match item.what {
            What::Word => is_plain &= reading.is_plain(item),
            What::Name(_) => has_name = true,
            What::Fact(_) => has_fact = true,
            _ => {}
        }
    }
    clauses.push(start..sentence.end);
    clauses
}

/// The person right after whom a fact is said, with nothing but small words and other facts between; not when
/// people are put side by side before it.
fn apposed(reading: Reading<'_>, start: usize, fact: usize) -> Option<u32> {
    let item = |at: usize| reading.items.get(at);
    let joins = |at: usize| {
        item(at).is_some_and(|item| item.what == What::Mark(',') || reading.does(item).has(Does::JOINS))
    };
    let is_name = |at: usize| item(at).is_some_and(|item| matches!(item.what, What::Name(_)));
    for at in (start.max(fact.saturating_sub(MAX_APPOSED))..fact).rev() {
        match item(at)?.what {
            What::Name(pattern) => {
                let mut before = at;
                while before > start && joins(before - 1) {
                    before -= 1;
                }
                let side_by_side = before < at && before > start && is_name(before - 1);
                // `the sister of Luca, adult`: who stands after a word need not be meant, but in brackets after the name.
                let is_object = at > start
                    && item(at - 1).is_some_and(|item| item.what == What::Word && !joins(at - 1))
                    && !item(at + 1)
                        .is_some_and(|item| matches!(item.what, What::Mark('(' | ':') | What::Fact(_)));
                let [one] = reading.lookup.named(pattern) else { return None };
                return (!side_by_side && !is_object && !reading.is_possessive(at)).then_some(*one);
            }
            What::Fact(_) | What::Mark(',' | '(' | ':' | '-' | '|' | '"' | '=') => {}
            What::Word if reading.does(item(at)?).has(Does::APPOSED) => {}
            _ => return None,
        }
    }
    None
}

/// `A and B live in X and Y respectively`: who is dealt which fact.
fn dealt(reading: Reading<'_>, sentence: std::ops::Range<usize>) -> Vec<(usize, u32)> {
    let items = reading.items.get(sentence.clone()).unwrap_or_default();
    if !items.iter().any(|item| reading.does(item).has(Does::RESPECTIVELY)) {
        return Vec::new();
    }
    let numbered = || sentence.clone().zip(items);
    let mut people = Vec::new();
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut between_names = true; // nothing but what joins since the last name
    let mut between_facts = false; // nothing but small words since the last fact
    for (at, item) in numbered() {
        match item.what {
            What::Name(pattern) => {
                let [one] = reading.lookup.named(pattern) else { return Vec::new() };
                if people.len() > MAX_DEALT || people.contains(one) || !(between_names || people.is_empty()) {
                    return Vec::new();
                }
                people.push(*one);
                (between_names, between_facts) = (true, false);
            }
            What::Fact(_) => {
                match runs.last_mut() {
                    Some(run) if between_facts => run.push(at),
                    _ => runs.push(vec![at]),
                }
                (between_names, between_facts) = (false, true);
            }
            What::Mark(',') => {}
            _ if reading.does(item).has(Does::JOINS) => {}
            _ => {
                between_names = false;
                let does = reading.does(item);
                between_facts &= does.has(Does::APPOSED) || does.has(Does::FOLLOWS);
            }
        }
    }
    let fits = |run: &Vec<usize>| run.len() == people.len();
    let deal = |run: Vec<usize>| run.into_iter().zip(people.clone()).collect::<Vec<_>>();
    if people.len() < 2 { Vec::new() } else { runs.into_iter().filter(fits).flat_map(deal).collect() }
}
