//! Lines of marked texts as numbers of features with the label of each word.

use std::collections::HashMap;

use cloakgate_names::training::{Hash, Reader};

use super::marked::Marked;
use super::random::Random;

/// Places in the sieve of features that are seen often enough.
const SIEVE: usize = 1 << 26;
/// How often a feature must be seen.
const MIN_SEEN: u8 = 3;
/// Of a hundred texts, in how many the lists know less.
const FORGETFUL_TEXTS: u64 = 50;
/// And of a hundred words there, how many they do not know.
const FORGOTTEN_WORDS: u64 = 40;

/// One line.
pub(super) struct Example {
    /// Features of all words, one word after another.
    features: Vec<u32>,
    /// Where those of each word end.
    ends: Vec<usize>,
    /// The label of each word.
    pub(super) gold: Vec<u8>,
}

impl Example {
    /// Features and label of each word.
    pub(super) fn words(&self) -> impl Iterator<Item = (&[u32], usize)> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).zip(&self.gold).map(|((start, end), gold)| {
            (self.features.get(*start..*end).unwrap_or_default(), usize::from(*gold))
        })
    }
}

/// All lines, and what the numbers of features stand for.
pub(super) struct Examples {
    pub(super) lines: Vec<Example>,
    pub(super) features: Vec<Hash>,
}

impl Examples {
    /// With all features that are seen often enough.
    pub(super) fn new(texts: &[Marked], reader: &Reader) -> Self {
        let mut seen = vec![0_u8; SIEVE];
        let place = |feature: Hash| usize::try_from(feature % SIEVE as u64).unwrap_or_default();
        each(
            texts,
            reader,
            |_, feature| {
                if let Some(seen) = seen.get_mut(place(feature)) {
                    *seen = seen.saturating_add(1);
                }
            },
            |_| {},
        );
        let mut numbers: HashMap<Hash, u32> = HashMap::new();
        let mut features = Vec::new();
        let lines = collect(texts, reader, |feature| {
            let often = seen.get(place(feature)).is_some_and(|seen| *seen >= MIN_SEEN);
            often.then(|| {
                *numbers.entry(feature).or_insert_with(|| {
                    features.push(feature);
                    u32::try_from(features.len() - 1).unwrap_or(u32::MAX)
                })
            })
        });
        Self { lines, features }
    }

    /// With these features only.
    pub(super) fn of(texts: &[Marked], reader: &Reader, features: Vec<Hash>) -> Self {
        let numbers: HashMap<Hash, u32> = features.iter().copied().zip(0..).collect();
        Self { lines: collect(texts, reader, |feature| numbers.get(&feature).copied()), features }
    }
}

fn collect(texts: &[Marked], reader: &Reader, mut number: impl FnMut(Hash) -> Option<u32>) -> Vec<Example> {
    let mut lines = Vec::new();
    let mut features = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let cell = std::cell::RefCell::new((&mut features, &mut ends));
    each(
        texts,
        reader,
        |at, feature| {
            let (features, ends) = &mut *cell.borrow_mut();
            features.extend(number(feature));
            let end = features.len();
            match ends.get_mut(at) {
                Some(place) => *place = end,
                None => ends.push(end),
            }
        },
        |gold| {
            let (features, ends) = &mut *cell.borrow_mut();
            lines.push(Example {
                features: features.as_slice().into(),
                ends: ends.as_slice().into(),
                gold: gold.to_vec(),
            });
            features.clear();
            ends.clear();
        },
    );
    lines
}

/// Gives each feature of each line to `say` with its place, then the labels of the line to `done`.
fn each(texts: &[Marked], reader: &Reader, mut say: impl FnMut(usize, Hash), mut done: impl FnMut(&[u8])) {
    let mut gold = Vec::new();
    for (number, marked) in (0_u64..).zip(texts) {
        let forgets = Random::new(number).percent(FORGETFUL_TEXTS);
        reader.lines(&marked.text, |mut line| {
            if forgets {
                line.forget(|word| Random::new(word ^ number).percent(FORGOTTEN_WORDS));
            }
            line.features(&mut say);
            gold.clear();
            gold.extend(line.words().map(|(span, _)| label(marked, span.start(), span.end())));
            done(&gold);
        });
    }
}

/// 0, or the beginning or inside of a name.
fn label(marked: &Marked, start: usize, end: usize) -> u8 {
    let name = marked.names.iter().find(|name| name.0 < end && start < name.1);
    name.map_or(0, |name| u8::try_from(1 + 2 * name.2 + usize::from(start > name.0)).unwrap_or_default())
}
