//! Where the work is done that takes longer than a turn on the reactor may.
//!
//! Invariant: no more of it runs at once than there are cores, so that waiting requests wait here and not on one
//! another's cores. Those who wait are bounded by whoever lets requests in.

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// A pool of cores.
pub(super) struct Pool {
    cores: Semaphore,
}

/// The work did not come to its end: it panicked, or the process is stopping.
#[derive(Debug, thiserror::Error)]
#[error("work on a text did not come to its end")]
pub struct Lost;

impl Pool {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { cores: Semaphore::new(cores) }
    }

    /// Does work on a core of its own.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Lost> {
        let _core = self.cores.acquire().await.map_err(|_| Lost)?;
        spawn_blocking(work).await.map_err(|_| Lost)
    }
}
