//! Cuts the pieces of a long text into windows that the network sees one at a time.
//!
//! In: the pieces of a text. Out: windows that overlap, each with the part for which its word counts: the middle of an
//! overlap is where the next window takes over. Invariant: each piece is decided by exactly one window; a window begins
//! with a word unless words are longer than the overlap; the number of windows is linear in the number of pieces.

use std::ops::Range;

use super::word_piece::Piece;

/// Most pieces of a text in one window: with the marks of its begin and end it is 128 long.
const MAX_SEEN: usize = 126;
/// Pieces that two windows share.
const OVERLAP: usize = 32;

/// Part of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Window {
    seen: Range<usize>,
    decided: Range<usize>,
}

impl Window {
    /// The pieces that the network sees.
    pub(super) fn seen(&self) -> Range<usize> {
        self.seen.clone()
    }

    /// Whether this window says what the piece at that place is.
    pub(super) fn decides(&self, place: usize) -> bool {
        self.decided.contains(&place)
    }

    /// Length of what the network is given.
    pub(super) fn len(&self) -> usize {
        self.seen.len() + 2
    }
}

/// The windows over the pieces of a text.
pub(super) fn over(pieces: &[Piece]) -> Vec<Window> {
    let mut windows = Vec::new();
    let (mut start, mut decided) = (0, 0);
    while decided < pieces.len() {
        let end = (start + MAX_SEEN).min(pieces.len());
        if end == pieces.len() {
            windows.push(Window { seen: start..end, decided: decided..end });
            break;
        }
        let next = begin(pieces, end - OVERLAP);
        let middle = next + (end - next) / 2;
        windows.push(Window { seen: start..end, decided: decided..middle });
        (start, decided) = (next, middle);
    }
    windows
}

/// The begin of the word at `place`, or `place` itself when that is further off than half of an overlap.
fn begin(pieces: &[Piece], place: usize) -> usize {
    let back = pieces.get(place.saturating_sub(OVERLAP / 2)..=place).unwrap_or_default();
    back.iter().rev().position(|piece| piece.first).map_or(place, |steps| place - steps)
}
