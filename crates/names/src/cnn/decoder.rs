//! Which words are an entity.
//!
//! In: the words of a text in order, each with its row and its scores. Out: entities. Invariant: at each word the best
//! of the actions that are allowed there is taken: an entity does not begin at white space nor, with more than one word,
//! at a text's last one, and it has one label. Not here: the scores (`network`).

use super::data::{Row, ZERO};
use super::network::{Buffers, Network};

/// A score that is so much lower than another one does not count.
const NEGLIGIBLE: f32 = 5.0;

/// An entity: bytes of its text, and the number of its label.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Entity {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) label: usize,
}

/// A word of a text.
pub(super) struct Word<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_space: bool,
    /// Whether no other follows in its text.
    pub(super) is_last: bool,
    pub(super) row: &'a Row,
    /// Scores of begin and unit with each label, then of out.
    pub(super) scores: &'a Row,
}

/// An entity that did not end yet.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    label: usize,
    /// The row of its first word.
    first: Row,
}

/// Scores of a word outside of an entity.
struct Outer<'a> {
    /// Begin with each label; none at the last word.
    begin: &'a [f32],
    /// Unit with each label.
    unit: &'a [f32],
    out: f32,
}

/// What is known before the next word.
pub(super) struct Decoder {
    open: Option<Open>,
    /// The row of the word before.
    before: Row,
    labels: usize,
}

impl Decoder {
    /// Before the first text, for so many labels.
    pub(super) const fn new(labels: usize) -> Self {
        Self { open: None, before: ZERO, labels }
    }

    /// Takes in the next word; an entity may end with it.
    pub(super) fn read(
        &mut self,
        word: &Word<'_>,
        network: &Network,
        buffers: &mut Buffers,
    ) -> Option<Entity> {
        let entity = match self.open {
            Some(open) => {
                let slots = [word.row, &open.first, &self.before];
                let ends = word.is_last || network.ends(slots, open.label, buffers);
                ends.then_some(Entity { start: open.start, end: word.end, label: open.label })
            }
            None => self.best(word),
        };
        if entity.is_some() {
            self.open = None;
        }
        self.before = *word.row;
        entity
    }

    /// How likely it is that the word, outside of an entity, is or begins one with this label.
    pub(super) fn chance(&self, word: &Word<'_>, label: usize) -> f32 {
        let Some(Outer { begin, unit, out }) = self.outer(word).filter(|_| self.open.is_none()) else {
            return 0.0;
        };
        let all = begin.iter().chain(unit).chain([&out]).copied();
        let own = begin.get(label).into_iter().chain(unit.get(label)).copied();
        let highest = all.clone().fold(f32::NEG_INFINITY, f32::max);
        if own.clone().all(|score| highest - score > NEGLIGIBLE) {
            return 0.0;
        }
        let weigh = |score: f32| (score - highest).exp();
        own.map(weigh).sum::<f32>() / all.map(weigh).sum::<f32>()
    }

    /// The scores of a word at which an entity may begin.
    fn outer<'a>(&self, word: &Word<'a>) -> Option<Outer<'a>> {
        let (begin, rest) = word.scores.split_at_checked(self.labels)?;
        let (unit, rest) = rest.split_at_checked(self.labels)?;
        let begin = if word.is_last { &[] } else { begin };
        let out = rest.first().copied().unwrap_or_default();
        (!word.is_space).then_some(Outer { begin, unit, out })
    }

    /// Outside of an entity: begins one, or finds one of a single word.
    fn best(&mut self, word: &Word<'_>) -> Option<Entity> {
        let Outer { begin, unit, out } = self.outer(word)?;
        let [begin, unit] = [begin, unit].map(best_label);
        // Of equal ones the earlier counts: begin, unit, out.
        match (begin, unit) {
            (Some((label, score)), Some((_, other))) if score >= other && score >= out => {
                self.open = Some(Open { start: word.start, label, first: *word.row });
                None
            }
            (_, Some((label, score))) if score >= out => {
                Some(Entity { start: word.start, end: word.end, label })
            }
            _ => None,
        }
    }
}

/// The best of the labels with its score; of equal ones the first.
fn best_label(scores: &[f32]) -> Option<(usize, f32)> {
    let mut scores = scores.iter().copied().enumerate();
    let first = scores.next()?;
    Some(scores.fold(first, |best, next| if next.1 > best.1 { next } else { best }))
}
