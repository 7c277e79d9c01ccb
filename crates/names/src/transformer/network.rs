//! The network: pieces of words in, how likely each label is out.
//!
//! In: runs of piece numbers, each read as one text. Out: for each piece the probability of every label. Invariant:
//! the runs of a batch do not see each other, and there is no padding: a run's answer is the same alone and in company.
//! The shape is that of BERT: embeddings, six layers of attention and a wide layer, a linear classifier.

use rten_gemm::{GemmInputA, GemmInputB, GemmOptions};
use rten_simd::{SimdOp as _, SimdUnaryOp as _};
use rten_tensor::{Matrix, NdTensorView};
use rten_vecmath::{Gelu, Normalize, NormalizeOptions, Softmax, Sum, SumSquareSub};

use super::onnx::Onnx;
use super::rounded::{Engine, Into, Linear, Part, RoundedRows};
use crate::NamesError;

/// Numbers that stand for a piece.
const WIDTH: usize = 384;
const WIDE: usize = 1536;
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;
const LAYERS: usize = 6;
const PIECES: usize = 19_730;
const PLACES: usize = 512;
/// Outputs for each piece.
pub(super) const LABELS: usize = 35;

/// The network with its weights.
pub(super) struct Network {
    words: Embedding,
    places: Embedding,
    /// What is added to each piece, because it belongs to the first of one texts.
    kind: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    classifier: Linear,
}

struct Layer {
    attention: Linear,
    attended: Linear,
    attended_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

/// Rows of 8-bit numbers with one scale, where they lie in the file.
struct Embedding {
    rows: &'static [u8],
    scale: f32,
    zero: f32,
}

struct Norm {
    scale: Vec<f32>,
    bias: Vec<f32>,
}

/// Room for the numbers between two layers.
#[derive(Default)]
struct Room {
    rounded: RoundedRows,
    sums: Vec<i32>,
    attention: Vec<f32>,
    attended: Vec<f32>,
    wide: Vec<f32>,
    scores: Vec<f32>,
    head: Vec<f32>,
}

impl Network {
    /// The network of a file, or `None` when it is another.
    pub(super) fn read(file: &'static [u8]) -> Option<Self> {
        let file = Onnx::read(file)?;
        let engine = Engine::new();
        let kinds = Embedding::read(&file, "token_type", 2)?;
        let mut kind = vec![0.0; WIDTH];
        kinds.add(0, &mut kind)?;
        let layers = (0..LAYERS).map(|layer| Layer::read(&file, &engine, layer)).collect::<Option<_>>()?;
        let classifier = Part { operator: "/classifier/MatMul_Q4", bias: "classifier.bias", rows: LABELS };
        Some(Self {
            words: Embedding::read(&file, "word", PIECES)?,
            places: Embedding::read(&file, "position", PLACES)?,
            kind,
            norm: Norm::read(&file, "bert.embeddings.LayerNorm")?,
            layers,
            classifier: Linear::read(&file, &engine, &[classifier], WIDTH)?,
        })
    }

    /// The probabilities of all labels for each piece of each run, one after another. The runs stand one behind the
    /// other in `pieces`; `lengths` has the length of each, at most [`PLACES`].
    pub(super) fn label(&self, pieces: &[u32], lengths: &[usize]) -> Result<Vec<f32>, NamesError> {
        let engine = Engine::new();
        let mut rows = self.embed(pieces, lengths).ok_or(NamesError::Failed)?;
        let mut room = Room::default();
        for layer in &self.layers {
            layer.apply(&engine, &mut rows, lengths, &mut room)?;
        }
        let mut labels = vec![0.0; pieces.len() * LABELS];
        room.rounded.fill(&rows, WIDTH);
        self.classifier.apply(&engine, &room.rounded, &mut room.sums, (&mut labels, Into::Fresh))?;
        for row in labels.chunks_exact_mut(LABELS) {
            Softmax::new_mut(row).dispatch();
        }
        Ok(labels)
    }

    fn embed(&self, pieces: &[u32], lengths: &[usize]) -> Option<Vec<f32>> {
        let mut rows = vec![0.0; pieces.len() * WIDTH];
        let places = lengths.iter().flat_map(|length| 0..*length);
        for ((row, piece), place) in rows.chunks_exact_mut(WIDTH).zip(pieces).zip(places) {
            row.copy_from_slice(&self.kind);
            self.words.add(usize::try_from(*piece).ok()?, row)?;
            self.places.add(place, row)?;
        }
        self.norm.apply(&mut rows);
        Some(rows)
    }
}

impl Layer {
    fn read(file: &Onnx<'_>, engine: &Engine, layer: usize) -> Option<Self> {
        let operator = |name: &str| format!("/bert/encoder/layer.{layer}/{name}/MatMul_Q4");
        let tensor = |name: &str| format!("bert.encoder.layer.{layer}.{}", name.replace('/', "."));
        let linear = |names: &[&str], rows: usize, depth: usize| {
            let texts: Vec<_> =
                names.iter().map(|name| (operator(name), format!("{}.bias", tensor(name)))).collect();
            let parts: Vec<_> = texts.iter().map(|(operator, bias)| Part { operator, bias, rows }).collect();
            Linear::read(file, engine, &parts, depth)
        };
        let attention = ["attention/self/query", "attention/self/key", "attention/self/value"];
        Some(Self {
            attention: linear(&attention, WIDTH, WIDTH)?,
            attended: linear(&["attention/output/dense"], WIDTH, WIDTH)?,
            attended_norm: Norm::read(file, &tensor("attention/output/LayerNorm"))?,
            wide: linear(&["intermediate/dense"], WIDE, WIDTH)?,
            narrow: linear(&["output/dense"], WIDTH, WIDE)?,
            norm: Norm::read(file, &tensor("output/LayerNorm"))?,
        })
    }

