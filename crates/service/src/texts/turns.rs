//! Who extends a session next.
//!
//! Invariant: of those who extend one session in this process one works at a time, in the order in which they came, so
//! that they do not undo one another's work. Others are met where the session is written. Those who wait are bounded by
//! whoever lets requests in.

use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::pool::Lost;

/// Queues that sessions share by their ids, which are random.
const QUEUES: usize = 1024;

/// The queues of sessions.
pub(super) struct Turns(Vec<Semaphore>);

impl Turns {
    pub(super) fn new() -> Self {
        Self((0..QUEUES).map(|_| Semaphore::new(1)).collect())
    }

    /// Waits until it is the caller's turn, which ends when what is returned is dropped.
    pub(super) async fn take(&self, id: Uuid) -> Result<SemaphorePermit<'_>, Lost> {
        // The rest is less than `QUEUES`.
        let place = (id.as_u128() % QUEUES as u128) as usize;
        self.0.get(place).ok_or(Lost)?.acquire().await.map_err(|_| Lost)
    }
}
