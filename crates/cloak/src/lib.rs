//! Tokens, planning, cloaking and restoring.
#![allow(missing_docs)]
mod message;
mod vault;
pub use message::{Cloaked, ExactReason, Restored};
pub use vault::{Entry, Form, Interned, RawForm, Source, Vault, VaultError, VaultFuture, Version, Wanted};

/// What happens to one string of a message, and to its key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Treatment {
    /// Leaves byte for byte; not counted: protocol words and schemas.
    Exact,
    /// Leaves byte for byte, but is counted as not inspected: binary, signed links.
    Scan,
    /// Towards the model: what is found is replaced.
    Cloak,
    /// Towards the model: as `Cloak`, with tokens that can stand in a URI.
    CloakUri,
    /// Towards an upstream: tokens become values.
    Restore,
}
