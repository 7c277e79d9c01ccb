//! Products with matrices of 8-bit weights.
//!
//! In: rows of numbers. Out: rows of numbers, each times the weights, plus a bias. Invariant: a row's answer does not
//! depend on the rows beside it, because each row is rounded with a scale of its own; so what a text is found to say is
//! the same in any company. Not here: the shape of the network.

use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::ops::{BitOps as _, NumOps as _, ToFloat as _};
use rten_simd::{Isa, SimdOp};
use rten_tensor::{Matrix, NdTensorView};
use rten_vecmath::{ExtendInit as _, MinMax, Quantize};

use super::onnx::Onnx;
use crate::NamesError;

/// Weights that share one scale in the file.
const BLOCK: usize = 32;

/// The products of the machine that this runs on. Cheap to make, and made for each run: it stays on its thread.
pub(super) struct Engine {
    integers: GemmExecutor<u8, i8, i32>,
    /// Products of matrices that are not rounded.
    pub(super) floats: GemmExecutor,
    /// Largest weight: products of larger ones would overflow inside some machines' instructions.
    largest: f32,
}

impl Engine {
    pub(super) fn new() -> Self {
        let integers = GemmExecutor::<u8, i8, i32>::default();
        let largest = if integers.may_saturate() { 64.0 } else { 127.0 };
        Self { integers, floats: GemmExecutor::default(), largest }
    }
}

/// Rows that were rounded to 8 bits.
#[derive(Default)]
pub(super) struct RoundedRows {
    width: usize,
    values: Vec<u8>,
    scales: Vec<f32>,
    /// What stands for zero in each row.
    zeros: Vec<u8>,
}

impl RoundedRows {
    /// Rounds each of the rows.
    pub(super) fn fill(&mut self, rows: &[f32], width: usize) {
        self.width = width;
        self.values.clear();
        self.scales.clear();
        self.zeros.clear();
        self.values.reserve(rows.len());
        for row in rows.chunks_exact(width) {
            let (low, high) = MinMax::new(row).dispatch();
            let (low, high) = (low.min(0.0), high.max(0.0));
            let scale = ((high - low) / 255.0).max(f32::MIN_POSITIVE);
            let zero = (-low / scale).round() as u8;
            self.values.extend_init(|spare| {
                let (place, _) = spare.split_at_mut(row.len().min(spare.len()));
                Quantize::new(row, place, scale.recip(), zero).dispatch()
            });
            self.scales.push(scale);
            self.zeros.push(zero);
        }
    }
}

/// What becomes of the numbers that were there.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Into {
    /// They are written over.
    Fresh,
    /// The products are added to them.
    Sum,
}

/// One matrix of weights with a bias.
pub(super) struct Linear {
    weights: PackedBMatrix<i8>,
    scales: Vec<f32>,
    /// Sums of the weights: what a row's zero adds to each product.
    totals: Vec<i32>,
    bias: Vec<f32>,
}

/// One matrix as the file has it: the operator that multiplies, the tensor of the bias, rows.
pub(super) struct Part<'a> {
    pub(super) operator: &'a str,
    pub(super) bias: &'a str,
    pub(super) rows: usize,
}

