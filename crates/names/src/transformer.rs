//! The transformer: a network that knows names and addresses in any case and in short structured texts.
//!
//! In: segments of texts. Out: the mentions in each. Invariant: what is found in a segment depends on nothing but the
//! segment; a run that fails or takes too long is an error. The weights are Rampart's (see NOTICE), as its authors
//! give them out, four bits each; they are rounded to eight bits with a scale for each row when they are loaded, since
//! machines multiply those several times faster. Cost is linear in the length of what was not read before.
//! Not here: which segments are read (`segments`), and what counts in the end (`decide`).

mod cache;
mod labels;
mod network;
mod onnx;
mod rounded;
mod windows;
mod word_piece;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::cache::{Cache, Found};
use self::labels::Choice;
use self::network::{LABELS, Network};
use self::windows::Window;
use self::word_piece::{Piece, WordPieces};
use crate::NamesError;
use crate::mention::Mention;

const NETWORK: (&str, &[u8], &str) = (
    "rampart.onnx",
    include_bytes!("../data/rampart.onnx"),
    "9f27d24949b0581701071ea5ef522d77ccd3f50c525cc91eac4d265b0fc2afe5",
);
const PIECES: (&str, &str, &str) = (
    "rampart.txt",
    include_str!("../data/rampart.txt"),
    "0fbe6b50061feabb9be68af471e9aa6df07a4bc428bdca4b0eff1fcd3612dee5",
);

/// Pieces that are run at once: more do not run faster, and the numbers between two layers stay in the cache.
const BATCH_PIECES: usize = 256;
/// Longest time that one call may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Most threads that run the network, whoever asks.
const MAX_THREADS: usize = 4;

/// Reads names and addresses with the transformer.
pub struct Transformer {
    network: Network,
    pieces: WordPieces,
    cache: Cache,
    threads: rayon::ThreadPool,
    timeout: Duration,
}

/// A text that was not read before.
struct Unread<'a> {
    key: cache::Key,
    text: &'a str,
    pieces: Vec<Piece>,
    choices: Vec<Choice>,
}

/// Windows that are run together.
#[derive(Default)]
struct Batch {
    numbers: Vec<u16>,
    lengths: Vec<usize>,
    /// The text and the part of it that each window speaks for.
    windows: Vec<(usize, Window)>,
}

impl Transformer {
    /// The built-in weights, checked.
    ///
    /// # Errors
    /// When a file is not the one that it was, or no threads are to be had.
    pub fn load() -> Result<Self, NamesError> {
        check(NETWORK.0, NETWORK.1, NETWORK.2)?;
        check(PIECES.0, PIECES.1.as_bytes(), PIECES.2)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(cores.min(MAX_THREADS))
            .thread_name(|number| format!("names-{number}"))
            .build()
            .map_err(|_| NamesError::Failed)?;
        Ok(Self {
            network: Network::read(NETWORK.1).ok_or(NamesError::Damaged { file: NETWORK.0 })?,
            pieces: WordPieces::read(PIECES.1).ok_or(NamesError::Damaged { file: PIECES.0 })?,
            cache: Cache::new(),
            threads,
            timeout: TIMEOUT,
        })
    }

    /// The mentions in each of the segments, in that order; within a segment sorted by start and apart. Blocks for as
    /// long as it takes: not for a thread that serves others.
    ///
    /// # Errors
    /// When the network fails, or did not come to the end in time.
    pub fn read(&self, segments: &[&str]) -> Result<Vec<Vec<Mention>>, NamesError> {
        let keys: Vec<_> = segments.iter().map(|segment| self.cache.key(segment)).collect();
        let mut known: HashMap<cache::Key, Option<Found>> = HashMap::new();
        let mut unread = Vec::new();
        for (key, text) in keys.iter().zip(segments) {
            known.entry(*key).or_insert_with(|| {
                let found = self.cache.recall(*key);
                if found.is_none() {
                    let pieces = self.pieces.cut(text);
                    let choices = vec![Choice::NOTHING; pieces.len()];
                    unread.push(Unread { key: *key, text, pieces, choices });
                }
                found
            });
        }
        self.choose(&mut unread)?;
        for Unread { key, text, pieces, choices } in unread {
            let found: Found = labels::mentions(text, &pieces, &choices).into();
            self.cache.remember(key, Arc::clone(&found));
            known.insert(key, Some(found));
        }
        let found = |key| known.get(key).and_then(|found| found.as_deref()).map(<[Mention]>::to_vec);
        keys.iter().map(|key| found(key).ok_or(NamesError::Failed)).collect()
    }

    /// Says of each word of the texts what it is.
    fn choose(&self, texts: &mut [Unread<'_>]) -> Result<(), NamesError> {
        let deadline = Instant::now() + self.timeout;
        let mut batch = Batch::default();
        for number in 0..texts.len() {
            let windows = texts.get(number).map(|text| windows::over(&text.pieces)).unwrap_or_default();
            for window in windows {
                if !batch.numbers.is_empty() && batch.numbers.len() + window.len() > BATCH_PIECES {
                    self.run(&mut batch, texts, deadline)?;
                }
                if let Some(text) = texts.get(number) {
                    batch.add(number, window, &text.pieces);
                }
            }
        }
        self.run(&mut batch, texts, deadline)
    }

    /// Runs a batch, and leaves it empty.
    fn run(&self, batch: &mut Batch, texts: &mut [Unread<'_>], deadline: Instant) -> Result<(), NamesError> {
        if batch.numbers.is_empty() {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(NamesError::TooSlow);
        }
        let labels = self.threads.install(|| self.network.label(&batch.numbers, &batch.lengths))?;
        let mut rows = labels.as_slice();
        for ((text, window), length) in batch.windows.iter().zip(&batch.lengths) {
            let (own, rest) = rows.split_at_checked(length * LABELS).ok_or(NamesError::Failed)?;
            rows = rest;
            let text = texts.get_mut(*text).ok_or(NamesError::Failed)?;
            let choices = text.choices.get_mut(window.seen()).ok_or(NamesError::Failed)?;
            // The first row is that of the mark of the begin.
            let own = own.chunks_exact(LABELS).skip(1);
            for (place, (choice, row)) in window.seen().zip(choices.iter_mut().zip(own)) {
                if window.decides(place) {
                    *choice = Choice::of(row);
                }
            }
        }
        *batch = Batch::default();
        Ok(())
    }
}

impl Batch {
    fn add(&mut self, text: usize, window: Window, pieces: &[Piece]) {
        let seen = pieces.get(window.seen()).unwrap_or_default();
        self.numbers.push(word_piece::BEGIN);
        self.numbers.extend(seen.iter().map(|piece| piece.number));
        self.numbers.push(word_piece::END);
        self.lengths.push(seen.len() + 2);
        self.windows.push((text, window));
    }
}

impl fmt::Debug for Transformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transformer").finish_non_exhaustive()
    }
}

/// Refuses a file that is not the one of that hash.
fn check(file: &'static str, bytes: &[u8], sha256: &str) -> Result<(), NamesError> {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    if hash == sha256 { Ok(()) } else { Err(NamesError::Damaged { file }) }
}

#[cfg(test)]
mod tests;
