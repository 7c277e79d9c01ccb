//! What is written where in a text, applied once.

use std::ops::Range;

/// What is written instead of a range. `None` leaves what stands there, and counts it.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: Option<String>,
}

/// The text with the edits, which are in order and apart; one that overlaps the one before is left out.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let grown: usize = edits.iter().filter_map(|edit| edit.text.as_ref()).map(String::len).sum();
    let mut written = String::with_capacity(text.len() + grown);
    let mut end = 0;
    for edit in edits {
        let Some(new) = &edit.text else { continue };
        if let Some(kept) = text.get(end..edit.range.start) {
            written.push_str(kept);
            written.push_str(new);
            end = edit.range.end;
        }
    }
    written.push_str(text.get(end..).unwrap_or_default());
    written
}
