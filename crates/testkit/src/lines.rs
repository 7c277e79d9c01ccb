//! The loop of a fake server: lines in, lines out, as fast as the pipe allows.
//!
//! Invariant: answers to lines that arrived together leave together, in order, before the next wait.

use std::io::{self, Read, Write};

const READ_BYTES: usize = 256 << 10;

/// What a fake server does with one line.
pub trait Handler {
    /// Appends to `out` whatever is to be written, line ends included.
    ///
    /// # Errors
    /// An error ends the server.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> io::Result<()>;
}

/// Serves until the input ends.
///
/// # Errors
/// What reading, writing or the handler gives.
pub fn serve_lines(
    mut input: impl Read,
    mut output: impl Write,
    handler: &mut impl Handler,
) -> io::Result<()> {
    let mut buffer = vec![0; READ_BYTES];
    let mut filled = 0;
    let mut out = Vec::with_capacity(READ_BYTES);
    loop {
        if filled == buffer.len() {
            buffer.resize(buffer.len().saturating_mul(2), 0);
        }
        let read = input.read(buffer.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Ok(());
        }
        let searched = filled;
        filled += read;
        let mut start = 0;
        let fresh = buffer.get(searched..filled).unwrap_or_default();
        for end in memchr::memchr_iter(b'\n', fresh).map(|offset| searched + offset) {
            handler.line(buffer.get(start..end).unwrap_or_default(), &mut out)?;
            start = end + 1;
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if !out.is_empty() {
            output.write_all(&out)?;
            output.flush()?;
            out.clear();
        }
    }
}
