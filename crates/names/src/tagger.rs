//! A small model of our own that reads names by words, their forms, lists, and what stands around them.
//!
//! In: any text: sentences, `key: value`, rows, logs, code. Out: mentions of people, places and organisations in the
//! text, by start, none overlapping another. Each line is read for itself.
//!
//! A score is the least probability, over the words of a mention, that the word belongs to a name of that kind, all
//! readings of the line weighed (a linear chain of labels). It is a probability on texts like those learnt from.
//! Mentions from 0.1 on are given, so that a weak one can second another voice.
//!
//! Invariant: cost is linear in the length of the text; no feature allocates. Not here: which mentions count
//! (`decide`), and learning (`cargo xtask train`, which uses [`training`]).

mod chain;
mod features;
mod hash;
mod mentions;
mod tokens;
pub mod training;
mod weights;

use std::sync::Arc;

use crate::integrity::check;
use crate::lists::Lists;
use crate::mention::Mention;
use crate::names::NamesError;
use chain::{Factors, Room, STATES, Steps};
use tokens::Token;
use weights::Weights;

static MODEL: &[u8] = include_bytes!("../data/tagger.bin");
const MODEL_SHA256: &str = include_str!("../data/tagger.sha256");
const FILE: &str = "tagger.bin";
/// First bytes of the file.
const MAGIC: &[u8; 4] = b"CGT1";

/// Reads names.
pub struct Tagger {
    model: Model<'static>,
    lists: Arc<Lists>,
}

impl std::fmt::Debug for Tagger {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Tagger")
    }
}

impl Tagger {
    /// The model that is built in.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn load() -> Result<Self, NamesError> {
        Self::with(Arc::new(Lists::load()?))
    }

    /// The same, over lists that others use as well.
    pub(crate) fn with(lists: Arc<Lists>) -> Result<Self, NamesError> {
        check(FILE, MODEL, MODEL_SHA256.trim())?;
        Ok(Self { model: Model::new(MODEL).ok_or(NamesError::Damaged { file: FILE })?, lists })
    }

    /// What the text names: people, places and organisations, by start, apart, with 0.1 as the lowest score.
    #[must_use]
    pub fn read(&self, text: &str) -> Vec<Mention> {
        self.model.read(text, &self.lists)
    }
}

/// A model in borrowed bytes.
///
/// Layout, little-endian: [`MAGIC`], the points of one step of a weight as `f32`, the points of each step from label
/// to label as `f32`, and the table of weights.
struct Model<'a> {
    weights: Weights<'a>,
    factors: Factors,
    scale: f32,
}

impl<'a> Model<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (scale, rest) = number(rest)?;
        let mut steps = Steps::default();
        let mut rest = rest;
        for points in steps.0.iter_mut().flatten() {
            (*points, rest) = number(rest)?;
        }
        Some(Self { weights: Weights::new(rest)?, factors: Factors::new(&steps), scale })
    }

    fn read(&self, text: &str, lists: &Lists) -> Vec<Mention> {
        let mut room = Room::default();
        let mut found = Vec::new();
        lines(text, lists, |tokens| {
            self.score(tokens, &mut room);
            room.weigh(&self.factors);
            mentions::collect(tokens, &room.likely, &mut found);
        });
        found
    }

    /// Fills the points of each label of each token.
    fn score(&self, tokens: &[Token], room: &mut Room) {
        let line = features::Line::of(tokens);
        room.points.clear();
        for at in 0..tokens.len() {
            let mut sums = [0; weights::LABELS];
            features::visit(tokens, at, line, |feature| self.weights.add(feature, &mut sums));
            let mut row = [0.0; STATES];
            for (points, sum) in row.iter_mut().skip(1).zip(sums) {
                *points = sum as f32 * self.scale;
            }
            room.points.push(row);
        }
    }
}

/// The number at the front, if it is finite, and the rest.
fn number(bytes: &[u8]) -> Option<(f32, &[u8])> {
    let (first, rest) = bytes.split_first_chunk::<4>()?;
    let number = f32::from_le_bytes(*first);
    number.is_finite().then_some((number, rest))
}

/// Reads the lines of a text: `visit` gets the tokens of each that has any.
fn lines(text: &str, lists: &Lists, mut visit: impl FnMut(&mut [Token])) {
    let mut tokens = Vec::new();
    let mut from = Some(0);
    while let Some(start) = from {
        from = tokens::read(text, start, lists, &mut tokens);
        if !tokens.is_empty() {
            tokens::relate(text, &mut tokens);
            visit(&mut tokens);
        }
    }
}

#[cfg(test)]
mod tests;
