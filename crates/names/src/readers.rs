//! Readers at several presets, over one copy of the models.
//!
//! In: the efforts that are wanted. Out: a reader for each. Invariant: an effort that was not loaded has no reader,
//! and whoever asks for it is told; it is never taken for `off`.

use std::sync::Arc;

use cloakgate_detect::NameReader;

use crate::brought::ModelConfig;
use crate::names::{Names, NamesError};
use crate::preset::{Effort, Preset};

/// Readers of names, by how much they do. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Readers(Vec<(Preset, Arc<dyn NameReader>)>); // each preset once

impl Readers {
    /// Loads what these efforts need, once, with the models that the operator brings. It takes tens of milliseconds of one core, unless all of them are off.
    ///
    /// # Errors
    /// When a model is damaged, or one that the operator brings cannot be used.
    pub fn load(
        efforts: impl IntoIterator<Item = Effort>,
        brought: &[ModelConfig],
    ) -> Result<Self, NamesError> {
        let mut presets: Vec<Preset> = efforts.into_iter().filter_map(Effort::preset).collect();
        presets.sort();
        presets.dedup();
        let Some(deepest) = presets.last() else { return Ok(Self::default()) };
        let names = Names::load_with(*deepest, brought)?;
        let mut readers = Self::default();
        for preset in presets {
            readers = readers.with(preset, names.at(preset));
        }
        Ok(readers)
    }

    /// The same with a reader of one's own at this preset.
    #[must_use]
    pub fn with(mut self, preset: Preset, reader: Arc<dyn NameReader>) -> Self {
        self.0.retain(|(other, _)| *other != preset);
        self.0.push((preset, reader));
        self
    }

    /// The reader of an effort; `None` when it is off.
    ///
    /// # Errors
    /// When it was not loaded.
    pub fn of(&self, effort: Effort) -> Result<Option<Arc<dyn NameReader>>, NamesError> {
        let Some(preset) = effort.preset() else { return Ok(None) };
        let reader = self.0.iter().find(|(other, _)| *other == preset).map(|(_, reader)| Arc::clone(reader));
        reader.map(Some).ok_or(NamesError::NotLoaded(preset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_loaded_is_there() {
        let readers = Readers::load([Effort::OFF, Preset::Fast.into()], &[]).expect("whole");
        assert!(readers.of(Effort::OFF).expect("off").is_none());
        assert!(readers.of(Preset::Fast.into()).expect("loaded").is_some());
        assert!(readers.of(Preset::Recall.into()).is_err());
    }
}
