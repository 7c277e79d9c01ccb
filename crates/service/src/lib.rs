//! The service: settings, servers, keys and regions behind a REST API, and the tools `cloak` and `uncloak` over MCP.
//!
//! In: requests of people and programs with their keys. Out: cloaked and uncloaked texts, records of settings.
//! Invariant: no value leaves but in the answer to `uncloak`, to whoever holds the key of the server that cloaked it.
//! Not here: detection, operators, storage, the frames of MCP.

mod access;
mod api;
mod app;
mod config;
mod context;
mod fault;
mod fields;
mod guard;
mod http;
mod keys;
mod limits;
mod once;
mod openapi;
mod records;
mod reply;
mod request;
mod self_test;
mod servers;
mod settings;
mod start;
mod texts;
mod tools;
mod usage;

pub use app::{App, open_regions};
pub use config::{ConfigError, DEFAULT_LISTEN, DeleteLinked, RegionConfig, ServiceConfig, TlsConfig};
pub use context::{AuthFault, ServerContext, Servers, SettingsInForce, Used};
pub use self_test::Survivor;
pub use settings::{SettingsError, SettingsFile};
pub use start::{ADMIN_TOKEN_VARIABLE, FirstRun, StartError};
pub use texts::{CloakedTexts, Lost, MAX_MESSAGE_BYTES, MAX_MESSAGES, Texts, TextsError};
pub use tools::Tools;
