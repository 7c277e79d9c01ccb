//! Sessions as they were last read or written, so that they need not be read again.
//!
//! Invariant: what is kept is bounded in bytes and wiped soon after its last use; it is used only for a version that the
//! store has just named, so a session that was erased, ended or changed elsewhere is never answered from here.

use std::sync::Arc;
use std::time::Duration;

use cloakgate_cloak::text::TextSession;
use moka::sync::Cache;
use uuid::Uuid;

/// Most bytes that are kept, as sessions are stored; in memory they take a few times that.
const MAX_KEPT_BYTES: u64 = 32 << 20;
/// How long a session is kept after its last use.
const KEPT_FOR: Duration = Duration::from_secs(120);

/// A session in memory. Its values are wiped when the last one who uses it is done.
pub(super) struct Opened {
    pub(super) version: u64,
    /// How long it is where it is stored.
    pub(super) bytes: usize,
    pub(super) session: TextSession,
}

/// Sessions by their ids.
pub(super) struct Kept(Cache<Uuid, Arc<Opened>>);

impl Kept {
    pub(super) fn new() -> Self {
        let weigh = |_: &Uuid, opened: &Arc<Opened>| u32::try_from(opened.bytes.max(256)).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(MAX_KEPT_BYTES).weigher(weigh).time_to_idle(KEPT_FOR).build())
    }

    pub(super) fn keep(&self, id: Uuid, opened: Opened) -> Arc<Opened> {
        let opened = Arc::new(opened);
        self.0.insert(id, Arc::clone(&opened));
        opened
    }

    /// The session as it was kept; only the store says whether that is still its version.
    pub(super) fn of(&self, id: Uuid) -> Option<Arc<Opened>> {
        self.0.get(&id)
    }

    pub(super) fn clear(&self) {
        self.0.invalidate_all();
    }
}
