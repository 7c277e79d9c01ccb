//! Reads the tensors and the operators' inputs out of an ONNX file.
//!
//! In: the bytes of the file. Out: named tensors, borrowed, and the names of the inputs of each named operator.
//! Invariant: a file of another form is an error, never a wrong number. Not here: running a graph.

use std::collections::HashMap;

/// A named array.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tensor<'a> {
    raw: &'a [u8],
    floats: &'a [u8],
    integers: &'a [u8],
}

/// What the network needs of a file.
#[derive(Debug, Default)]
pub(super) struct Onnx<'a> {
    tensors: HashMap<&'a str, Tensor<'a>>,
    inputs: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Onnx<'a> {
    /// The file, or `None` when it is of another form.
    pub(super) fn read(file: &'a [u8]) -> Option<Self> {
        const GRAPH: u64 = 7;
        const NODE: u64 = 1;
        const INITIALIZER: u64 = 5;
        let mut read = Self::default();
        for field in Fields(file) {
            let (GRAPH, graph) = field? else { continue };
            for field in Fields(graph) {
                match field? {
                    (NODE, node) => read.add_node(node)?,
                    (INITIALIZER, tensor) => read.add_tensor(tensor)?,
                    _ => {}
                }
            }
        }
        Some(read)
    }

    fn add_node(&mut self, node: &'a [u8]) -> Option<()> {
        const INPUT: u64 = 1;
        const NAME: u64 = 3;
        let mut name = "";
        let mut inputs = Vec::new();
        for field in Fields(node) {
            match field? {
                (INPUT, input) => inputs.push(std::str::from_utf8(input).ok()?),
                (NAME, bytes) => name = std::str::from_utf8(bytes).ok()?,
                _ => {}
            }
        }
        self.inputs.insert(name, inputs);
        Some(())
    }

    fn add_tensor(&mut self, bytes: &'a [u8]) -> Option<()> {
        const FLOATS: u64 = 4;
        const INTEGERS: u64 = 5;
        const NAME: u64 = 8;
        const RAW: u64 = 9;
        let mut name = "";
        let mut tensor = Tensor::default();
        for field in Fields(bytes) {
            match field? {
                (FLOATS, floats) => tensor.floats = floats,
                (INTEGERS, integers) => tensor.integers = integers,
                (NAME, bytes) => name = std::str::from_utf8(bytes).ok()?,
                (RAW, raw) => tensor.raw = raw,
                _ => {}
            }
        }
        self.tensors.insert(name, tensor);
        Some(())
    }

    /// The tensor of that name.
    pub(super) fn tensor(&self, name: &str) -> Option<Tensor<'a>> {
        self.tensors.get(name).copied()
    }

    /// The tensor that the operator of that name takes as its input number `place`.
    pub(super) fn input(&self, operator: &str, place: usize) -> Option<Tensor<'a>> {
        self.tensor(self.inputs.get(operator)?.get(place)?)
    }
}

impl<'a> Tensor<'a> {
    /// The bytes of a tensor of `len` bytes.
    pub(super) fn bytes(self, len: usize) -> Option<&'a [u8]> {
        (self.raw.len() == len).then_some(self.raw)
    }

    /// The numbers of a tensor of `len` floats.
    pub(super) fn floats(self, len: usize) -> Option<Vec<f32>> {
        let bytes = if self.raw.is_empty() { self.floats } else { self.raw };
        let (words, rest) = bytes.as_chunks::<4>();
        (words.len() == len && rest.is_empty())
            .then(|| words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }

    /// The one number of a tensor of one byte.
    pub(super) fn byte(self) -> Option<u8> {
        if let [byte] = self.raw {
            return Some(*byte);
        }
        let (number, rest) = number(self.integers)?;
        if rest.is_empty() { u8::try_from(number).ok() } else { None }
    }
}

/// The fields of one message in the protobuf encoding, each a number for its name and its bytes; `None` stands for one
/// that is cut short. Fields that hold a number have no bytes: none of those is needed.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = field(self.0);
        self.0 = field.as_ref().map_or(&[], |(_, _, rest)| rest);
        Some(field.map(|(name, value, _)| (name, value)))
    }
}

/// The first field of a message, and what follows it.
fn field(bytes: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (tag, rest) = number(bytes)?;
    let (value, rest) = match tag & 7 {
        0 => (&[] as &[u8], number(rest)?.1),
        1 => rest.split_at_checked(8)?,
        2 => {
            let (len, rest) = number(rest)?;
            rest.split_at_checked(usize::try_from(len).ok()?)?
        }
        5 => rest.split_at_checked(4)?,
        _ => return None,
    };
    Some((tag >> 3, value, rest))
}

/// A number of seven bits a byte, the lowest first.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((number, bytes.get(place + 1..)?));
        }
    }
    None
}
