//! Whole sessions: a scripted client, the gateway, real servers as child processes.
//!
//! What the far side received is read from the server's own record, not from what the gateway says.

#![cfg(unix)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy allows these in test functions; what they share stands outside of those"
)]

mod asks;
mod batches;
mod calls;
mod endings;
mod faults;
mod handshake;
mod harness;
mod lists;
mod names;
mod news;
mod order;
mod places;
mod resources;
mod restart;
mod task_asks;
mod tasks;