impl Linear {
    /// Matrices of the file with `depth` columns, one below another.
    pub(super) fn read(file: &Onnx<'_>, engine: &Engine, parts: &[Part<'_>], depth: usize) -> Option<Self> {
        let rows: usize = parts.iter().map(|part| part.rows).sum();
        let mut weights = Vec::with_capacity(rows * depth);
        let mut scales = Vec::with_capacity(rows);
        let mut bias = Vec::with_capacity(rows);
        for part in parts {
            let nibbles = file.input(part.operator, 1)?.bytes(part.rows * depth / 2)?;
            let blocks = file.input(part.operator, 2)?.floats(part.rows * depth / BLOCK)?;
            for (row, blocks) in nibbles.chunks_exact(depth / 2).zip(blocks.chunks_exact(depth / BLOCK)) {
                scales.push(round_again(row, blocks, engine.largest, &mut weights));
            }
            bias.extend(file.tensor(part.bias)?.floats(part.rows)?);
        }
        let matrix: Matrix<'_, i8> =
            NdTensorView::from_slice_with_strides([depth, rows], &weights, [1, depth]).ok()?;
        let totals = weights
            .chunks_exact(depth)
            .map(|row| row.iter().map(|weight| i32::from(*weight)).sum())
            .collect();
        Some(Self { weights: engine.integers.prepack_b(matrix), scales, totals, bias })
    }

    /// How many numbers a row of the answer has.
    pub(super) fn width(&self) -> usize {
        self.bias.len()
    }

    /// The product with each row, written to `out` as `into` says.
    pub(super) fn apply(
        &self,
        engine: &Engine,
        rows: &RoundedRows,
        sums: &mut Vec<i32>,
        (out, into): (&mut [f32], Into),
    ) -> Result<(), NamesError> {
        sums.resize(rows.scales.len() * self.width(), 0);
        let left = NdTensorView::from_slice_with_strides(
            [rows.scales.len(), rows.width],
            rows.values.as_slice(),
            [rows.width, 1],
        );
        let left = GemmInputA::Unpacked(left.map_err(|_| NamesError::Failed)?);
        engine
            .integers
            .gemm(sums, left, GemmInputB::Packed(&self.weights), GemmOptions::default())
            .map_err(|_| NamesError::Failed)?;
        let sums = sums.chunks_exact(self.width());
        let rows = rows.scales.iter().zip(&rows.zeros);
        for ((sums, (scale, zero)), out) in sums.zip(rows).zip(out.chunks_exact_mut(self.width())) {
            Spread { linear: self, sums, scale: *scale, zero: i32::from(*zero), out, into }.dispatch();
        }
        Ok(())
    }
}

/// Four-bit weights with a scale for each block, rounded to eight bits with one scale for the row, which is given back.
fn round_again(row: &[u8], blocks: &[f32], largest: f32, out: &mut Vec<i8>) -> f32 {
    /// The nibble that stands for no weight.
    const ZERO: f32 = 8.0;
    let weight = |nibble: u8, scale: f32| (f32::from(nibble) - ZERO) * scale;
    let pairs = || row.chunks_exact(BLOCK / 2).zip(blocks);
    let peak = |(bytes, scale): (&[u8], &f32)| {
        bytes
            .iter()
            .flat_map(|byte| [byte & 15, byte >> 4])
            .map(|nibble| nibble.abs_diff(8))
            .max()
            .map_or(0.0, |nibble| f32::from(nibble) * scale.abs())
    };
    let scale = (pairs().map(peak).fold(0.0, f32::max) / largest).max(f32::MIN_POSITIVE);
    for (bytes, block) in pairs() {
        let table: [i8; 16] =
            std::array::from_fn(|nibble| (weight(nibble as u8, *block) / scale).round() as i8);
        let of = |nibble: u8| table.get(usize::from(nibble)).copied().unwrap_or_default();
        out.extend(bytes.iter().flat_map(|byte| [of(byte & 15), of(byte >> 4)]));
    }
    scale
}

/// Sums of rounded products as numbers again.
struct Spread<'a> {
    linear: &'a Linear,
    sums: &'a [i32],
    scale: f32,
    zero: i32,
    out: &'a mut [f32],
    into: Into,
}

impl SimdOp for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (floats, integers) = (isa.f32(), isa.i32());
        let step = floats.len();
        let (row_scale, zero) = (floats.splat(self.scale), integers.splat(self.zero));
        let Linear { scales, totals, bias, .. } = self.linear;
        let sums = self.sums.chunks(step).zip(totals.chunks(step));
        let weights = scales.chunks(step).zip(bias.chunks(step));
        for (((sums, totals), (scales, bias)), out) in sums.zip(weights).zip(self.out.chunks_mut(step)) {
            if out.len() == step {
                let sum = integers.sub(integers.load(sums), integers.mul(integers.load(totals), zero));
                let scale = floats.mul(floats.load(scales), row_scale);
                let mut number = floats.mul_add(integers.to_float(sum), scale, floats.load(bias));
                if self.into == Into::Sum {
                    number = floats.add(number, floats.load(out));
                }
                floats.store(number, out);
            } else {
                let sums = sums.iter().zip(totals).map(|(sum, total)| sum - total * self.zero);
                for (((sum, scale), bias), out) in sums.zip(scales).zip(bias).zip(out) {
                    let number = (sum as f32).mul_add(scale * self.scale, *bias);
                    *out = if self.into == Into::Sum { *out + number } else { number };
                }
            }
        }
    }
}
