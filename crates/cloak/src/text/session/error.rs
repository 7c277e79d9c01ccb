//! Why a session cannot take more, or cannot be read.

use super::{MAX_ENTRIES, MAX_STATE_BYTES, MAX_TEXTS};

/// Why a session of texts refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The session has as many entries as it may.
    #[error("the session holds {MAX_ENTRIES} values, and no more fit")]
    Entries,
    /// The session has as many texts as it may.
    #[error("the session holds {MAX_TEXTS} texts, and no more fit")]
    Texts,
    /// The session is as large as it may be.
    #[error("the session has grown to {MAX_STATE_BYTES} bytes, and no more fit")]
    Bytes,
    /// What was replaced does not lie in the text in order: a fault of the caller.
    #[error("what was replaced does not lie in the cloaked text in order")]
    Places,
    /// The same thing is already in the session, or its stand-in is: a fault of the caller.
    #[error("the value or its stand-in is already in the session")]
    Taken,
    /// The bytes are of a version that is not known here.
    #[error("the stored session is of version {0}, which is not known here")]
    Version(u8),
    /// The bytes end early, or say what cannot be.
    #[error("the stored session is damaged")]
    Damaged,
}
