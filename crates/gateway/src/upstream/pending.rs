//! Requests that wait for a server's answer.
//!
//! In: ids, then outcomes. Out: each outcome to whoever waits for it. Invariant: an id has at most one outcome; once
//! closed, every waiting and every later request ends at once. The number of waiting requests is bounded by the
//! session, which bounds those of the client, and by lists, of which each upstream walks a few. A request that was to
//! begin a task and was given up is remembered, so that the task can be cancelled once its id is known. Not here:
//! deadlines.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cloakgate_mcp::RawId;
use tokio::sync::oneshot;

use super::{CallError, Reply};
use crate::tasks::Begins;

/// Tasks to be cancelled whose ids are not known yet. Those beyond it run on until their server ends them.
const MAX_UNWANTED: usize = 1024;

/// What a request ends with.
pub(super) type Outcome = Result<Reply, CallError>;

/// A request that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    outcome: oneshot::Sender<Outcome>,
    /// What the client calls the request's progress.
    pub(super) progress: Option<RawId>,
    /// What it begins, where it may be answered with a task.
    pub(super) begins: Option<Begins>,
}

impl Waiting {
    /// Gives the outcome to whoever waits. False when nobody does any more.
    pub(super) fn end(self, outcome: Outcome) -> bool {
        self.outcome.send(outcome).is_ok()
    }

    fn wants_task(&self) -> bool {
        self.begins.as_ref().is_some_and(|begins| begins.wanted)
    }
}

/// Who an answer is for.
#[derive(Debug)]
pub(super) enum Asker {
    Waiting(Waiting),
    /// Nobody any more, but the task that it has begun is to be cancelled.
    Gone,
}

/// A request that nobody answers any more.
#[derive(Debug)]
pub(crate) struct Forgotten(Waiting);

impl Forgotten {
    /// Whether its task is cancelled once it is known, so that the request itself may not be called off.
    pub(crate) fn wants_task(&self) -> bool {
        self.0.wants_task()
    }
}

#[derive(Debug, Default)]
struct Table {
    askers: HashMap<u64, Asker>,
    unwanted: usize, // of askers, those that are gone
}

impl Table {
    fn remove(&mut self, id: u64) -> Option<Asker> {
        let asker = self.askers.remove(&id)?;
        if matches!(asker, Asker::Gone) {
            self.unwanted -= 1;
        }
        Some(asker)
    }

    /// Takes a request out for good, or, where it was to begin a task, until the task is known.
    fn give_up(&mut self, id: u64) -> Option<Waiting> {
        match self.remove(id)? {
            Asker::Waiting(waiting) => {
                if waiting.wants_task() {
                    self.set_gone(id);
                }
                Some(waiting)
            }
            Asker::Gone => {
                self.set_gone(id);
                None
            }
        }
    }

    fn set_gone(&mut self, id: u64) {
        if self.unwanted < MAX_UNWANTED {
            self.unwanted += 1;
            self.askers.insert(id, Asker::Gone);
        }
    }
}

/// The table of waiting requests; `None` once the server has stopped.
#[derive(Debug)]
pub(super) struct Pending {
    table: Mutex<Option<Table>>,
}

