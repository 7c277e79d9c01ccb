//! The gateway: one client in front, many servers behind, and everything between them cloaked or restored.
//!
//! In: a configuration and a client's streams. Out: a served session. Invariant: what reaches the client is `Cloaked`,
//! what reaches a server is `Restored`, and each request of the client gets one answer. Not here: reading JSON
//! (`json`), what positions mean (`mcp`), finding and replacing values (`detect`, `cloak`), pipes (`wire`).

mod answers;
mod asks;
mod batch;
mod by_name;
mod capabilities;
mod changes;
mod client;
pub mod config;
mod cursors;
mod error;
mod failure;
mod fan_out;
mod gateway;
mod greeting;
mod hello;
mod hub;
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
mod run;
mod seal;
mod self_test;
mod session;
mod subscriptions;
mod task_asks;
mod task_calls;
mod tasks;
mod turns;
mod upstream;
mod uri_template;

pub use error::GatewayError;
pub use gateway::{Gateway, detectors, efforts, serve, serve_stdio, serve_stdio_until};
pub use self_test::{SelfTestError, self_test};