    fn apply(
        &self,
        engine: &Engine,
        rows: &mut [f32],
        lengths: &[usize],
        room: &mut Room,
    ) -> Result<(), NamesError> {
        let count = rows.len() / WIDTH;
        room.attention.resize(count * 3 * WIDTH, 0.0);
        room.attended.resize(count * WIDTH, 0.0);
        room.wide.resize(count * WIDE, 0.0);
        room.rounded.fill(rows, WIDTH);
        self.attention.apply(engine, &room.rounded, &mut room.sums, (&mut room.attention, Into::Fresh))?;
        attend(engine, lengths, room)?;
        room.rounded.fill(&room.attended, WIDTH);
        self.attended.apply(engine, &room.rounded, &mut room.sums, (rows, Into::Sum))?;
        self.attended_norm.apply(rows);
        room.rounded.fill(rows, WIDTH);
        self.wide.apply(engine, &room.rounded, &mut room.sums, (&mut room.wide, Into::Fresh))?;
        Gelu {}.map_mut(&mut room.wide);
        room.rounded.fill(&room.wide, WIDE);
        self.narrow.apply(engine, &room.rounded, &mut room.sums, (rows, Into::Sum))?;
        self.norm.apply(rows);
        Ok(())
    }
}

/// Lets the pieces of each run look at each other: from queries, keys and values side by side to what was seen.
fn attend(engine: &Engine, lengths: &[usize], room: &mut Room) -> Result<(), NamesError> {
    let mut start = 0;
    for length in lengths {
        let end = start + length;
        let run = room.attention.get(start * 3 * WIDTH..end * 3 * WIDTH).ok_or(NamesError::Failed)?;
        let seen = room.attended.get_mut(start * WIDTH..end * WIDTH).ok_or(NamesError::Failed)?;
        room.scores.resize(length * length, 0.0);
        room.head.resize(length * HEAD, 0.0);
        for head in 0..HEADS {
            let column = head * HEAD;
            let queries = part(run, column, [*length, HEAD], [3 * WIDTH, 1])?;
            let keys = part(run, column + WIDTH, [HEAD, *length], [1, 3 * WIDTH])?;
            let values = part(run, column + 2 * WIDTH, [*length, HEAD], [3 * WIDTH, 1])?;
            let alpha = (HEAD as f32).sqrt().recip();
            multiply(engine, (queries, keys), alpha, &mut room.scores)?;
            for row in room.scores.chunks_exact_mut(*length) {
                Softmax::new_mut(row).dispatch();
            }
            let scores = part(&room.scores, 0, [*length, *length], [*length, 1])?;
            multiply(engine, (scores, values), 1.0, &mut room.head)?;
            for (to, from) in seen.chunks_exact_mut(WIDTH).zip(room.head.chunks_exact(HEAD)) {
                if let Some(to) = to.get_mut(column..column + HEAD) {
                    to.copy_from_slice(from);
                }
            }
        }
        start = end;
    }
    Ok(())
}

/// A matrix that lies in `numbers` from `start` on.
fn part(
    numbers: &[f32],
    start: usize,
    shape: [usize; 2],
    strides: [usize; 2],
) -> Result<Matrix<'_>, NamesError> {
    let numbers = numbers.get(start..).ok_or(NamesError::Failed)?;
    NdTensorView::from_slice_with_strides(shape, numbers, strides).map_err(|_| NamesError::Failed)
}

fn multiply(
    engine: &Engine,
    (left, right): (Matrix<'_>, Matrix<'_>),
    alpha: f32,
    out: &mut [f32],
) -> Result<(), NamesError> {
    let (left, right) = (GemmInputA::Unpacked(left), GemmInputB::Unpacked(right));
    let options = GemmOptions { alpha, ..GemmOptions::default() };
    engine.floats.gemm(out, left, right, options).map_err(|_| NamesError::Failed)
}

impl Embedding {
    fn read(file: &Onnx<'static>, name: &str, rows: usize) -> Option<Self> {
        let tensor = |part: &str| file.tensor(&format!("bert.embeddings.{name}_embeddings.weight_{part}"));
        Some(Self {
            rows: tensor("quantized")?.bytes(rows * WIDTH)?,
            scale: tensor("scale")?.floats(1)?.first().copied()?,
            zero: f32::from(tensor("zero_point")?.byte()?),
        })
    }

    /// Adds the row of that number.
    fn add(&self, number: usize, row: &mut [f32]) -> Option<()> {
        let bytes = self.rows.get(number * WIDTH..(number + 1) * WIDTH)?;
        for (to, byte) in row.iter_mut().zip(bytes) {
            *to += (f32::from(*byte) - self.zero) * self.scale;
        }
        Some(())
    }
}

impl Norm {
    fn read(file: &Onnx<'_>, name: &str) -> Option<Self> {
        let tensor = |part: &str| file.tensor(&format!("{name}.{part}"))?.floats(WIDTH);
        Some(Self { scale: tensor("weight")?, bias: tensor("bias")? })
    }

    /// Brings each row to mean 0 and variance 1, and then to what was learnt.
    fn apply(&self, rows: &mut [f32]) {
        const EPSILON: f32 = 1e-12;
        for row in rows.chunks_exact_mut(WIDTH) {
            let mean = Sum::new(row).dispatch() / WIDTH as f32;
            let variance = SumSquareSub::new(row, mean).dispatch() / WIDTH as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: (variance + EPSILON).sqrt().recip(),
                element_scale: Some(&self.scale),
                bias: 0.0,
                element_bias: Some(&self.bias),
            };
            Normalize::new_mut(row, options).dispatch();
        }
    }
}
