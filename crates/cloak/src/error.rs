//! Why a message could not be cloaked or restored.

use cloakgate_detect::ReadError;
use cloakgate_json::SpliceError;
use cloakgate_vocab::{Category, UpstreamName};

use crate::text::{Field, SessionError};
use crate::vault::VaultError;

/// Why a message must not pass. `Refused` variants carry text that the model can act on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CloakError {
    /// Edits overlap or lie outside: a fault of the caller.
    #[error("edits do not fit the message")]
    Splice(#[source] SpliceError),
    /// The vault could not answer.
    #[error("cannot reach the vault")]
    Vault(#[from] VaultError),
    /// Names in the message could not be read.
    #[error("cannot look for names; nothing was passed on")]
    Names(#[from] ReadError),
    /// The vault's answer does not fit the question.
    #[error("the vault answered {answered} of {asked} questions")]
    Answers {
        /// How many were asked.
        asked: usize,
        /// How many were answered.
        answered: usize,
    },
    /// A position for each node is needed.
    #[error("the message has {nodes} nodes and {treatments} treatments")]
    Treatments {
        /// Nodes in the message.
        nodes: usize,
        /// Treatments that were given.
        treatments: usize,
    },
    /// Nothing that could stand for a value obeys the tool's contract.
    #[error(
        "the tool's answer holds a value at `{pointer}` that must be cloaked, and the tool's output schema allows nothing there that could stand for it; nothing was passed on"
    )]
    NoStandIn {
        /// Where, as a JSON pointer; keys that the schema does not name are `*`.
        pointer: String,
    },
    /// The answer obeyed the tool's contract, and with its values cloaked it would not.
    #[error("the tool's answer would not obey its output schema once it is cloaked; nothing was passed on")]
    BrokenContract,
    /// Nothing is configured for the server: a fault of the caller.
    #[error("nothing is configured for `{0}`")]
    UnknownUpstream(UpstreamName),
    /// A text is longer than the configuration allows.
    #[error(
        "a text of the message has more than {max} characters (`max_input_length`); nothing was passed on"
    )]
    TextTooLong {
        /// The limit.
        max: usize,
    },
    /// A token is not of this session, or not any more.
    #[error(
        "`{token}` is not a token of this session: it is expired, mistyped or from elsewhere. Read the data again and use the token exactly as it is shown then"
    )]
    Unresolved {
        /// The token in its canonical form without check characters.
        token: String,
    },
    /// Too many token-like texts that are none: guessing is not answered.
    #[error(
        "the call holds {found} texts that look like tokens but are not of this session; at most {max} are looked at"
    )]
    TooManyUnresolved {
        /// How many were found.
        found: usize,
        /// The limit.
        max: usize,
    },
    /// The value would change what an interpreted argument does.
    #[error(
        "the value behind `{token}` may not stand inside `{argument}`: it holds characters that could change what is run. Pass the token alone, as the whole argument"
    )]
    Unsafe {
        /// The token.
        token: String,
        /// Key of the argument.
        argument: String,
    },
    /// The value cannot be written where the token stands.
    #[error("the value behind `{token}` cannot be written where the token stands")]
    Unwritable {
        /// The token.
        token: String,
    },
    /// The tool wants another type.
    #[error("`{argument}` wants a {wanted}, and the value behind `{token}` is none")]
    WrongType {
        /// The token.
        token: String,
        /// Key of the argument.
        argument: String,
        /// Type that the schema names.
        wanted: &'static str,
    },
    /// Scope is `upstream` and the token's value came from elsewhere.
    #[error("`{token}` did not come from `{target}` and may not go there")]
    WrongUpstream {
        /// The token.
        token: String,
        /// Where it was to go.
        target: UpstreamName,
    },
    /// Secrets stay with the server that they came from.
    #[error("`{token}` stands for a secret that did not come from `{target}`; secrets go to no other server")]
    ForeignSecret {
        /// The token.
        token: String,
        /// Where it was to go.
        target: UpstreamName,
    },
    /// Restoring would blow the message up.
    #[error("the restored message would be larger than {max} bytes")]
    Growth {
        /// The limit for this message.
        max: usize,
    },
    /// After restoring, an object has a key twice.
    #[error("after restoring, an object holds the same key twice")]
    DuplicateKeys,
    /// Something was left in a message after it had been planned twice.
    #[error("the message holds a value of kind {category} that could not be cloaked; nothing was passed on")]
    Tripwire {
        /// What was left.
        category: Category,
    },
    /// The detectors look for less than the profile hides: a fault of the caller.
    #[error("the detectors do not look for all that the settings hide")]
    Detectors,
    /// The profile refuses texts that hold such a value.
    #[error("the message holds a value of the field `{0}`, and the settings refuse such messages")]
    Blocked(Field),
    /// The session cannot take more.
    #[error("the session cannot remember what was cloaked")]
    Session(#[from] SessionError),
    /// The restored or cloaked bytes are no JSON any more: a fault of ours, and nothing leaves.
    #[error("the rewritten message is not valid")]
    Invalid,
}

impl CloakError {
    /// True when the text of the error is meant for the model: it names what to do and holds no value.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(
            self,
            Self::Splice(_)
                | Self::UnknownUpstream(_)
                | Self::Vault(_)
                | Self::Names(_)
                | Self::Answers { .. }
                | Self::Treatments { .. }
                | Self::Session(_)
                | Self::Detectors
                | Self::Invalid
        )
    }
}
