//! The vectors of words, and which word has which.
//!
//! Out: rows of 96 half floats (with a byte a number, one entity in three hundred is another); and a table from the 64-bit id of a word to its row. The table
//! has a bucket for each value of the id's upper 16 bits: where the buckets end, and for each word five bytes that hold
//! the id's lower 25 bits above 15 bits of row. Invariant: no two words of a bucket share these 25 bits.

use std::collections::BTreeMap;

use anyhow::Context;
use rmpv::Value;

use super::model::{WIDTH, half};

/// Numbers of a vector as it comes.
pub(super) const LENGTH: usize = 300;
const ROWS: usize = 20_000;
/// Bytes of numpy's head before the numbers.
const HEAD: usize = 128;
const BUCKETS: u64 = 1 << 16;
const CHECK: u64 = (1 << 25) - 1;

/// The vectors multiplied by the network's matrix.
pub(super) fn project(file: &[u8], matrix: &[f32]) -> anyhow::Result<Vec<u8>> {
    let head = file.get(..HEAD).context("the vectors are cut short")?;
    let plain = String::from_utf8_lossy(head)
        .contains("'descr': '<f4', 'fortran_order': False, 'shape': (20000, 300)");
    anyhow::ensure!(plain, "the vectors have another form");
    let numbers: Vec<f32> = file
        .get(HEAD..)
        .unwrap_or_default()
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    anyhow::ensure!(numbers.len() == ROWS * LENGTH, "the vectors are cut short");
    let mut rows = Vec::with_capacity(ROWS * WIDTH * 2);
    for vector in numbers.chunks_exact(LENGTH) {
        for weights in matrix.chunks_exact(LENGTH) {
            let number: f32 = weights.iter().zip(vector).map(|(weight, number)| weight * number).sum();
            rows.extend(half(number));
        }
    }
    Ok(rows)
}

/// Ends of the buckets, and the words of all buckets.
pub(super) fn rows_of_keys(table: &Value) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let table = table.as_map().context("the rows of words have another form")?;
    let mut rows = BTreeMap::new();
    for (key, row) in table {
        let key = key.as_u64().context("a word has no id")?;
        let row = row.as_u64().filter(|row| *row < ROWS as u64).context("a word has no row")?;
        let clash = rows.insert((key >> 48, key & CHECK), row);
        anyhow::ensure!(clash.is_none(), "two words have one place");
    }
    let mut slots = Vec::with_capacity(rows.len() * 5);
    let mut ends = Vec::new();
    let mut rest = rows.iter().peekable();
    let mut count = 0_u32;
    for bucket in 0..BUCKETS {
        while let Some(((_, check), row)) = rest.next_if(|((of, _), _)| *of == bucket) {
            slots.extend((check << 15 | row).to_le_bytes().iter().take(5));
            count += 1;
        }
        ends.extend(count.to_le_bytes());
    }
    Ok((ends, slots))
}
