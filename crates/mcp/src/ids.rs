//! Request ids as they were written.
//!
//! In: the raw JSON of an `id`. Out: the same characters, to compare and to write back. Invariant: an id is a JSON
//! string or number (`null` only where an error answers a message that could not be read), at most
//! [`RawId::MAX_BYTES`] long; `"1"` is not `1`, and `1` is not `1.0`. Not here: mapping between two sides.

use std::fmt;
use std::sync::Arc;

/// Why a value cannot be an id.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
    /// It is neither a string nor a number.
    #[error("an id must be a string or a number")]
    Kind,
    /// It is longer than an id may be.
    #[error("an id may have at most {} bytes", RawId::MAX_BYTES)]
    TooLong,
}

/// An id as its sender wrote it, quotes included. Cheap to clone.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct RawId(Arc<str>);

impl RawId {
    /// Longest id in bytes, quotes included.
    pub const MAX_BYTES: usize = 1024;

    /// An id from the raw bytes of one scanned JSON value.
    ///
    /// # Errors
    /// When the value is no string, number or `null`, or is too long.
    pub fn from_raw(raw: &[u8]) -> Result<Self, IdError> {
        if raw.len() > Self::MAX_BYTES {
            return Err(IdError::TooLong);
        }
        match raw.first() {
            Some(b'"' | b'-' | b'0'..=b'9') => {}
            _ if raw == b"null" => {}
            _ => return Err(IdError::Kind),
        }
        std::str::from_utf8(raw).map(|text| Self(text.into())).map_err(|_| IdError::Kind)
    }

    /// The id that the gateway gives to its own request `number`.
    #[must_use]
    pub fn own(number: u64) -> Self {
        Self(number.to_string().into())
    }

    /// The id of an error that answers a message whose id could not be read.
    #[must_use]
    pub fn null() -> Self {
        Self("null".into())
    }

    /// The number behind an id that [`RawId::own`] made; `None` for every other spelling of it.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        let number = self.0.parse().ok()?;
        (Self::own(number) == *self).then_some(number)
    }

    /// The characters, quotes included.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RawId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{IdError, RawId};

    #[test]
    fn ids_keep_their_type_and_spelling() {
        let id = |raw: &str| RawId::from_raw(raw.as_bytes());
        assert_ne!(id("1"), id("\"1\""));
        assert_ne!(id("1"), id("1.0"));
        assert_eq!(id("true"), Err(IdError::Kind));
        assert_eq!(id("{}"), Err(IdError::Kind));
        assert_eq!(id(&"1".repeat(1025)), Err(IdError::TooLong));
    }

    #[test]
    fn only_our_own_spelling_is_our_own_number() {
        for (raw, number) in
            [("7", Some(7)), ("07", None), ("7.0", None), ("\"7\"", None), ("-7", None), ("+7", None)]
        {
            assert_eq!(RawId::from_raw(raw.as_bytes()).ok().and_then(|id| id.number()), number, "{raw}");
        }
    }
}
