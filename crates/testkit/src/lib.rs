//! Fake servers and a scripted client for the tests.
//!
//! Invariant: nothing here knows the gateway; a client and a server of this crate can be joined directly, so each
//! test can be held against the run without a gateway. Not here: assertions about what the gateway does.

mod client;
mod echo;
mod hostile;
mod lines;
mod message;
#[cfg(unix)]
mod postgres;
mod programs;
mod scene;
mod tasks;
mod views;

pub use client::{Answer, ClientError, Line, LineDirection, NEWEST_VERSION, ScriptedClient};
pub use echo::Echo;
pub use hostile::{Hostile, Script};
pub use lines::{Handler, serve_lines};
#[cfg(unix)]
pub use postgres::{Postgres, PostgresError};
pub use programs::{ECHO, HOSTILE, Program, ProgramError, TASKS, program};
pub use scene::Scene;
pub use tasks::TaskServer;
pub use views::Watch;
