//! Why a gateway does not start or ends early.

use std::io;

use cloakgate_names::NamesError;
use cloakgate_vault::NumberError;
use cloakgate_vocab::NameError;

use crate::pipeline::TermsError;
use crate::self_test::SelfTestError;

/// Why the gateway ended other than by the client's leave.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayError {
    /// The operating system gave no random bytes for the session's keys.
    #[error("cannot make the session's keys: the operating system gave no random bytes")]
    Random,
    /// A detector that is switched on does not detect; nothing is served then.
    #[error("refusing to start")]
    SelfTest(#[from] SelfTestError),
    /// Names are to be read and cannot be; nothing is served then.
    #[error("refusing to start: names cannot be read")]
    Names(#[from] NamesError),
    /// The thread that prepared the start ended without a word.
    #[error("the start was given up")]
    Worker,
    /// The operator's own terms cannot be searched for.
    #[error("cannot use the `deny` lists")]
    Terms(#[from] TermsError),
    /// The state file of plain tokens cannot be used.
    #[error("cannot keep the numbers of plain tokens")]
    Numbers(#[from] NumberError),
    /// There is no folder for state files.
    #[error("plain tokens need a folder for their state file, and the system names none: set `state_dir`")]
    NoStateFolder,
    /// The session could not be named.
    #[error("cannot name the session")]
    Session(#[source] NameError),
    /// Our own standard streams cannot be used.
    #[error("cannot use the standard streams")]
    Streams(#[source] io::Error),
    /// The client cannot be read from.
    #[error("cannot read from the client")]
    Client(#[source] io::Error),
    /// No server could be started, or none shook hands.
    #[error("none of the upstreams serves; the log names the reason for each")]
    NoUpstream,
}
