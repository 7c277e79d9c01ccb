//! Replaces spans of a message and keeps every other byte.
//!
//! In: the original bytes and edits in order. Out: the new bytes. Invariant: what no edit covers is equal
//! byte for byte and in the same order. Not here: whether the result is still JSON (the caller makes the
//! replacements so).

use cloakgate_vocab::Span;

/// Bytes that take the place of a span; an empty span inserts.
#[derive(Clone, Eq, PartialEq)]
pub struct Edit {
    /// What is replaced, in the original bytes.
    pub span: Span,
    /// What stands there afterwards.
    pub text: Vec<u8>,
}

/// Prints the span alone: the text may be personal.
impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edit").field("span", &self.span).finish_non_exhaustive()
    }
}

/// Why edits cannot be applied. Nothing is written then.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpliceError {
    /// An edit starts before the one ahead of it ends.
    #[error("edit {edit} is out of order or overlaps the one before")]
    Order {
        /// Position of the edit in the list.
        edit: usize,
    },
    /// An edit lies outside the message.
    #[error("edit {edit} lies outside the message")]
    Range {
        /// Position of the edit in the list.
        edit: usize,
    },
}

/// Applies `edits`, which are sorted by span and do not overlap. Several may insert at one place, in their
/// order.
///
/// # Errors
/// When an edit overlaps another, is out of order or lies outside `bytes`.
pub fn splice(bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, SpliceError> {
    let mut out = Vec::with_capacity(check(bytes, edits)?);
    let mut kept_from = 0;
    for (place, edit) in edits.iter().enumerate() {
        let kept = bytes.get(kept_from..edit.span.start()).ok_or(SpliceError::Range { edit: place })?;
        out.extend_from_slice(kept);
        out.extend_from_slice(&edit.text);
        kept_from = edit.span.end();
    }
    out.extend_from_slice(bytes.get(kept_from..).unwrap_or_default());
    Ok(out)
}

/// The length of the result.
fn check(bytes: &[u8], edits: &[Edit]) -> Result<usize, SpliceError> {
    let mut length = bytes.len();
    let mut previous_end = 0;
    for (place, edit) in edits.iter().enumerate() {
        if edit.span.end() > bytes.len() {
            return Err(SpliceError::Range { edit: place });
        }
        if edit.span.start() < previous_end {
            return Err(SpliceError::Order { edit: place });
        }
        previous_end = edit.span.end();
        length = length - edit.span.len() + edit.text.len();
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Edit, SpliceError, splice};

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(start, end).unwrap(), text: text.into() }
    }

    #[test]
    fn edits_replace_insert_and_delete() {
        for (edits, expected) in [
            (vec![], "0123456789"),
            (vec![edit(0, 1, "abc")], "abc123456789"),
            (vec![edit(2, 5, "")], "0156789"),
            (vec![edit(10, 10, "z")], "0123456789z"),
            (vec![edit(0, 10, "")], ""),
            (vec![edit(1, 2, "a"), edit(2, 3, "b"), edit(9, 10, "c")], "0ab345678c"),
            (vec![edit(3, 3, "a"), edit(3, 3, "b"), edit(3, 4, "c"), edit(4, 4, "d")], "012abcd456789"),
        ] {
            assert_eq!(splice(b"0123456789", &edits).unwrap(), expected.as_bytes(), "{edits:?}");
        }
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        for (edits, expected) in [
            (vec![edit(1, 3, ""), edit(2, 4, "")], SpliceError::Order { edit: 1 }),
            (vec![edit(5, 6, ""), edit(0, 1, "")], SpliceError::Order { edit: 1 }),
            (vec![edit(5, 8, ""), edit(5, 5, "")], SpliceError::Order { edit: 1 }),
            (vec![edit(9, 11, "")], SpliceError::Range { edit: 0 }),
            (vec![edit(0, 1, ""), edit(11, 11, "")], SpliceError::Range { edit: 1 }),
        ] {
            assert_eq!(splice(b"0123456789", &edits).unwrap_err(), expected);
        }
    }

    #[test]
    fn debug_output_holds_no_text() {
        assert!(!format!("{:?}", edit(0, 1, "marie@example.org")).contains("marie"));
    }
}
