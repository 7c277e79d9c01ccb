//! Layers of the network: sums of products, the largest of each few, and a norm.
//!
//! In: rows of 96 numbers; a layer looks at as many of them at once as it has segments. Out: a row of 96 numbers for each
//! look, the last ones zero where a layer has fewer outputs. Weights lie as the widest vectors of this processor want
//! them. Invariant: what is computed for one look does not depend on the looks beside it.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, Simd, SimdOp};

use super::data::{Row, WIDTH, ZERO};

/// Looks that are computed together.
const LARGE: usize = 8;
/// The same where the processor has few registers, and for what is left over.
const SMALL: usize = 4;
/// Keeps the norm of a row without differences finite.
const EPSILON: f32 = 1e-8;

/// A layer: of each `PIECES` sums over `SEGMENTS` rows the largest counts.
pub(super) struct Layer<const SEGMENTS: usize, const PIECES: usize> {
    /// For each block of outputs, as many as a vector has numbers: for each input the weights of the first sums, then
    /// of the second ones.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl<const SEGMENTS: usize, const PIECES: usize> Layer<SEGMENTS, PIECES> {
    /// From the weights of each sum and its bias. Sums of the same output follow each other, their number is a multiple
    /// of `PIECES`; there are as many weights a sum as `SEGMENTS` rows have numbers.
    pub(super) fn new(weights: &[f32], bias: &[f32]) -> Self {
        Self::laid_out(weights, bias, Lanes.dispatch())
    }

    /// The same for vectors of so many numbers.
    fn laid_out(weights: &[f32], bias: &[f32], lanes: usize) -> Self {
        let inputs = SEGMENTS * WIDTH;
        let outputs = bias.len() / PIECES;
        let blocks = outputs.div_ceil(lanes);
        let weight = |output: usize, piece: usize, input: usize| {
            weights.get((output * PIECES + piece) * inputs + input).filter(|_| output < outputs)
        };
        let mut layer =
            Self { weights: Vec::with_capacity(blocks * lanes * PIECES * inputs), bias: Vec::new() };
        for block in 0..blocks {
            let lane_outputs = || block * lanes..(block + 1) * lanes;
            for input in 0..inputs {
                for piece in 0..PIECES {
                    let row =
                        lane_outputs().map(|output| weight(output, piece, input).copied().unwrap_or(0.0));
                    layer.weights.extend(row);
                }
            }
            for piece in 0..PIECES {
                let row =
                    lane_outputs().map(|output| bias.get(output * PIECES + piece).copied().unwrap_or(0.0));
                layer.bias.extend(row);
            }
        }
        layer
    }

    /// Computes a row for each look at `SEGMENTS` rows.
    pub(super) fn apply<'a>(&self, looks: impl Iterator<Item = [&'a Row; SEGMENTS]>, out: &mut Vec<Row>) {
        let mut looks: Vec<_> = looks.collect();
        let count = looks.len();
        // Two or three looks by themselves take longer than four together.
        if let Some(last) = looks.last().copied().filter(|_| count % SMALL > 1) {
            looks.resize(count.next_multiple_of(SMALL), last);
        }
        out.clear();
        out.resize(looks.len(), ZERO);
        Product { layer: self, looks: &looks, out }.dispatch();
        out.truncate(count);
    }
}

/// How many numbers a vector has.
struct Lanes;

impl SimdOp for Lanes {
    type Output = usize;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> usize {
        isa.f32().len()
    }
}

struct Product<'b, const SEGMENTS: usize, const PIECES: usize> {
    layer: &'b Layer<SEGMENTS, PIECES>,
    looks: &'b [[&'b Row; SEGMENTS]],
    out: &'b mut [Row],
}

impl<const SEGMENTS: usize, const PIECES: usize> SimdOp for Product<'_, SEGMENTS, PIECES> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let lanes = isa.f32().len();
        let panel = PIECES * lanes * SEGMENTS * WIDTH;
        let panels = self.layer.weights.chunks_exact(panel).zip(self.layer.bias.chunks_exact(PIECES * lanes));
        let has_many_registers = lanes >= 16 || cfg!(target_arch = "aarch64");
        for (block, (weights, bias)) in panels.enumerate() {
            let panel = Panel::<SEGMENTS, PIECES> { weights, bias, first: block * lanes };
            let (mut looks, mut out) = (self.looks, &mut *self.out);
            if has_many_registers {
                (looks, out) = panel.tiles::<I, LARGE>(isa, looks, out);
            }
            (looks, out) = panel.tiles::<I, SMALL>(isa, looks, out);
            panel.tiles::<I, 1>(isa, looks, out);
        }
    }
}

