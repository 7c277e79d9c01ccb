//! The session's known values, read by many messages while others add to them.
//!
//! In: known values with the vault's version. Out: snapshots. Invariant: a reader never waits for a writer nor a
//! writer for a reader longer than it takes to clone a pointer; an insert copies at most what came in since the
//! last moment when nobody was reading.

use std::sync::{Arc, Mutex, PoisonError};

use cloakgate_cloak::Version;
use cloakgate_detect::{KnownKey, KnownValue, KnownValues};

/// Known values that are shared between messages.
pub(super) struct SharedKnown {
    key: KnownKey,
    state: Mutex<State>,
}

struct State {
    /// Most of the values.
    base: Arc<KnownValues>,
    /// Values that came while `base` was being read.
    fresh: Arc<KnownValues>,
    /// What `fresh` holds, to be moved to `base`.
    queue: Vec<KnownValue>,
    version: Version,
}

/// The values at one moment.
pub(super) struct Snapshot {
    base: Arc<KnownValues>,
    fresh: Arc<KnownValues>,
}

impl Snapshot {
    pub(super) fn indexes(&self) -> [&KnownValues; 2] {
        [&self.base, &self.fresh]
    }
}

impl SharedKnown {
    pub(super) fn new(key: KnownKey) -> Self {
        let empty = || Arc::new(KnownValues::new(key));
        let (base, fresh) = (empty(), empty());
        Self { key, state: Mutex::new(State { base, fresh, queue: Vec::new(), version: Version::default() }) }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Snapshot { base: Arc::clone(&state.base), fresh: Arc::clone(&state.fresh) }
    }

    pub(super) fn version(&self) -> Version {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).version
    }

    /// Adds what the vault reported; reports may come out of order, and values may come twice.
    pub(super) fn learn(&self, values: &[KnownValue], version: Version) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.version = state.version.max(version);
        let State { base, fresh, queue, .. } = &mut *state;
        if let Some(base) = Arc::get_mut(base) {
            for value in queue.drain(..).chain(values.iter().cloned()) {
                base.insert(value);
            }
            if !fresh.is_empty() {
                *fresh = Arc::new(KnownValues::new(self.key));
            }
        } else {
            let fresh = Arc::make_mut(fresh);
            for value in values {
                fresh.insert(value.clone());
                queue.push(value.clone());
            }
        }
    }
}