impl Pending {
    pub(super) fn new() -> Self {
        Self { table: Mutex::new(Some(Table::default())) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Table>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request.
    pub(super) fn insert(
        &self,
        id: u64,
        progress: Option<RawId>,
        begins: Option<Begins>,
    ) -> Result<oneshot::Receiver<Outcome>, CallError> {
        let (outcome, receiver) = oneshot::channel();
        let waiting = Waiting { outcome, progress, begins };
        let mut table = self.lock();
        table.as_mut().ok_or(CallError::Stopped)?.askers.insert(id, Asker::Waiting(waiting));
        Ok(receiver)
    }

    /// Takes out whoever an answer is for. `None` when nobody waits: it was given up, or never asked.
    pub(super) fn answered(&self, id: u64) -> Option<Asker> {
        self.lock().as_mut()?.remove(id)
    }

    /// Ends a request without an answer. False when nobody waits for it.
    pub(super) fn fail(&self, id: u64, error: CallError) -> bool {
        match self.answered(id) {
            Some(Asker::Waiting(waiting)) => waiting.end(Err(error)),
            Some(Asker::Gone) | None => false,
        }
    }

    /// Takes a request out whose waiter is about to be ended; until what this gives is dropped, it goes on waiting.
    /// `None` when it has ended already.
    pub(super) fn forget(&self, id: u64) -> Option<Forgotten> {
        self.lock().as_mut()?.give_up(id).map(Forgotten)
    }

    /// Takes a request out without an outcome. True when the server is to be told: it has not ended, and was not to
    /// begin a task.
    pub(super) fn remove(&self, id: u64) -> bool {
        let given_up = self.lock().as_mut().and_then(|table| table.give_up(id));
        given_up.is_some_and(|waiting| !waiting.wants_task())
    }

    /// What the client calls the progress of a request that still waits.
    pub(super) fn progress(&self, id: u64) -> Option<RawId> {
        match self.lock().as_ref()?.askers.get(&id)? {
            Asker::Waiting(waiting) => waiting.progress.clone(),
            Asker::Gone => None,
        }
    }

    /// Ends all requests, now and from now on. Returns how many were waiting.
    pub(super) fn close(&self) -> usize {
        let table = self.lock().take().unwrap_or_default();
        let mut count = 0;
        for asker in table.askers.into_values() {
            if let Asker::Waiting(waiting) = asker {
                count += 1;
                waiting.end(Err(CallError::Stopped));
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_mcp::RawId;

    use super::{Asker, CallError, MAX_UNWANTED, Pending};
    use crate::tasks::Begins;

    #[tokio::test]
    async fn the_end_of_the_server_ends_every_request() {
        let pending = Pending::new();
        let (one, two) =
            (pending.insert(1, None, None).expect("open"), pending.insert(2, None, None).expect("open"));
        assert!(pending.fail(1, CallError::Oversized));
        assert!(!pending.fail(1, CallError::Oversized), "a second answer is late");
        assert!(!pending.fail(9, CallError::Oversized), "an answer to nothing");
        assert_eq!(pending.close(), 1);
        assert_eq!(one.await.expect("an outcome").err(), Some(CallError::Oversized));
        assert_eq!(two.await.expect("an outcome").err(), Some(CallError::Stopped));
        assert_eq!(pending.insert(3, None, None).err(), Some(CallError::Stopped));
    }

    #[test]
    fn progress_has_a_name_while_its_request_is_open() {
        let pending = Pending::new();
        let _waits = pending.insert(1, Some(RawId::own(7)), None).expect("open");
        let _waits = pending.insert(2, None, None).expect("open");
        assert_eq!(pending.progress(1), Some(RawId::own(7)));
        assert_eq!(pending.progress(2), None);
        assert!(pending.remove(1));
        assert_eq!(pending.progress(1), None);
    }

    fn begins(wanted: bool) -> Option<Begins> {
        Some(Begins { method: "tools/call".to_owned(), tool: None, request: RawId::own(1), wanted })
    }

    #[test]
    fn a_request_for_a_task_is_remembered_when_it_is_given_up() {
        let pending = Pending::new();
        let _waits = pending.insert(1, None, begins(true)).expect("open");
        let _waits = pending.insert(2, None, begins(false)).expect("open");
        assert!(pending.forget(1).is_some_and(|forgotten| forgotten.wants_task()));
        assert!(!pending.remove(1), "the server is told once there is a task");
        assert!(pending.remove(2), "it was not to begin a task");
        assert!(matches!(pending.answered(1), Some(Asker::Gone)));
        assert!(pending.answered(1).is_none() && pending.answered(2).is_none());
        for id in 0..=MAX_UNWANTED as u64 {
            let _waits = pending.insert(id, None, begins(true)).expect("open");
            assert!(!pending.remove(id));
        }
        assert!(pending.answered(MAX_UNWANTED as u64).is_none(), "one too many");
        assert_eq!(pending.close(), 0);
    }
}