/// The weights of one block of outputs.
struct Panel<'b, const SEGMENTS: usize, const PIECES: usize> {
    weights: &'b [f32],
    bias: &'b [f32],
    /// Its first output.
    first: usize,
}

impl<const SEGMENTS: usize, const PIECES: usize> Panel<'_, SEGMENTS, PIECES> {
    /// Computes these outputs of looks, `ROWS` at once; what is left over is given back.
    #[inline(always)]
    fn tiles<'a, 'b, I: Isa, const ROWS: usize>(
        &self,
        isa: I,
        looks: &'a [[&'a Row; SEGMENTS]],
        out: &'b mut [Row],
    ) -> (&'a [[&'a Row; SEGMENTS]], &'b mut [Row]) {
        let (tiles, looks) = looks.as_chunks::<ROWS>();
        let (outs, out) = out.as_chunks_mut::<ROWS>();
        for (looks, out) in tiles.iter().zip(outs) {
            self.tile(isa, looks, out);
        }
        (looks, out)
    }

    /// Computes these outputs of a few looks.
    #[inline(always)]
    fn tile<I: Isa, const ROWS: usize>(
        &self,
        isa: I,
        looks: &[[&Row; SEGMENTS]; ROWS],
        out: &mut [Row; ROWS],
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        let bias: [I::F32; PIECES] = ops.load_many(self.bias);
        let mut sums = [bias; ROWS];
        for (segment, weights) in self.weights.chunks_exact(WIDTH * PIECES * lanes).enumerate() {
            let rows = looks.map(|look| look.get(segment).copied().unwrap_or(&ZERO));
            for (place, weights) in (0..WIDTH).zip(weights.chunks_exact(PIECES * lanes)) {
                let weights: [I::F32; PIECES] = ops.load_many(weights);
                for (sums, row) in sums.iter_mut().zip(&rows) {
                    let number = ops.splat(row.get(place).copied().unwrap_or_default());
                    for (sum, weight) in sums.iter_mut().zip(&weights) {
                        *sum = ops.mul_add(number, *weight, *sum);
                    }
                }
            }
        }
        for (row, sums) in out.iter_mut().zip(sums) {
            let largest = sums.into_iter().reduce(
                #[inline(always)]
                |one, other| ops.max(one, other),
            );
            if let (Some(largest), Some(out)) = (largest, row.get_mut(self.first..self.first + lanes)) {
                ops.store(largest, out);
            }
        }
    }
}

/// Gain and bias of a norm.
pub(super) struct Norm {
    pub(super) gain: Row,
    pub(super) bias: Row,
}

impl Norm {
    /// Gives each row, normed, to `done` with its number.
    pub(super) fn apply(&self, rows: &[Row], done: impl FnMut(usize, &Row)) {
        Normed { norm: self, rows, done }.dispatch();
    }
}

struct Normed<'b, F> {
    norm: &'b Norm,
    rows: &'b [Row],
    done: F,
}

impl<F: FnMut(usize, &Row)> SimdOp for Normed<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        #[expect(clippy::cast_precision_loss, reason = "96 is exact")]
        let share = 1.0 / WIDTH as f32;
        for (number, row) in self.rows.iter().enumerate() {
            let mut sum = ops.zero();
            for part in row.chunks_exact(lanes) {
                sum = ops.add(sum, ops.load(part));
            }
            let mean = ops.splat(total::<I>(sum) * share);
            let mut squares = ops.zero();
            for part in row.chunks_exact(lanes) {
                let difference = ops.sub(ops.load(part), mean);
                squares = ops.mul_add(difference, difference, squares);
            }
            let scale = ops.splat(1.0 / (total::<I>(squares) * share + EPSILON).sqrt());
            let mut normed = [0.0; WIDTH];
            let parameters = self.norm.gain.chunks_exact(lanes).zip(self.norm.bias.chunks_exact(lanes));
            let parts = row.chunks_exact(lanes).zip(normed.chunks_exact_mut(lanes));
            for ((part, out), (gain, bias)) in parts.zip(parameters) {
                let difference = ops.mul(ops.sub(ops.load(part), mean), scale);
                ops.store(ops.mul_add(difference, ops.load(gain), ops.load(bias)), out);
            }
            (self.done)(number, &normed);
        }
    }
}

