//! Revisions of the protocol.
//!
//! In: the text of `protocolVersion`. Out: a revision that is known by name. Invariant: they are ordered by date.
//! Not here: what differs between them; that is data in the policy table.

use std::fmt;
use std::str::FromStr;

/// A published revision, in order of date.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Revision {
    /// The first one.
    V2024_11_05,
    /// Batches, annotations, audio, progress messages.
    V2025_03_26,
    /// Structured output, elicitation, resource links.
    V2025_06_18,
    /// Icons, tasks, URL elicitation.
    V2025_11_25,
    /// Stateless.
    V2026_07_28,
}

/// A `protocolVersion` that no known revision has.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("unknown protocol version")]
pub struct UnknownRevision;

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that has the `initialize` handshake.
    pub const NEWEST_WITH_HANDSHAKE: Self = Self::V2025_11_25;

    /// The text of `protocolVersion`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// True for the revisions that begin with `initialize`.
    #[must_use]
    pub fn has_handshake(self) -> bool {
        self <= Self::NEWEST_WITH_HANDSHAKE
    }

    /// True for the one that has tasks as methods of the protocol; later ones have them as an extension.
    #[must_use]
    pub fn has_tasks(self) -> bool {
        self == Self::V2025_11_25
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text).ok_or(UnknownRevision)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn revisions_read_back_and_are_ordered() {
        for revision in Revision::ALL {
            assert_eq!(revision.as_str().parse(), Ok(revision));
        }
        assert!(Revision::ALL.is_sorted());
        assert!("2025-11-26".parse::<Revision>().is_err());
        assert!(!Revision::V2026_07_28.has_handshake());
    }
}
