//! The sentences of a text, with the people of whom their facts may speak.
//!
//! In: items, cut into sentences. Out: for each sentence its facts with who they may be about, its words, and hashes by
//! which it and what stands around it are known again. Used alike when a text is cloaked and when it comes back.
//! Invariant: a person is carried on from one sentence to the next only while nobody else is named. Not here: values.

use super::items::{Cut, Item, What, chain};
use super::owners::{Owned, Reading, owners, subject};
use super::speech::Does;

/// Most words of a heading beside a name.
const MAX_HEADING_WORDS: usize = 3;

/// One sentence with what it says of whom.
pub(crate) struct Told {
    pub(crate) cut: Cut,
    pub(crate) owned: Vec<Owned>,
    /// Its words: hashes, and which items they are.
    pub(crate) words: Vec<u32>,
    pub(crate) items: Vec<usize>,
    pub(crate) hash: u64,
    /// It follows a heading that is a name, or a sentence with facts about the same person.
    pub(crate) goes_on: bool,
    /// The hash of the sentences before, from the last one on that names somebody.
    pub(crate) before: u64,
    /// The hash of the sentence right before.
    pub(crate) previous: u64,
    /// The hash of the sentences after, up to the next one that names somebody.
    pub(crate) after: u64,
}

impl Told {
    /// Which word an item is.
    pub(crate) fn word(&self, item: usize) -> Option<usize> {
        self.items.binary_search(&item).ok()
    }

    /// True when one of the first two words is a pronoun, or stands for one (`the patient`).
    pub(crate) fn begins_with_pronoun(&self, reading: Reading<'_>) -> bool {
        begins_with_pronoun(reading, &self.cut)
    }
}

/// Reads sentences, with who each fact may be about. Where facts come before anybody is named, nobody is carried on.
pub(crate) fn told(reading: Reading<'_>, cuts: Vec<Cut>) -> Vec<Told> {
    let has = |cut: &Cut, is: fn(&What) -> bool| {
        reading.items.get(cut.items.clone()).is_some_and(|items| items.iter().any(|item| is(&item.what)))
    };
    let named = |cut: &Cut| has(cut, |what| matches!(what, What::Name(_)));
    let first_named = cuts.iter().position(named);
    let first_fact = cuts.iter().position(|cut| has(cut, |what| matches!(what, What::Fact(_))));
    let carries = first_named.zip(first_fact).is_some_and(|(named, fact)| named <= fact);
    let mut person = None;
    let (mut before, mut was_heading) = (0, false);
    let (mut under_heading, mut had_facts) = (false, false);
    let mut all = Vec::new();
    for cut in cuts {
        if cut.begins_paragraph && !was_heading {
            person = None;
        }
        let goes_on = carries || begins_with_pronoun(reading, &cut);
        if named(&cut) || cut.begins_paragraph && !was_heading {
            (under_heading, had_facts) = (false, false);
        }
        let owned = owners(reading, cut.items.clone(), person.filter(|_| goes_on));
        if let Some(named) = subject(reading, cut.items.clone()) {
            person = named;
        }
        let numbered = || (cut.items.start..).zip(reading.items.get(cut.items.clone()).unwrap_or_default());
        let words: Vec<(usize, &Item)> = numbered().filter(|(_, item)| item.is_word()).collect();
        was_heading = named(&cut) && owned.is_empty() && words.len() <= MAX_HEADING_WORDS + 1;
        let hash = chain(words.iter().map(|(_, item)| item.hash));
        all.push(Told {
            owned,
            words: words.iter().map(|(_, item)| item.hash as u32).collect(),
            items: words.iter().map(|(at, _)| *at).collect(),
            hash,
            goes_on: under_heading || had_facts,
            before,
            previous: all.last().map_or(0, |told: &Told| told.hash),
            after: 0,
            cut,
        });
        let starts_anew = all.last().is_some_and(|told: &Told| named(&told.cut));
        under_heading |= was_heading;
        had_facts = all.last().is_some_and(|told| !told.owned.is_empty());
        before = if starts_anew { hash } else { chain([before, hash].into_iter()) };
    }
    let mut after = 0;
    for told in all.iter_mut().rev() {
        told.after = after;
        after = if named(&told.cut) { 0 } else { chain([after, told.hash].into_iter()) };
    }
    all
}

fn begins_with_pronoun(reading: Reading<'_>, cut: &Cut) -> bool {
    let items = reading.items.get(cut.items.clone()).unwrap_or_default();
    let first = items.iter().filter(|item| item.is_word()).take(2);
    first.map(|item| reading.does(item)).any(|does| does.has(Does::PRONOUN))
}
