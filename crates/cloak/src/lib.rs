//! Replaces what must not reach a model by tokens, and puts the values back for tools.
//!
//! In: scanned messages, a treatment for each of their nodes. Out: `Cloaked` bytes towards the model, `Restored`
//! bytes towards a server; a writer takes nothing else. The vault behind the port hands out ids, this crate
//! writes text: `plan` (pure), then the caller awaits the vault, then `finish` (pure); `read`, the vault,
//! `restore`. Invariant: `restore(cloak(x)) == x`, and no text that restoring would change or refuse reaches the
//! model unless it was issued here. Not here: I/O, clocks, randomness, policy tables.

mod beside;
mod context;
mod data;
mod error;
mod find;
mod interpreted;
mod keys;
mod message;
mod place;
mod plan;
mod reader;
mod restore;
mod schema;
mod stand_in;
pub mod text;
mod texts;
mod token;
mod treatment;
mod vault;

pub use cloakgate_detect::KnownValue;
pub use error::CloakError;
pub use find::{Evidence, Explanation, Finder};
pub use keys::{Fingerprint, SessionKeys, TokenStyle};
pub use message::{Cloaked, ExactReason, Restored};
pub use place::{Context, Place};
pub use plan::{CloakRequest, Finished, Forced, Plan, finish, is_guessable, plan};
pub use restore::{
    Destination, FreshValue, Reads, RestoreRequest, TokenScope, Unresolved, fresh_values, read, restore,
};
pub use schema::ToolSchema;
pub use token::token_text;
pub use treatment::Treatment;
pub use vault::{Entry, Form, Interned, RawForm, Source, Vault, VaultError, VaultFuture, Version, Wanted};
