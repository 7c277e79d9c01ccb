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
mod workers;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::cache::{Cache, Found};
use self::labels::Choice;
use self::network::{LABELS, Network};
use self::word_piece::{Piece, WordPieces};
use self::workers::{Batch, Workers};
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

/// Longest time that one call may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Reads names and addresses with the transformer.
pub struct Transformer {
    workers: Workers,
    pieces: WordPieces,
    cache: Cache,
    timeout: Duration,
}

/// A text that was not read before.
struct Unread<'a> {
    key: cache::Key,
    text: &'a str,
    pieces: Vec<Piece>,
    choices: Vec<Choice>,
}

impl Transformer {
    /// The built-in weights, checked.
    ///
    /// # Errors
    /// When a file is not the one that it was, or no threads are to be had.
    pub fn load() -> Result<Self, NamesError> {
        check(NETWORK.0, NETWORK.1, NETWORK.2)?;
        check(PIECES.0, PIECES.1.as_bytes(), PIECES.2)?;
        let network = Network::read(NETWORK.1).ok_or(NamesError::Damaged { file: NETWORK.0 })?;
        Ok(Self {
            workers: Workers::new(network)?,
            pieces: WordPieces::read(PIECES.1).ok_or(NamesError::Damaged { file: PIECES.0 })?,
            cache: Cache::new(),
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
        let mut batches = Vec::new();
        let mut batch = Batch::default();
        for (number, text) in texts.iter().enumerate() {
            for window in windows::over(&text.pieces) {
                if !batch.takes(&window) {
                    batches.push(std::mem::take(&mut batch));
                }
                batch.add(number, window, &text.pieces);
            }
        }
        if !batch.is_empty() {
            batches.push(batch);
        }
        self.workers.run(batches, Instant::now() + self.timeout, |batch, labels| fill(texts, batch, labels))
    }
}

/// Takes over what the network says of the windows of a batch.
fn fill(texts: &mut [Unread<'_>], batch: &Batch, labels: &[f32]) -> Option<()> {
    let mut rows = labels;
    for (text, window) in batch.windows() {
        let (own, rest) = rows.split_at_checked(window.len() * LABELS)?;
        rows = rest;
        let choices = texts.get_mut(*text)?.choices.get_mut(window.seen())?;
        // The first row is that of the mark of the begin.
        let own = own.chunks_exact(LABELS).skip(1);
        for (place, (choice, row)) in window.seen().zip(choices.iter_mut().zip(own)) {
            if window.decides(place) {
                *choice = Choice::of(row);
            }
        }
    }
    Some(())
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
