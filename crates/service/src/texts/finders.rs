//! Finders by the settings that they were made for.
//!
//! Invariant: a finder looks for what its profile wants, and a profile never changes without its version.

use std::sync::Arc;

use cloakgate_cloak::Finder;
use cloakgate_detect::{Engine, KnownKey, Settings};
use cloakgate_names::{NamesError, Readers};
use moka::sync::Cache;
use ring::rand::{SecureRandom, SystemRandom};
use uuid::Uuid;

use crate::context::SettingsInForce;

/// Most finders that are kept.
const MAX_FINDERS: u64 = 1_000;

/// Finders of settings. The readers of names are shared by all of them.
pub(super) struct Finders {
    readers: Readers,
    key: KnownKey,
    made: Cache<(Uuid, u64), Arc<Finder>>,
}

impl Finders {
    /// Finders with these readers of names; `None` when there is no randomness.
    pub(super) fn new(readers: Readers) -> Option<Self> {
        let mut key = [0; 16];
        SystemRandom::new().fill(&mut key).ok()?;
        Some(Self { readers, key: KnownKey::new(key), made: Cache::new(MAX_FINDERS) })
    }

    /// The finder of settings.
    pub(super) fn of(&self, settings: &SettingsInForce) -> Result<Arc<Finder>, NamesError> {
        let place = (settings.id, settings.version);
        if let Some(finder) = self.made.get(&place) {
            return Ok(finder);
        }
        let mut engine = Engine::new(Settings { categories: settings.profile.categories() });
        if let Some(names) = self.readers.of(settings.names)? {
            engine = engine.with_names(names);
        }
        let finder = Arc::new(Finder::new(engine, self.key));
        self.made.insert(place, Arc::clone(&finder));
        Ok(finder)
    }
}
