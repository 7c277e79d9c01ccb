//! The service: settings, servers, keys and regions behind a REST API, and the tools `cloak` and `uncloak` over MCP.
//!
//! In: requests of people and programs with their keys. Out: cloaked and uncloaked texts, records of settings.
//! Invariant: no value leaves but in the answer to `uncloak`, to whoever holds the key of the server that cloaked it.
//! Not here: detection, operators, storage, the frames of MCP.

mod context;
mod texts;
mod tools;

pub use context::{AuthFault, ServerContext, Servers, SettingsInForce, Used};
pub use texts::{CloakedTexts, Lost, MAX_MESSAGE_BYTES, MAX_MESSAGES, Texts, TextsError};
pub use tools::Tools;
