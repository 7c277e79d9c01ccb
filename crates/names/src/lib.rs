//! Finds names of people and places in running text: models that are built in, joined with lists and rules.
//!
//! In: the texts of a message, each with what the rules of `detect` found in it. Out: more findings. Invariant: a model
//! that fails or takes too long is an error, never an empty answer; nothing is read from a network; every file of
//! a model is checked against its hash before it is used. Not here: values with a form of their own (`detect`).

mod brought;
mod capitals;
mod cnn;
mod decide;
mod hygiene;
mod integrity;
mod lists;
mod mention;
mod names;
mod preset;
mod readers;
mod scripts;
mod segments;
mod tagger;
mod transformer;

pub use brought::{ModelConfig, RUNS_BROUGHT_MODELS, Stage};
pub use cnn::Cnn;
pub use lists::build_table;
pub use mention::{Kind, Mention};
pub use names::{Names, NamesError};
pub use preset::{Effort, NoEffort, Preset};
pub use readers::Readers;
pub use tagger::{Tagger, training};
pub use transformer::Transformer;
#[cfg(feature = "models")]
pub use transformer::optional::OptionalModel;
