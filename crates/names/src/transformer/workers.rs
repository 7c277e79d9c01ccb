//! The threads that run the network, for whoever asks.
//!
//! In: batches of windows. Out: the labels of each. Invariant: as many threads as there are cores, at most
//! [`MAX_WORKERS`], each running one batch at a time alone, since the parts of one product cost more on two threads
//! than they gain; a caller has no more than one batch on each, so that callers take turns; whoever waits longer than
//! it may gets an error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::network::Network;
use super::windows::Window;
use super::word_piece::{self, Piece};
use crate::NamesError;

/// Most threads.
const MAX_WORKERS: usize = 4;
/// Pieces that are run at once: more hardly run faster, and fewer are spread over the threads.
const BATCH_PIECES: usize = 192;

/// Windows that are run together.
#[derive(Default)]
pub(super) struct Batch {
    numbers: Vec<u32>,
    lengths: Vec<usize>,
    /// The number of the text that each window is of.
    windows: Vec<(usize, Window)>,
}

/// The threads and the network.
pub(super) struct Workers {
    network: Arc<Network>,
    threads: Vec<ThreadPool>,
    /// The thread that is given the next batch.
    next: AtomicUsize,
}

impl Batch {
    /// Whether there is room for the window.
    pub(super) fn takes(&self, window: &Window) -> bool {
        self.is_empty() || self.numbers.len() + window.len() <= BATCH_PIECES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// Adds a window of the text of that number.
    pub(super) fn add(&mut self, text: usize, window: Window, pieces: &[Piece]) {
        let seen = pieces.get(window.seen()).unwrap_or_default();
        self.numbers.push(word_piece::BEGIN);
        self.numbers.extend(seen.iter().map(|piece| piece.number));
        self.numbers.push(word_piece::END);
        self.lengths.push(seen.len() + 2);
        self.windows.push((text, window));
    }

    /// The windows, each with the number of its text.
    pub(super) fn windows(&self) -> &[(usize, Window)] {
        &self.windows
    }

    /// What the network says, window after window: the labels of the begin, of each piece and of the end.
    pub(super) fn label(&self, network: &Network) -> Result<Vec<f32>, NamesError> {
        network.label(&self.numbers, &self.lengths)
    }
}

impl Workers {
    pub(super) fn new(network: Network) -> Result<Self, NamesError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let thread = |number: usize| {
            let pool =
                ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("names-{number}"));
            pool.build().map_err(|_| NamesError::Failed)
        };
        let threads = (0..cores.min(MAX_WORKERS)).map(thread).collect::<Result<_, _>>()?;
        Ok(Self { network: Arc::new(network), threads, next: AtomicUsize::new(0) })
    }

    /// The network that they run.
    #[cfg(test)]
    pub(super) fn network(&self) -> &Network {
        &self.network
    }

    /// Runs the batches, and hands each to `done` with its labels, in any order.
    pub(super) fn run(
        &self,
        batches: Vec<Batch>,
        deadline: Instant,
        mut done: impl FnMut(&Batch, &[f32]) -> Option<()>,
    ) -> Result<(), NamesError> {
        let (send, receive) = channel();
        let mut waiting = batches.into_iter();
        let mut running = 0;
        let mut start = || {
            let thread = self.threads.get(self.next.fetch_add(1, Ordering::Relaxed) % self.threads.len());
            let (Some(batch), Some(thread)) = (waiting.next(), thread) else { return 0 };
            let (network, send) = (Arc::clone(&self.network), send.clone());
            thread.spawn_fifo(move || {
                // A run that panics is an error of the one who waits for it, and of nobody else.
                let labels = catch_unwind(AssertUnwindSafe(|| batch.label(&network)));
                drop(send.send((batch, labels.unwrap_or(Err(NamesError::Failed)))));
            });
            1
        };
        for _ in 0..self.threads.len() {
            running += start();
        }
        while running > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            let (batch, labels) = receive.recv_timeout(left).map_err(|_| NamesError::TooSlow)?;
            running -= 1;
            done(&batch, &labels?).ok_or(NamesError::Failed)?;
            running += start();
        }
        Ok(())
    }
}
