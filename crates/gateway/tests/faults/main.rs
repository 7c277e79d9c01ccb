//! Servers and clients that break, stall, flood and babble, three servers at a time: every request is answered once,
//! the others go on undisturbed, memory stays bounded, and the end is clean.

#![cfg(unix)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy allows these in test functions; what they share stands outside of those"
)]

#[path = "../leaks/claims.rs"]
mod claims;
mod client;
mod memory;
#[path = "../leaks/running.rs"]
mod running;
mod servers;

use claims::claim;
