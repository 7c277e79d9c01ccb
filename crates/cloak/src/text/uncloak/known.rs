//! The facts of a session by whom they speak of, by the sentences they stood in, and by the words around them.
//!
//! In: a session. Out: answers to "which value stood there". Cost is linear in the session, and each part is made
//! when it is first asked for. Invariant: an answer that could be two values is none. Not here: reading the text.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::items::chain;
use super::lookup::Lookup;
use super::trie::{Pattern, Through};
use crate::text::session::record::{Fact, Sentence};

type ByHash<T> = HashMap<u64, T, BuildHasherDefault<Through>>;

/// Most sentences alike that are looked at.
const MAX_ALIKE: usize = 16;
/// Most values of one word for one person that are told apart.
const MAX_VALUES: usize = 4;
/// Words around a fact that must agree.
pub(crate) const WINDOW: usize = 4;

/// A value and how it was shown: indices in the session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Value {
    pub(crate) value: u32,
    pub(crate) label: u32,
}

/// What is known of one word and one person.
#[derive(Default)]
pub(crate) struct OfPerson {
    /// The values, each with its label.
    pub(crate) values: Vec<Value>,
    /// Words that followed it.
    pub(crate) followers: Vec<u32>,
    /// How often one sentence had it.
    pub(crate) most: u32,
    is_open: bool,
}

impl Source<'_> {
    /// The value; `None` for a word that the text had by itself.
    pub(crate) fn value(&self) -> Option<Value> {
        Some(Value { value: self.fact.value?, label: self.fact.label })
    }
}

/// Where a fact is known from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) sentence: &'s Sentence,
    pub(crate) fact: &'s Fact,
}

/// The facts of a session.
pub(crate) struct Known<'s> {
    lookup: &'s Lookup<'s>,
    by_person: OnceCell<ByHash<OfPerson>>,
    by_sentence: OnceCell<ByHash<Vec<&'s Sentence>>>,
    by_window: OnceCell<ByHash<Option<Source<'s>>>>,
    vocabulary: OnceCell<HashSet<u64, BuildHasherDefault<Through>>>,
}

impl<'s> Known<'s> {
    pub(crate) fn new(lookup: &'s Lookup<'s>) -> Self {
        Self {
            lookup,
            by_person: OnceCell::new(),
            by_sentence: OnceCell::new(),
            by_window: OnceCell::new(),
            vocabulary: OnceCell::new(),
        }
    }

    fn sentences(&self) -> impl Iterator<Item = &'s Sentence> {
        self.lookup.session.records().iter().flat_map(|record| &record.sentences)
    }

    /// What is known of a word for a person.
    pub(crate) fn of_person(&self, pattern: Pattern, person: u32) -> Option<&OfPerson> {
        let known = self.by_person.get_or_init(|| {
            let mut known: ByHash<OfPerson> = ByHash::default();
            for sentence in self.sentences() {
                self.learn_people(sentence, &mut known);
            }
            known
        });
        known.get(&pair(pattern, person)).filter(|known| !known.is_open)
    }

    fn learn_people(&self, sentence: &Sentence, known: &mut ByHash<OfPerson>) {
        let mut counts: ByHash<u32> = ByHash::default();
        for fact in &sentence.facts {
            let (Some(value), [owner]) = (fact.value, &*fact.owners) else { continue };
            let Some(pattern) = self.lookup.label_pattern(fact.label) else { continue };
            let key = pair(pattern, *owner);
            let count = counts.entry(key).or_default();
            *count += 1;
            let of = known.entry(key).or_default();
            if of.is_open {
                continue;
            }
            of.most = of.most.max(*count);
            let value = Value { value, label: fact.label };
            if !of.values.contains(&value) {
                of.values.push(value);
                of.is_open |= of.values.len() > MAX_VALUES;
            }
            if let Some(next) = sentence.words.get(fact.word as usize + 1)
                && of.followers.len() < MAX_ALIKE
                && !of.followers.contains(next)
            {
                of.followers.push(*next);
            }
        }
    }

    /// Sentences of the same words; none when there are too many.
    pub(crate) fn alike(&self, hash: u64) -> &[&'s Sentence] {
        let known = self.by_sentence.get_or_init(|| {
            let mut known: ByHash<Vec<&Sentence>> = ByHash::default();
            for sentence in self.sentences() {
                known.entry(sentence.hash).or_default().push(sentence);
            }
            known
        });
        known.get(&hash).map(Vec::as_slice).filter(|alike| alike.len() <= MAX_ALIKE).unwrap_or_default()
    }

    /// True when too many sentences are of these words.
    pub(crate) fn is_common(&self, hash: u64) -> bool {
        self.alike(hash).is_empty() && self.by_sentence.get().is_some_and(|known| known.contains_key(&hash))
    }

    /// Where a word stood between the same words; `None` when nowhere, or with several values.
    pub(crate) fn in_window(&self, window: u64) -> Option<Source<'s>> {
        let known = self.by_window.get_or_init(|| {
            let mut known: ByHash<Option<Source<'_>>> = ByHash::default();
            for sentence in self.sentences() {
                for fact in &sentence.facts {
                    let Some(pattern) = self.lookup.label_pattern(fact.label) else { continue };
                    for window in windows(&sentence.words, fact.word as usize, pattern) {
                        let source = Source { sentence, fact };
                        known
                            .entry(window.hash)
                            .and_modify(|known| {
                                if known.is_some_and(|known| known.fact.value != fact.value) {
                                    *known = None;
                                }
                            })
                            .or_insert(Some(source));
                    }
                }
            }
            known
        });
        known.get(&window).copied().flatten()
    }

    /// True when a word stood in a sentence with a fact of this person.
    pub(crate) fn is_said_of(&self, person: u32, word: u32) -> bool {
        let known = self.vocabulary.get_or_init(|| {
            let mut known: HashSet<u64, _> = HashSet::default();
            for sentence in self.sentences() {
                let mut owners: Vec<u32> =
                    sentence.facts.iter().flat_map(|fact| &fact.owners).copied().collect();
                owners.sort_unstable();
                owners.dedup();
                for owner in owners.iter().take(MAX_ALIKE) {
                    known.extend(sentence.words.iter().map(|word| pair(*word, *owner)));
                }
            }
            known
        });
        known.contains(&pair(word, person))
    }
}

/// Words around a fact.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) hash: u64,
    /// The first word, and one past the last.
    pub(crate) first: usize,
    pub(crate) after: usize,
}

/// All ways to take so many words in a row around a word.
pub(crate) fn windows(words: &[u32], at: usize, pattern: Pattern) -> impl Iterator<Item = Window> {
    (0..=WINDOW).filter_map(move |left| {
        let (first, after) = (at.checked_sub(left)?, at + 1 + WINDOW - left);
        let around = words.get(first..after)?;
        let place = u64::from(pattern) << 8 | left as u64;
        let beside = (first..).zip(around).filter(|(one, _)| *one != at).map(|(_, word)| u64::from(*word));
        Some(Window { hash: chain(std::iter::once(place).chain(beside)), first, after })
    })
}

fn pair(a: u32, b: u32) -> u64 {
    chain([u64::from(a), u64::from(b)].into_iter())
}
