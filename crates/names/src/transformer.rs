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
#[cfg(feature = "models")]
pub(crate) mod optional;
mod reading;
mod rounded;
mod windows;
mod word_piece;
mod workers;

use std::fmt;
use std::time::{Duration, Instant};

use self::cache::Cache;
use self::labels::Labels;
use self::network::{LABELS, Network};
use self::reading::Unread;
use self::word_piece::WordPieces;
use self::workers::{Batch, Workers};
use crate::NamesError;
use crate::integrity::check;
use crate::mention::{Kind, Mention};

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

/// What the network knows, in the order of its outputs after the first, which says nothing: two for each thing, for a
/// word that begins it and for one that goes on with it. Things of no kind have a form of their own: rules find them.
const THINGS: [(&str, Option<Kind>); LABELS / 2] = [
    ("GIVEN_NAME", Some(Kind::Person)),
    ("SURNAME", Some(Kind::Person)),
    ("EMAIL", None),
    ("PHONE", None),
    ("URL", None),
    ("TAX_ID", None),
    ("BANK_ACCOUNT", None),
    ("ROUTING_NUMBER", None),
    ("GOVERNMENT_ID", None),
    ("PASSPORT", None),
    ("DRIVERS_LICENSE", None),
    ("BUILDING_NUMBER", Some(Kind::Address)),
    ("STREET_NAME", Some(Kind::Address)),
    ("SECONDARY_ADDRESS", Some(Kind::Address)),
    ("CITY", Some(Kind::Place)),
    ("STATE", Some(Kind::Place)),
    ("ZIP_CODE", Some(Kind::Address)),
];
/// Least probability that counts.
const THRESHOLD: f32 = 0.35;
/// Longest time that one call may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Reads names and addresses with the transformer.
pub struct Transformer {
    workers: Workers,
    pieces: WordPieces,
    labels: Labels,
    cache: Cache,
    timeout: Duration,
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
            labels: labels(),
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
        reading::read(&self.cache, segments, |text| Ok(self.pieces.cut(text)), |texts| self.choose(texts))
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
        self.workers.run(batches, Instant::now() + self.timeout, |batch, rows| self.fill(texts, batch, rows))
    }

    /// Takes over what the network says of the windows of a batch.
    fn fill(&self, texts: &mut [Unread<'_>], batch: &Batch, mut rows: &[f32]) -> Option<()> {
        for (text, window) in batch.windows() {
            let (own, rest) = rows.split_at_checked(window.len() * LABELS)?;
            rows = rest;
            let choices = texts.get_mut(*text)?.choices.get_mut(window.seen())?;
            // The first row is that of the mark of the begin.
            let own = own.chunks_exact(LABELS).skip(1);
            for (place, (choice, row)) in window.seen().zip(choices.iter_mut().zip(own)) {
                if window.decides(place) {
                    *choice = self.labels.choose(row);
                }
            }
        }
        Some(())
    }
}

impl fmt::Debug for Transformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transformer").finish_non_exhaustive()
    }
}

/// The labels of the outputs.
fn labels() -> Labels {
    let names = THINGS.iter().flat_map(|(thing, _)| [format!("B-{thing}"), format!("I-{thing}")]);
    let names: Vec<_> = std::iter::once("O".to_owned()).chain(names).collect();
    let kind = |name: &str| THINGS.iter().find(|(thing, _)| *thing == name).and_then(|(_, kind)| *kind);
    Labels::new(names.iter().map(String::as_str), kind, THRESHOLD)
}

#[cfg(test)]
mod tests;
