//! The gateway: one client in front, many servers behind, and everything between them cloaked or restored.
//!
//! In: a configuration and a client's streams. Out: a served session. Invariant: what reaches the client is `Cloaked`,
//! what reaches a server is `Restored`, and each request of the client gets one answer. Not here: reading JSON
//! (`json`), what positions mean (`mcp`), finding and replacing values (`detect`, `cloak`), pipes (`wire`).

mod by_name;
mod capabilities;
mod client;
pub mod config;
mod error;
mod failure;
mod fan_out;
mod gateway;
mod index;
mod initialize;
mod levels;
mod listing;
mod mailbox;
mod message;
mod outbox;
mod pages;
mod passage;
pub mod pipeline;
mod request;
mod resources;
mod session;
mod turns;
mod upstream;
mod uri_template;

pub use error::GatewayError;
pub use gateway::{Gateway, serve, serve_stdio};
