//! Names that route messages: upstream servers and sessions.
//!
//! Invariant: a name obeys its alphabet and length from the moment it exists.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Longest upstream name in bytes: tool names carry it as a prefix, and clients cap those at 64.
const MAX_UPSTREAM_NAME_BYTES: usize = 32;
/// Longest session name in bytes.
const MAX_SESSION_ID_BYTES: usize = 128;

/// Why a name was refused.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name is empty.
    #[error("a name may not be empty")]
    Empty,
    /// The name is longer than allowed.
    #[error("a name may have at most {max} bytes")]
    TooLong {
        /// The limit that was passed.
        max: usize,
    },
    /// The name holds a character outside its alphabet.
    #[error(
        "`{character}` is not allowed in a name: use letters, digits and `-`, starting with a letter or digit"
    )]
    Character {
        /// The first character that is not allowed.
        character: char,
    },
}

/// Name of a server behind the gateway: letters, digits and `-`, starting with a letter or digit.
///
/// `_` is refused: tool names are split at the first `__`, so an underscore here would make the split
/// ambiguous. Cheap to clone.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct UpstreamName(Arc<str>);

impl UpstreamName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UpstreamName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let first = name.chars().next().ok_or(NameError::Empty)?;
        if name.len() > MAX_UPSTREAM_NAME_BYTES {
            return Err(NameError::TooLong { max: MAX_UPSTREAM_NAME_BYTES });
        }
        if !first.is_ascii_alphanumeric() {
            return Err(NameError::Character { character: first });
        }
        match name.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '-') {
            Some(character) => Err(NameError::Character { character }),
            None => Ok(Self(name.into())),
        }
    }
}

impl fmt::Display for UpstreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Scope of one vault: tokens of one session mean nothing in another. Cheap to clone.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The session's name as text; it is no secret and may be logged.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionId {
    type Err = NameError;

    fn from_str(id: &str) -> Result<Self, NameError> {
        if id.is_empty() {
            return Err(NameError::Empty);
        }
        if id.len() > MAX_SESSION_ID_BYTES {
            return Err(NameError::TooLong { max: MAX_SESSION_ID_BYTES });
        }
        match id.chars().find(|c| !c.is_ascii_graphic()) {
            Some(character) => Err(NameError::Character { character }),
            None => Ok(Self(id.into())),
        }
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{NameError, UpstreamName};

    #[test]
    fn upstream_names_keep_to_their_alphabet() {
        for (name, expected) in [
            ("fs", Ok(())),
            ("Files-2", Ok(())),
            ("", Err(NameError::Empty)),
            ("a_b", Err(NameError::Character { character: '_' })),
            ("-a", Err(NameError::Character { character: '-' })),
            ("é", Err(NameError::Character { character: 'é' })),
        ] {
            assert_eq!(name.parse::<UpstreamName>().map(|_| ()), expected, "{name}");
        }
        assert!("x".repeat(33).parse::<UpstreamName>().is_err());
    }
}
