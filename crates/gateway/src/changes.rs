//! Tells the client that lists have changed, once for all servers that say so at about the same time.
//!
//! In: which list. Out: at most one notification a list and a while. Invariant: a change is told at most `DEBOUNCE`
//! after it came, and only where the client was told that it would be. Not here: forgetting what was listed.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use cloakgate_cloak::Cloaked;
use tokio::sync::Notify;

use crate::outbox::Outbox;

/// How long changes are gathered.
pub(crate) const DEBOUNCE: Duration = Duration::from_millis(100);

/// A list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Kind {
    Tools = 1,
    Prompts = 2,
    Resources = 4,
}

const KINDS: [(Kind, &str); 3] =
    [(Kind::Tools, "tools"), (Kind::Prompts, "prompts"), (Kind::Resources, "resources")];

/// Changes that were not told yet.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    marked: AtomicU8,
    promised: AtomicU8,
    wake: Notify,
}

impl Changes {
    /// The client was told that it would hear of changes of this list.
    pub(crate) fn promise(&self, kind: Kind) {
        self.promised.fetch_or(kind as u8, Ordering::Relaxed);
    }

    /// A list has changed.
    pub(crate) fn mark(&self, kind: Kind) {
        self.marked.fetch_or(kind as u8, Ordering::Relaxed);
        self.wake.notify_one();
    }

    /// Any list may have changed.
    pub(crate) fn mark_all(&self) {
        for (kind, _) in KINDS {
            self.mark(kind);
        }
    }

    /// Tells the client, for ever.
    pub(crate) async fn tell(&self, outbox: &Outbox) {
        loop {
            self.wake.notified().await;
            tokio::time::sleep(DEBOUNCE).await;
            let marked = self.marked.swap(0, Ordering::Relaxed) & self.promised.load(Ordering::Relaxed);
            for (kind, name) in KINDS {
                if marked & kind as u8 != 0 {
                    let text = format!(r#"{{"jsonrpc":"2.0","method":"notifications/{name}/list_changed"}}"#);
                    outbox.send(Cloaked::authored(text)).await;
                }
            }
        }
    }
}
