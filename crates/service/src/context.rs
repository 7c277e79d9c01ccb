//! The server that a key opens, as those see it who cloak for it.
//!
//! In: a key. Out: where its sessions live and how it cloaks. Invariant: a context is of one moment; it is asked for
//! anew with each request. Not here: how keys are kept and compared.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cloakgate_cloak::text::{Access, Field, Profile};
use cloakgate_names::Effort;
use uuid::Uuid;

/// A server that may be called with the key that was shown.
#[derive(Clone, Debug)]
pub struct ServerContext {
    /// The server.
    pub server: Uuid,
    /// Whose it is: the environment.
    pub tenant: Uuid,
    /// Where its sessions are kept, and nowhere else.
    pub region: Arc<str>,
    /// How it cloaks. `None` when its settings were deleted under it: it restores still, and cloaks nothing.
    pub settings: Option<SettingsInForce>,
    /// Which values the key gets back, by its role.
    pub access: Access,
}

/// Settings as they are now.
#[derive(Clone, Debug)]
pub struct SettingsInForce {
    /// Their record.
    pub id: Uuid,
    /// Its version; a profile never changes without it.
    pub version: u64,
    /// What is done with each kind of value.
    pub profile: Arc<Profile>,
    /// How much is done to find names.
    pub names: Effort,
    /// How long a session lives after it was last used; `None` for good.
    pub lifetime: Option<Duration>,
}

/// Why a key opens nothing. It is never said whether the server exists.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthFault {
    /// No server has it.
    #[error("the key is wrong")]
    Wrong,
    /// It is used too often.
    #[error("the key is used too often")]
    TooMany {
        /// Seconds after which it may be used again.
        retry_after_s: u64,
    },
    /// The records cannot be read now.
    #[error("keys cannot be checked now")]
    Unavailable,
}

/// What a server was used for. Counts, and never values.
#[derive(Clone, Copy, Debug)]
pub enum Used<'a> {
    /// Texts were cloaked, with so many values of each field.
    Cloaked(&'a BTreeMap<Field, u32>),
    /// A text was uncloaked.
    Uncloaked {
        /// Places that were restored.
        restored: u32,
        /// Places that show a mask.
        masked: u32,
        /// Places that were left since the key may not see their values.
        withheld: u32,
        /// Places that were left since nothing says their values.
        unresolved: u32,
    },
}

/// Knows the servers by their keys.
pub trait Servers: Send + Sync + 'static {
    /// The server whose key this is: `<uuid>:<secret>`, as it was sent.
    ///
    /// # Errors
    /// When it opens nothing.
    fn server_by_key(&self, key: &str) -> impl Future<Output = Result<ServerContext, AuthFault>> + Send;

    /// Notes that a server was used, to be counted. It must not wait.
    fn note(&self, server: &ServerContext, used: Used<'_>) {
        let _ = (server, used);
    }
}
