//! Models that the operator brings, beside those that are built in.
//!
//! In: where they lie and what their labels mean. Out: what they see. Invariant: a build that cannot run them refuses
//! them; a model that fails is an error. Not here: how one is loaded and run (`transformer::optional`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::mention::{Kind, Mention};
use crate::names::NamesError;
#[cfg(feature = "models")]
use crate::transformer::optional::OptionalModel;

/// True when this build can run models that an operator brings.
pub const RUNS_BROUGHT_MODELS: bool = cfg!(feature = "models");

/// When a model is asked.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Stage {
    /// Where names are undecided, with the transformer.
    #[default]
    Open,
    /// With the small network: it reads all that is read, and what it sees comes first.
    Every,
}

/// Which model is loaded, and how it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    /// The folder.
    pub dir: PathBuf,
    /// The SHA-256 of each file, in hexadecimal digits.
    pub sha256: BTreeMap<String, String>,
    /// What the model's labels mean, without `B-` and the like. Labels that are not here are dropped.
    pub labels: BTreeMap<String, Kind>,
    /// Least probability that counts.
    pub threshold: f32,
    /// When it is asked.
    pub stage: Stage,
}

/// The models that an operator brought.
#[derive(Debug, Default)]
pub(crate) struct Brought {
    #[cfg(feature = "models")]
    models: Vec<(Stage, OptionalModel)>,
}

#[cfg(feature = "models")]
impl Brought {
    /// Loads them.
    pub(crate) fn load(configs: &[ModelConfig]) -> Result<Self, NamesError> {
        let load = |config: &ModelConfig| Ok((config.stage, OptionalModel::load(config)?));
        Ok(Self { models: configs.iter().map(load).collect::<Result<_, NamesError>>()? })
    }

    /// Adds what those of a stage see in each text to what others saw there, by start.
    pub(crate) fn read(
        &self,
        stage: Stage,
        texts: &[&str],
        seen: &mut Vec<Vec<Mention>>,
    ) -> Result<(), NamesError> {
        for (_, model) in self.models.iter().filter(|(own, _)| *own == stage) {
            seen.resize(texts.len(), Vec::new());
            for (seen, more) in seen.iter_mut().zip(model.read(texts)?) {
                seen.extend(more);
                seen.sort_by_key(|mention| mention.span);
            }
        }
        Ok(())
    }
}

#[cfg(not(feature = "models"))]
impl Brought {
    /// Refuses them, if there are any.
    pub(crate) const fn load(configs: &[ModelConfig]) -> Result<Self, NamesError> {
        if configs.is_empty() { Ok(Self {}) } else { Err(NamesError::NotBuilt) }
    }

    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "a build that runs such models asks itself"
    )]
    pub(crate) const fn read(
        &self,
        _: Stage,
        _: &[&str],
        _: &mut Vec<Vec<Mention>>,
    ) -> Result<(), NamesError> {
        Ok(())
    }
}
