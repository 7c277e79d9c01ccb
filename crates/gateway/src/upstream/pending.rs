//! Requests that wait for a server's answer.
//!
//! In: ids, then outcomes. Out: each outcome to whoever waits for it. Invariant: an id has at most one outcome; once
//! closed, every waiting and every later request ends at once. The number of waiting requests is bounded by the
//! session, which bounds those of the client, and by lists, of which each upstream walks a few. Not here: deadlines.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cloakgate_mcp::RawId;
use tokio::sync::oneshot;

use super::{CallError, Reply};

/// What a request ends with.
pub(super) type Outcome = Result<Reply, CallError>;

/// A request that waits.
#[derive(Debug)]
struct Waiting {
    outcome: oneshot::Sender<Outcome>,
    /// What the client calls the request's progress.
    progress: Option<RawId>,
}

/// A request that nobody answers any more.
#[derive(Debug)]
pub(crate) struct Forgotten(#[expect(dead_code, reason = "held for its drop")] Waiting);

/// The table of waiting requests; `None` once the server has stopped.
#[derive(Debug)]
pub(super) struct Pending {
    waiting: Mutex<Option<HashMap<u64, Waiting>>>,
}

impl Pending {
    pub(super) fn new() -> Self {
        Self { waiting: Mutex::new(Some(HashMap::new())) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<u64, Waiting>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request.
    pub(super) fn insert(
        &self,
        id: u64,
        progress: Option<RawId>,
    ) -> Result<oneshot::Receiver<Outcome>, CallError> {
        let (outcome, receiver) = oneshot::channel();
        let mut waiting = self.lock();
        waiting.as_mut().ok_or(CallError::Stopped)?.insert(id, Waiting { outcome, progress });
        Ok(receiver)
    }

    /// Ends a request. False when nobody waits for it: it was given up, or never was.
    pub(super) fn settle(&self, id: u64, outcome: Outcome) -> bool {
        let waiting = self.lock().as_mut().and_then(|waiting| waiting.remove(&id));
        waiting.is_some_and(|waiting| waiting.outcome.send(outcome).is_ok())
    }

    /// Takes a request out whose waiter is about to be ended; until what this gives is dropped, it goes on waiting.
    /// `None` when it has ended already.
    pub(super) fn take(&self, id: u64) -> Option<Forgotten> {
        self.lock().as_mut()?.remove(&id).map(Forgotten)
    }

    /// Takes a request out without an outcome. False when it has ended already.
    pub(super) fn remove(&self, id: u64) -> bool {
        self.lock().as_mut().is_some_and(|waiting| waiting.remove(&id).is_some())
    }

    /// What the client calls the progress of a request that still waits.
    pub(super) fn progress(&self, id: u64) -> Option<RawId> {
        self.lock().as_ref()?.get(&id)?.progress.clone()
    }

    /// Ends all requests, now and from now on. Returns how many were waiting.
    pub(super) fn close(&self) -> usize {
        let waiting = self.lock().take().unwrap_or_default();
        let count = waiting.len();
        for waiting in waiting.into_values() {
            let _given_up = waiting.outcome.send(Err(CallError::Stopped));
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_mcp::RawId;

    use super::{CallError, Pending};

    #[tokio::test]
    async fn the_end_of_the_server_ends_every_request() {
        let pending = Pending::new();
        let (one, two) = (pending.insert(1, None).expect("open"), pending.insert(2, None).expect("open"));
        assert!(pending.settle(1, Err(CallError::Oversized)));
        assert!(!pending.settle(1, Err(CallError::Oversized)), "a second answer is late");
        assert!(!pending.settle(9, Err(CallError::Oversized)), "an answer to nothing");
        assert_eq!(pending.close(), 1);
        assert_eq!(one.await.expect("an outcome").err(), Some(CallError::Oversized));
        assert_eq!(two.await.expect("an outcome").err(), Some(CallError::Stopped));
        assert_eq!(pending.insert(3, None).err(), Some(CallError::Stopped));
    }

    #[test]
    fn progress_has_a_name_while_its_request_is_open() {
        let pending = Pending::new();
        let _waits = pending.insert(1, Some(RawId::own(7))).expect("open");
        let _waits = pending.insert(2, None).expect("open");
        assert_eq!(pending.progress(1), Some(RawId::own(7)));
        assert_eq!(pending.progress(2), None);
        assert!(pending.remove(1));
        assert_eq!(pending.progress(1), None);
    }
}
