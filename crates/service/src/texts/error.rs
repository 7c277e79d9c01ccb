//! Why a text was not cloaked or uncloaked.

use cloakgate_cloak::CloakError;
use cloakgate_cloak::text::{Field, SessionError};
use cloakgate_names::NamesError;
use cloakgate_vault::StoreError;

use super::pool::Lost;

/// Why there is no answer with a text. What the caller can mend says how; no text quotes a message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextsError {
    /// There is no such session for this server: none at all, another's, or one that has ended.
    #[error("the id is unknown or has expired")]
    UnknownSession,
    /// The messages are longer than they may be.
    #[error("a message may have at most {max} bytes, and so may all messages of one call together")]
    TooLong {
        /// The limit.
        max: usize,
    },
    /// There are more messages than there may be.
    #[error("one call may have at most {max} messages")]
    TooMany {
        /// The limit.
        max: usize,
    },
    /// The settings refuse messages that hold such a value.
    #[error("the message holds a value of the field `{0}`, and the settings refuse such messages")]
    Blocked(Field),
    /// The session is as large as it may be.
    #[error("the session of this id is full; cloak without an id to begin another")]
    Full(#[source] SessionError),
    /// Others changed the session again and again.
    #[error("the session of this id is being changed by others; try again")]
    Contended,
    /// The settings of the server were deleted.
    #[error("the server has no settings")]
    NoSettings,
    /// The machine gives no randomness.
    #[error("there is no randomness")]
    Randomness,
    /// The clock shows no day.
    #[error("the clock is wrong")]
    Clock,
    /// Names cannot be read as the settings want.
    #[error("cannot read names")]
    Names(#[from] NamesError),
    /// The text could not be cloaked whole.
    #[error("cannot cloak the text")]
    Cloak(#[source] CloakError),
    /// The session cannot be read.
    #[error("cannot read the session")]
    Session(#[source] SessionError),
    /// The store failed.
    #[error("cannot use the store of sessions")]
    Store(#[from] StoreError),
    /// The work did not come to its end.
    #[error(transparent)]
    Lost(#[from] Lost),
}

impl From<CloakError> for TextsError {
    fn from(error: CloakError) -> Self {
        match error {
            CloakError::Blocked(field) => Self::Blocked(field),
            CloakError::Session(
                full @ (SessionError::Entries | SessionError::Texts | SessionError::Bytes),
            ) => Self::Full(full),
            other => Self::Cloak(other),
        }
    }
}

impl TextsError {
    /// True when the caller can do something about it, and the text says what.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::UnknownSession
                | Self::TooLong { .. }
                | Self::TooMany { .. }
                | Self::Blocked(_)
                | Self::Full(_)
                | Self::Contended
        )
    }
}
