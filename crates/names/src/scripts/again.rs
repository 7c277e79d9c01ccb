//! People whose names stand elsewhere in the same Chinese text.
//!
//! In: the runs of a text and the names that were found in them. Out: more places of these names, and of parts of
//! them that mean nothing else. Invariant: from each character at most `MAX_CHARACTERS` are looked at.

use std::collections::{HashMap, HashSet};

use cloakgate_vocab::Span;

use super::han::is_dot;
use crate::lists::{Hash, Lists};
use crate::mention::{Kind, Mention};

/// Longest name that is looked for.
const MAX_CHARACTERS: usize = 8;
/// How sure a name must be to be looked for.
const SURE: f32 = 0.7;

/// A run of Chinese characters: with their places, and simplified.
pub(super) struct Characters {
    pub(super) written: Vec<(usize, char)>,
    pub(super) simple: Vec<char>,
}

/// Ends of the names that were found, with how sure they are, by their starts.
type Found = HashMap<usize, (usize, f32)>;

/// Adds the names that stand elsewhere.
pub(super) fn again(runs: &[Characters], lists: &Lists, mentions: &mut Vec<Mention>) {
    let found: Found =
        mentions.iter().map(|mention| (mention.span.start(), (mention.span.end(), mention.score))).collect();
    let mut known = Known::default();
    for run in runs {
        known.learn(run, &found, lists);
    }
    if known.names.is_empty() {
        return;
    }
    for run in runs {
        let mut at = 0;
        while let Some((start, _)) = run.written.get(at) {
            if let Some((end, _)) = found.get(start) {
                at += run.count(at, *end).max(1);
            } else if let Some((length, score)) = known.longest(run, at, &found) {
                if let Some((last, c)) = run.written.get(at + length - 1) {
                    let span = Span::sized(*start, last + c.len_utf8() - start);
                    mentions.push(Mention { span, kind: Kind::Person, score });
                }
                at += length;
            } else {
                at += 1;
            }
        }
    }
}

impl Characters {
    /// How many characters stand from a place of the run up to a byte of the text.
    fn count(&self, at: usize, end: usize) -> usize {
        self.written.iter().skip(at).take_while(|(place, _)| *place < end).count()
    }
}

/// Names and parts of names that are looked for.
#[derive(Default)]
struct Known {
    names: HashMap<u64, f32>, // by hash, with how sure a place of it is
    firsts: HashSet<char>,    // first characters of all
}

impl Known {
    /// Takes in the names of a run that are sure.
    fn learn(&mut self, run: &Characters, found: &Found, lists: &Lists) {
        for (at, (start, _)) in run.written.iter().enumerate() {
            let Some((end, _)) = found.get(start).filter(|(_, score)| *score >= SURE) else { continue };
            let name = run.simple.get(at..at + run.count(at, *end)).unwrap_or_default();
            if name.len() >= 3 {
                self.add(name, 0.8);
            }
            let parts = name.split(|c| is_dot(*c)).filter(|part| part.len() >= 3 && part.len() < name.len());
            parts.for_each(|part| self.add(part, 0.7));
            // The given name alone: `志远` of `林志远`.
            if let [surname, given @ ..] = name
                && given.len() == 2
                && lists.han(*surname).surname > 0
                && lists.han_word(given).is_none()
            {
                self.add(given, 0.6);
            }
        }
    }

    fn add(&mut self, name: &[char], score: f32) {
        if let Some(first) = name.first().filter(|_| name.len() <= MAX_CHARACTERS) {
            self.firsts.insert(*first);
            let hash = name.iter().fold(Hash::new(), |hash, c| hash.char(*c));
            self.names.entry(hash.key()).or_insert(score);
        }
    }

    /// The longest name that begins at a place and goes into no name that was found.
    fn longest(&self, run: &Characters, at: usize, found: &Found) -> Option<(usize, f32)> {
        run.simple.get(at).filter(|c| self.firsts.contains(c))?;
        let mut hash = Hash::new();
        let mut best = None;
        let rest = run.simple.iter().zip(&run.written).skip(at).take(MAX_CHARACTERS).enumerate();
        for (count, (c, (place, _))) in rest {
            if found.contains_key(place) {
                break;
            }
            hash = hash.char(*c);
            if let Some(score) = self.names.get(&hash.key()) {
                best = Some((count + 1, *score));
            }
        }
        best
    }
}