/// The sum of a vector's numbers.
#[inline(always)]
fn total<I: Isa>(vector: I::F32) -> f32 {
    vector.to_array().into_iter().sum()
}

#[cfg(test)]
mod tests {
    use rten_simd::SimdOp;
    use rten_simd::isa::GenericIsa;

    use super::{Lanes, Layer, Norm, Product};
    use crate::cnn::data::{Row, WIDTH, ZERO};

    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as f32 / 65_536.0 - 0.5
        };
        (0..count).map(|_| next()).collect()
    }

    fn rows(count: usize) -> Vec<Row> {
        numbers(count * WIDTH, 7).as_chunks().0.to_vec()
    }

    #[test]
    fn a_layer_is_the_largest_of_sums_of_products() {
        const OUTPUTS: usize = 37;
        let (weights, bias) = (numbers(OUTPUTS * 2 * 3 * WIDTH, 1), numbers(OUTPUTS * 2, 2));
        let layer = Layer::<3, 2>::new(&weights, &bias);
        for looks in [1, 3, 4, 8, 13, 24] {
            let input = rows(looks + 2);
            let mut out = Vec::new();
            layer.apply(input.windows(3).map(|rows| [&rows[0], &rows[1], &rows[2]]), &mut out);
            assert_eq!(out.len(), looks);
            for (look, out) in out.iter().enumerate() {
                let flat = input[look..look + 3].concat();
                for (output, got) in out.iter().enumerate() {
                    let sum = |piece: usize| {
                        let row = output * 2 + piece;
                        let weights = &weights[row * 3 * WIDTH..(row + 1) * 3 * WIDTH];
                        bias[row]
                            + weights.iter().zip(&flat).map(|(weight, number)| weight * number).sum::<f32>()
                    };
                    let expected = if output < OUTPUTS { sum(0).max(sum(1)) } else { 0.0 };
                    assert!((got - expected).abs() < 1e-4, "{looks} {look} {output}: {got} {expected}");
                }
            }
        }
    }

    #[test]
    fn processors_with_narrow_vectors_give_the_same() {
        let (weights, bias) = (numbers(WIDTH * 3 * 3 * WIDTH, 1), numbers(WIDTH * 3, 2));
        let input = rows(21);
        let looks: Vec<_> = input.windows(3).map(|rows| [&rows[0], &rows[1], &rows[2]]).collect();
        let mut expected = Vec::new();
        Layer::<3, 3>::new(&weights, &bias).apply(looks.iter().copied(), &mut expected);
        let isa = GenericIsa::new();
        let layer = Layer::<3, 3>::laid_out(&weights, &bias, Lanes.eval(isa));
        let mut out = vec![ZERO; looks.len()];
        Product { layer: &layer, looks: &looks, out: &mut out }.eval(isa);
        for (got, expected) in out.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((got - expected).abs() < 1e-4, "{got} {expected}");
        }
    }

    #[test]
    fn what_stands_beside_a_look_does_not_change_it() {
        let layer = Layer::<1, 3>::new(&numbers(WIDTH * 3 * WIDTH, 1), &numbers(WIDTH * 3, 2));
        let input = rows(17);
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        layer.apply(input.iter().map(|row| [row]), &mut together);
        for (row, together) in input.iter().zip(&together) {
            layer.apply(std::iter::once([row]), &mut alone);
            assert_eq!(alone[0].map(f32::to_bits), together.map(f32::to_bits));
        }
    }

    #[test]
    fn a_norm_has_no_mean_and_one_as_its_spread() {
        let norm = Norm { gain: [2.0; WIDTH], bias: [1.0; WIDTH] };
        norm.apply(&rows(2), |_, row| {
            let mean = row.iter().sum::<f32>() / 96.0;
            let spread = row.iter().map(|number| (number - 1.0).powi(2)).sum::<f32>() / 96.0;
            assert!((mean - 1.0).abs() < 1e-4 && (spread - 4.0).abs() < 1e-3, "{mean} {spread}");
        });
        norm.apply(&[[5.0; WIDTH]], |_, row| assert!(row.iter().all(|number| (number - 1.0).abs() < 1e-3)));
    }
}
