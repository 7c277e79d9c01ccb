//! The network's arrays, by what they are for.
//!
//! In: the recogniser's file: nodes with their parameters. Out: bytes of each layer. The two linear layers before the
//! parser's state are multiplied into one. Invariant: each array has the shape that the reader expects.

use anyhow::Context;
use rmpv::Value;

/// Numbers of a row: of an embedding, of a token.
pub(super) const WIDTH: usize = 96;
/// Numbers of the parser's hidden layer, and pieces of its maxout.
const HIDDEN: usize = 64;
const PIECES: usize = 2;
/// Tokens that the parser's state looks at.
const SLOTS: usize = 3;
const ACTIONS: usize = 74;
/// Nodes of the hash embeddings: norm, prefix, suffix, shape.
const TABLES: [(usize, usize); 4] = [(53, 5000), (55, 1000), (57, 2500), (59, 2500)];
/// Nodes of the maxout of each layer, each followed by its norm, with the numbers that go in.
const LAYERS: [(usize, usize); 5] = [(30, 480), (60, 288), (62, 288), (64, 288), (66, 288)];
/// Nodes of the parser, the linear layer below it, and of the matrix of the vectors.
const STATE: usize = 2;
const OUTPUT: usize = 3;
const LINEAR: usize = 6;
const VECTORS: usize = 14;

/// A member of a map.
pub(super) fn member<'a>(map: &'a Value, name: &str) -> anyhow::Result<&'a Value> {
    map.as_map()
        .into_iter()
        .flatten()
        .find(|(key, _)| key.as_str() == Some(name) || key.as_slice() == Some(name.as_bytes()))
        .map(|(_, value)| value)
        .with_context(|| format!("no `{name}` where it should be"))
}

/// A string, or bytes that are one.
pub(super) fn text_of(value: &Value) -> anyhow::Result<String> {
    let bytes = value.as_str().map(str::as_bytes).or_else(|| value.as_slice());
    Ok(String::from_utf8(bytes.context("a string is something else")?.to_vec())?)
}

/// A number in half precision, rounded to the nearest.
pub(super) fn half(number: f32) -> [u8; 2] {
    let bits = number.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    let rounded = if magnitude >= 0x4780_0000 {
        0x7C00
    } else if magnitude < 0x3880_0000 {
        // Too small for an exponent: the sum with 0.5 rounds to the grid of the smallest ones.
        (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits()
    } else {
        ((magnitude + 0xFFF + ((magnitude >> 13) & 1)) >> 13) - (112 << 10)
    };
    u16::try_from(sign | rounded).unwrap_or(u16::MAX).to_le_bytes()
}

fn halves(numbers: &[f32]) -> impl Iterator<Item = u8> {
    numbers.iter().flat_map(|number| half(*number))
}

fn floats(numbers: &[f32]) -> impl Iterator<Item = u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes())
}

/// The parameters of all nodes.
pub(super) struct Model<'a> {
    nodes: &'a [Value],
}

impl<'a> Model<'a> {
    pub(super) fn read(file: &'a Value) -> anyhow::Result<Self> {
        let nodes = member(file, "params")?.as_array().context("the parameters have another form")?;
        Ok(Self { nodes })
    }

    /// An array of a node, of so many numbers.
    fn array(&self, node: usize, name: &str, length: usize) -> anyhow::Result<Vec<f32>> {
        let array = self.nodes.get(node).context("the network has fewer nodes")?;
        let array = member(array, name)?;
        anyhow::ensure!(text_of(member(array, "type")?)? == "<f4", "an array holds other numbers");
        let bytes = member(array, "data")?.as_slice().context("an array has no data")?;
        let numbers: Vec<f32> =
            bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        anyhow::ensure!(numbers.len() == length, "`{name}` of node {node} has another length");
        Ok(numbers)
    }

    /// The matrix that vectors are multiplied by: 96 rows of 300.
    pub(super) fn vectors(&self) -> anyhow::Result<Vec<f32>> {
        self.array(VECTORS, "W", WIDTH * super::vectors::LENGTH)
    }

    /// The hash embeddings: rows of 96 half floats.
    pub(super) fn tables(&self) -> anyhow::Result<Vec<Vec<u8>>> {
        let table = |(node, rows)| Ok(halves(&self.array(node, "E", rows * WIDTH)?).collect());
        TABLES.into_iter().map(table).collect()
    }

    /// Layers of the network in the order in which a token passes them, the parser's two last.
    ///
    /// Each holds its weights as half floats, row by row, then floats: the bias, and the norm's gain and bias.
    pub(super) fn layers(&self) -> anyhow::Result<Vec<Vec<u8>>> {
        let mut layers = Vec::new();
        for (node, inputs) in LAYERS {
            let mut layer: Vec<u8> = halves(&self.array(node, "W", WIDTH * 3 * inputs)?).collect();
            layer.extend(floats(&self.array(node, "b", WIDTH * 3)?));
            layer.extend(floats(&self.array(node + 1, "G", WIDTH)?));
            layer.extend(floats(&self.array(node + 1, "b", WIDTH)?));
            layers.push(layer);
        }
        layers.push(self.state()?);
        let mut output: Vec<u8> = halves(&self.array(OUTPUT, "W", ACTIONS * HIDDEN)?).collect();
        output.extend(floats(&self.array(OUTPUT, "b", ACTIONS)?));
        layers.push(output);
        Ok(layers)
    }

    /// What each of three tokens adds to the parser's state: for each the weights of 64 times 2 sums over 96 numbers,
    /// and after all weights what is added with a token, what without one, and last the state's bias.
    fn state(&self) -> anyhow::Result<Vec<u8>> {
        let sums = SLOTS * HIDDEN * PIECES;
        let weights = self.array(STATE, "W", sums * HIDDEN)?;
        let linear = self.array(LINEAR, "W", HIDDEN * WIDTH)?;
        let linear_bias = self.array(LINEAR, "b", HIDDEN)?;
        let mut product = vec![0.0_f32; sums * WIDTH];
        let mut constants = Vec::with_capacity(sums);
        for (row, sum) in weights.chunks_exact(HIDDEN).zip(product.chunks_exact_mut(WIDTH)) {
            for (weight, numbers) in row.iter().zip(linear.chunks_exact(WIDTH)) {
                for (out, number) in sum.iter_mut().zip(numbers) {
                    *out += weight * number;
                }
            }
            constants.push(row.iter().zip(&linear_bias).map(|(weight, bias)| weight * bias).sum());
        }
        let mut out: Vec<u8> = halves(&product).collect();
        out.extend(floats(&constants));
        out.extend(floats(&self.array(STATE, "pad", sums)?));
        out.extend(floats(&self.array(STATE, "b", HIDDEN * PIECES)?));
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn numbers_round_to_the_nearest_half_float() {
        for (number, bits) in [
            (0.0, 0x0000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (1e9, 0x7C00),
            (5.960_464_5e-8, 0x0001),
            (1.000_488_3, 0x3C00),
            (1.001_464_8, 0x3C02),
            (-0.333_251_95, 0xB555),
        ] {
            assert_eq!(u16::from_le_bytes(half(number)), bits, "{number}");
        }
    }
}
