//! The port of what reads names in running text: a model, which lives elsewhere.
//!
//! In: the texts of a message, one after another, each with what the rules found in it. Out: more findings for each.
//! Invariant: a reader that cannot read says so; it never answers "nothing found" instead. Not here: models, and which
//! of two answers counts where they overlap (`merge`).

use std::error::Error;
use std::fmt;

use cloakgate_vocab::Finding;

use crate::engine::Field;
use crate::settings::CategorySet;

/// Reads names in running text.
pub trait NameReader: Send + Sync + fmt::Debug {
    /// Begins to read one message for names of the wanted categories: people, places, organisations. Texts are read
    /// together, so that a model may take them in batches.
    fn begin(&self, wanted: CategorySet) -> Box<dyn NameReading + '_>;
}

/// The texts of one message, being read.
pub trait NameReading {
    /// Takes in the next text and what the rules found in it: findings sorted by start, their hulls apart.
    fn add(&mut self, field: &Field<'_>, found: &[Finding]);

    /// Findings of each text that was taken in, in that order: sorted by start, their hulls apart, and apart from
    /// the findings that came with the text, unless a name goes beyond one of a person, a place or an organisation.
    ///
    /// # Errors
    /// When a model failed or took too long.
    fn finish(self: Box<Self>) -> Result<Vec<Vec<Finding>>, ReadError>;
}

/// A model that reads names failed.
#[derive(Debug, thiserror::Error)]
#[error("names in the text could not be read")]
pub struct ReadError(#[source] Box<dyn Error + Send + Sync>);

impl ReadError {
    /// With this cause, which names no text.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}
