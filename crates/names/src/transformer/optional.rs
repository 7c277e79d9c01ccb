//! A model that the operator brings: any ONNX network that labels the pieces of a text.
//!
//! In: a folder with `model.onnx`, `config.json` (the names of the outputs, `id2label`) and `tokenizer.json`, each pinned
//! by its SHA-256. Out: what [`Transformer::read`](super::Transformer::read) gives. Invariant: nothing is loaded that
//! is not pinned, and nothing from a network; a model of another shape is refused when it is loaded, never when a
//! message waits. Not here: which labels mean what, which the configuration says.

use std::fmt;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cloakgate_vocab::Span;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use tokenizers::Tokenizer;

use super::cache::Cache;
use super::labels::Labels;
use super::reading::{self, Unread};
use super::windows::{self, Window};
use super::word_piece::Piece;
use crate::NamesError;
use crate::brought::ModelConfig;
use crate::integrity::sha256;
use crate::mention::Mention;

/// Bytes of the largest file.
const MAX_FILE_BYTES: u64 = 2 << 30;
/// Pieces that are run at once, with those that fill up shorter windows.
const BATCH_PIECES: usize = 512;
/// Longest time that one call may take.
const TIMEOUT: Duration = Duration::from_secs(60);

const NETWORK: &str = "model.onnx";
const CONFIGURATION: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";

/// A model that the operator brought.
pub struct OptionalModel {
    network: Model,
    /// `input_ids`, and what else the network takes.
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    tokenizer: Tokenizer,
    /// What stands before and after the pieces of a text.
    marks: (Vec<i32>, Vec<i32>),
    labels: Labels,
    threads: Arc<ThreadPool>,
    cache: Cache,
}

/// What the network takes for each piece.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Input {
    Pieces,
    Mask,
    Kinds,
}

impl OptionalModel {
    /// The model of a configuration.
    ///
    /// # Errors
    /// When a file is missing, not pinned or not the one that is pinned, or is no model that labels pieces.
    pub fn load(config: &ModelConfig) -> Result<Self, NamesError> {
        let unusable = |file, problem| NamesError::Unusable { file, problem };
        let tokenizer = Tokenizer::from_bytes(file(config, TOKENIZER)?);
        let mut tokenizer = tokenizer.map_err(|_| unusable(TOKENIZER, "is no tokenizer"))?;
        tokenizer.with_truncation(None).map_err(|_| unusable(TOKENIZER, "cannot be used"))?;
        tokenizer.with_padding(None);
        let marks = marks(&tokenizer).ok_or(unusable(TOKENIZER, "marks texts in an unknown way"))?;
        let names = output_names(&file(config, CONFIGURATION)?)
            .ok_or(unusable(CONFIGURATION, "does not name the outputs (`id2label`)"))?;
        let labels = Labels::new(
            names.iter().map(String::as_str),
            |thing| config.labels.get(thing).copied(),
            config.threshold,
        );
        let network = ModelOptions::with_all_ops().load(file(config, NETWORK)?);
        let network = network.map_err(|_| unusable(NETWORK, "is no network that can be run"))?;
        let inputs =
            inputs(&network).ok_or(unusable(NETWORK, "takes other inputs than pieces, mask and kinds"))?;
        let output = network.output_ids().first().copied().ok_or(unusable(NETWORK, "has no output"))?;
        let threads = Arc::new(ThreadPool::with_num_threads(1));
        let model = Self { network, inputs, output, tokenizer, marks, labels, threads, cache: Cache::new() };
        model
            .read(&["name: Aino"])
            .map_err(|_| unusable(NETWORK, "has other outputs than its configuration says"))?;
        Ok(model)
    }

    /// The mentions in each of the segments, in that order; within a segment sorted by start and apart. Blocks for as
    /// long as it takes: not for a thread that serves others.
    ///
    /// # Errors
    /// When the network fails, or did not come to the end in time.
    pub fn read(&self, segments: &[&str]) -> Result<Vec<Vec<Mention>>, NamesError> {
        reading::read(&self.cache, segments, |text| self.cut(text), |texts| self.choose(texts))
    }

    fn cut(&self, text: &str) -> Result<Vec<Piece>, NamesError> {
        let encoding = self.tokenizer.encode(text, false).map_err(|_| NamesError::Failed)?;
        let mut before = None;
        let words = encoding.get_word_ids().iter().zip(encoding.get_ids()).zip(encoding.get_offsets());
        let pieces = words.map(|((word, number), (start, end))| {
            let first = word.is_none() || before != *word;
            before = *word;
            // Some tokenizers count the blank before a word to it.
            let blank = text.get(*start..*end).map_or(0, |piece| piece.len() - piece.trim_start().len());
            Piece {
                number: *number,
                first,
                span: Span::new(start + blank, *end).unwrap_or(Span::sized(*start, 0)),
            }
        });
        Ok(pieces.collect())
    }

