//! What `cargo xtask train` needs to learn the model, so that it sees just what the model will see.

use cloakgate_vocab::Span;

pub use super::chain::{Factors, Room, Row, STATES, Steps, may_follow};
pub use super::hash::Hash;
use super::tokens::Token;
pub use super::weights::LABELS;
use super::weights::Weights;
use super::{MAGIC, features};
use crate::lists::Lists;
use crate::names::NamesError;

/// Reads lines of text as the model does.
pub struct Reader {
    lists: Lists,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Reader")
    }
}

/// The words and marks of one line.
#[derive(Debug)]
pub struct Line<'a> {
    tokens: &'a mut [Token],
}

impl Reader {
    /// With the lists that are built in.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn load() -> Result<Self, NamesError> {
        Ok(Self { lists: Lists::load()? })
    }

    /// Gives each line of a text to `visit`.
    pub fn lines(&self, text: &str, mut visit: impl FnMut(Line<'_>)) {
        super::lines(text, &self.lists, |tokens| visit(Line { tokens }));
    }
}

impl Line<'_> {
    /// Bytes of each word and mark, and the number of the word.
    pub fn words(&self) -> impl Iterator<Item = (Span, Hash)> {
        self.tokens.iter().map(|token| (Span::sized(token.start, token.end - token.start), token.word))
    }

    /// Forgets what the lists say of words with these numbers.
    pub fn forget(&mut self, mut which: impl FnMut(Hash) -> bool) {
        for token in self.tokens.iter_mut().filter(|token| which(token.word)) {
            token.listed = 0;
        }
    }

    /// Gives each feature of each word or mark to `say`, with the place in the line.
    pub fn features(&self, mut say: impl FnMut(usize, Hash)) {
        let line = features::Line::of(self.tokens);
        for at in 0..self.tokens.len() {
            features::visit(self.tokens, at, line, |feature| say(at, feature));
        }
    }
}

/// The bytes of a model of these features, the most important first, in a table of `places`. Weights are in steps of
/// `scale` points. Features that find no place are left out; the second number says how many.
#[must_use]
pub fn pack(features: &[(Hash, [i8; LABELS])], places: usize, scale: f32, steps: &Steps) -> (Vec<u8>, usize) {
    let (table, left_out) = Weights::pack(features, places);
    let numbers = [scale].into_iter().chain(steps.0.into_iter().flatten());
    let head = MAGIC.iter().copied().chain(numbers.flat_map(f32::to_le_bytes));
    (head.chain(table).collect(), left_out)
}
