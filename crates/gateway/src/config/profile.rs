//! The name of a profile: a part of the name of its state file.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::tables::MAX_PROFILE_BYTES;

const DEFAULT_NAME: &str = "default";

/// Name of a profile: letters, digits, `-` and `_`, so that it can be part of a file's name anywhere.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct ProfileName(Arc<str>);

impl ProfileName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ProfileName {
    fn default() -> Self {
        Self(Arc::from(DEFAULT_NAME))
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name a profile.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a name of letters, digits, `-` and `_`, of at most {MAX_PROFILE_BYTES} bytes")]
pub struct ProfileError;

impl FromStr for ProfileName {
    type Err = ProfileError;

    fn from_str(name: &str) -> Result<Self, ProfileError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_name = !name.is_empty() && name.len() <= MAX_PROFILE_BYTES && name.bytes().all(fits);
        if is_name { Ok(Self(Arc::from(name))) } else { Err(ProfileError) }
    }
}
