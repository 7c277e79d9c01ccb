//! Drains a server's error output, so that the server never blocks on it.
//!
//! In: free text that may hold anything, personal data included. Out: `debug` lines, cut in length and without
//! control characters, which a terminal would obey.
//! Invariant: at `info` and above nothing of the text is logged; memory is bounded whatever the server writes.

use cloakgate_vocab::UpstreamName;
use tokio::io::{AsyncRead, AsyncReadExt};
use tracing::Level;

/// Read at once.
const READ_BYTES: usize = 8 << 10;
/// Longest logged part of a line; the rest of it is dropped.
const LOGGED_BYTES: usize = 512;

/// Reads `source` to its end and logs what it says. Ends with the source.
pub(crate) async fn drain(mut source: impl AsyncRead + Unpin, upstream: UpstreamName) {
    let mut buffer = vec![0; READ_BYTES];
    let mut line = Line::default();
    loop {
        match source.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(length) => {
                // Nobody listens most of the time; then reading is all there is to do.
                if tracing::enabled!(Level::DEBUG) {
                    line.feed(buffer.get(..length).unwrap_or_default(), &mut |text| log(&upstream, text));
                }
            }
        }
    }
    line.finish(&mut |text| log(&upstream, text));
}

fn log(upstream: &UpstreamName, text: &str) {
    tracing::debug!(upstream.name = %upstream, text, "upstream wrote to its error output");
}

/// The beginning of a line that is not yet complete.
#[derive(Default)]
struct Line(Vec<u8>); // at most LOGGED_BYTES

impl Line {
    fn feed(&mut self, bytes: &[u8], emit: &mut impl FnMut(&str)) {
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        if let Some(first) = pieces.next() {
            self.extend(first);
        }
        for piece in pieces {
            self.finish(emit);
            self.extend(piece);
        }
    }

    fn extend(&mut self, piece: &[u8]) {
        let room = LOGGED_BYTES.saturating_sub(self.0.len());
        self.0.extend(piece.iter().take(room));
    }

    fn finish(&mut self, emit: &mut impl FnMut(&str)) {
        let text: String =
            String::from_utf8_lossy(&self.0).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if !text.trim().is_empty() {
            emit(text.trim());
        }
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_cleaned() {
        let long = "x".repeat(2000);
        for (name, pieces, expected) in [
            ("whole lines", vec!["one\ntwo\r\n\n"], vec!["one".to_owned(), "two".into()]),
            ("a line in two reads", vec!["on", "e\ntw", "o"], vec!["one".into(), "two".into()]),
            ("control characters", vec!["\u{1b}[31mred\u{7}\n"], vec!["[31mred".into()]),
            (
                "a long line",
                vec![long.as_str(), long.as_str(), "\nnext\n"],
                vec!["x".repeat(512), "next".into()],
            ),
        ] {
            let mut seen = Vec::new();
            let mut line = Line::default();
            for piece in pieces {
                line.feed(piece.as_bytes(), &mut |text| seen.push(text.to_owned()));
            }
            line.finish(&mut |text| seen.push(text.to_owned()));
            assert_eq!(seen, expected, "{name}");
        }
    }
}
