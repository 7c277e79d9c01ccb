//! What is written where in a text, applied once.

use std::ops::Range;

/// What is done with a range.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) put: Put,
}

/// What is written at a place.
pub(crate) enum Put {
    /// The value that stood there.
    Value(String),
    /// A mask of it.
    Mask(String),
    /// Nothing, since the reader may not see it: the stand-in stays.
    Withheld,
    /// Nothing, since nothing says what stood there: the stand-in stays.
    Unknown,
}

impl Put {
    /// What is written, if anything is.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Value(text) | Self::Mask(text) => Some(text),
            Self::Withheld | Self::Unknown => None,
        }
    }

    /// The same, written as its place needs it.
    pub(crate) fn map(self, write: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Value(text) => Self::Value(write(text)),
            Self::Mask(text) => Self::Mask(write(text)),
            other => other,
        }
    }
}

/// The text with the edits, which are in order and apart; one that overlaps the one before is left out.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let grown: usize = edits.iter().filter_map(|edit| edit.put.text()).map(str::len).sum();
    let mut written = String::with_capacity(text.len() + grown);
    let mut end = 0;
    for edit in edits {
        let Some(new) = edit.put.text() else { continue };
        if let Some(kept) = text.get(end..edit.range.start) {
            written.push_str(kept);
            written.push_str(new);
            end = edit.range.end;
        }
    }
    written.push_str(text.get(end..).unwrap_or_default());
    written
}