    fn choose(&self, texts: &mut [Unread<'_>]) -> Result<(), NamesError> {
        let deadline = Instant::now() + TIMEOUT;
        let over = texts.iter().enumerate().flat_map(|(number, text)| {
            windows::over(&text.pieces).into_iter().map(move |window| (number, window))
        });
        let mut all: Vec<_> = over.collect();
        // Those of one length together: shorter ones are filled up.
        all.sort_by_key(|(_, window)| window.len());
        let mut rest = all.as_slice();
        while let Some((_, shortest)) = rest.first() {
            if Instant::now() >= deadline {
                return Err(NamesError::TooSlow);
            }
            let fits =
                |count: &usize| rest.get(count - 1).is_some_and(|(_, w)| w.len() * count <= BATCH_PIECES);
            let count = (1..=BATCH_PIECES / shortest.len().max(1)).take_while(fits).last().unwrap_or(1);
            let (batch, others) = rest.split_at_checked(count).ok_or(NamesError::Failed)?;
            self.run(batch, texts)?;
            rest = others;
        }
        Ok(())
    }

    /// Runs the windows together.
    fn run(&self, batch: &[(usize, Window)], texts: &mut [Unread<'_>]) -> Result<(), NamesError> {
        let (before, after) = &self.marks;
        let width = batch.iter().map(|(_, window)| window.seen().len()).max().unwrap_or(0)
            + before.len()
            + after.len();
        let (mut pieces, mut mask) = (Vec::new(), Vec::new());
        for (text, window) in batch {
            let seen =
                texts.get(*text).and_then(|text| text.pieces.get(window.seen())).ok_or(NamesError::Failed)?;
            pieces.extend(before);
            for piece in seen {
                pieces.push(i32::try_from(piece.number).map_err(|_| NamesError::Failed)?);
            }
            pieces.extend(after);
            mask.resize(pieces.len(), 1);
            let end = (mask.len()).next_multiple_of(width.max(1));
            pieces.resize(end, 0);
            mask.resize(end, 0);
        }
        let numbers = self.label(&pieces, &mask, [batch.len(), width])?;
        let count = self.labels.len();
        for ((text, window), rows) in batch.iter().zip(numbers.chunks_exact((width * count).max(1))) {
            let text = texts.get_mut(*text).ok_or(NamesError::Failed)?;
            let choices = text.choices.get_mut(window.seen()).ok_or(NamesError::Failed)?;
            let rows = rows.chunks_exact(count.max(1)).skip(before.len());
            for (place, (choice, row)) in window.seen().zip(choices.iter_mut().zip(rows)) {
                if window.decides(place) {
                    *choice = self.labels.choose(&probabilities(row));
                }
            }
        }
        Ok(())
    }

    fn label(&self, pieces: &[i32], mask: &[i32], shape: [usize; 2]) -> Result<Vec<f32>, NamesError> {
        let value = |input: &Input| {
            let numbers = match input {
                Input::Pieces => pieces.to_vec(),
                Input::Mask => mask.to_vec(),
                Input::Kinds => vec![0; pieces.len()],
            };
            Value::from_shape(shape, numbers).map_err(|_| NamesError::Failed)
        };
        let mut inputs = Vec::new();
        for (node, input) in &self.inputs {
            inputs.push((*node, value(input)?.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.threads)));
        let outputs =
            self.network.run(inputs, &[self.output], Some(options)).map_err(|_| NamesError::Failed)?;
        let output = outputs.into_iter().next().ok_or(NamesError::Failed)?;
        let (found, numbers) = output.into_shape_vec::<f32, 3>().map_err(|_| NamesError::Failed)?;
        let [rows, width] = shape;
        if found == [rows, width, self.labels.len()] { Ok(numbers) } else { Err(NamesError::Failed) }
    }
}

impl fmt::Debug for OptionalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptionalModel").finish_non_exhaustive()
    }
}

/// A file of the folder, if it is the one that is pinned.
fn file(config: &ModelConfig, name: &'static str) -> Result<Vec<u8>, NamesError> {
    let unusable = |problem| NamesError::Unusable { file: name, problem };
    let pinned = config.sha256.get(name).ok_or(unusable("is not pinned by its SHA-256"))?;
    let bytes = bounded(&config.dir.join(name)).ok_or(unusable("cannot be read"))?;
    if sha256(&bytes) == pinned.to_ascii_lowercase() {
        Ok(bytes)
    } else {
        Err(unusable("is not the one that is pinned"))
    }
}

fn bounded(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_FILE_BYTES).then_some(bytes)
}

/// What the tokenizer puts before and after a text.
fn marks(tokenizer: &Tokenizer) -> Option<(Vec<i32>, Vec<i32>)> {
    let marked = tokenizer.encode("a", true).ok()?;
    let plain = tokenizer.encode("a", false).ok()?;
    let marked: Vec<i32> =
        marked.get_ids().iter().map(|id| i32::try_from(*id).ok()).collect::<Option<_>>()?;
    let plain: Vec<i32> = plain.get_ids().iter().map(|id| i32::try_from(*id).ok()).collect::<Option<_>>()?;
    if plain.is_empty() {
        return None;
    }
    let start = marked.windows(plain.len()).position(|part| part == plain)?;
    let after = marked.get(start + plain.len()..)?.to_vec();
    let before = marked.get(..start)?.to_vec();
    (before.len() + after.len() <= 2).then_some((before, after))
}

/// The names of the outputs, in order.
fn output_names(config: &[u8]) -> Option<Vec<String>> {
    let config: serde_json::Value = serde_json::from_slice(config).ok()?;
    let names = config.get("id2label")?.as_object()?;
    (0..names.len()).map(|number| Some(names.get(&number.to_string())?.as_str()?.to_owned())).collect()
}

/// The inputs of the network, of which one is the pieces.
fn inputs(network: &Model) -> Option<Vec<(NodeId, Input)>> {
    let input = |node: &NodeId| {
        let input = match network.node_info(*node)?.name()? {
            "input_ids" => Input::Pieces,
            "attention_mask" => Input::Mask,
            "token_type_ids" => Input::Kinds,
            _ => return None,
        };
        Some((*node, input))
    };
    let inputs: Vec<_> = network.input_ids().iter().map(input).collect::<Option<_>>()?;
    inputs.iter().any(|(_, input)| *input == Input::Pieces).then_some(inputs)
}

/// What the outputs of one piece say, as probabilities.
fn probabilities(row: &[f32]) -> Vec<f32> {
    let peak = row.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = row.iter().map(|number| (number - peak).exp()).collect();
    let total: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
}

#[cfg(test)]
mod tests;
