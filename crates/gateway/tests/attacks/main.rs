//! One test for each attack: what a hostile server, an injected model or bad luck does, and what must not come of it.
//!
//! Servers are scripted and hostile; what they got is read from their own records.

#![cfg(unix)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy allows these in test functions; what they share stands outside of those"
)]

mod batches;
#[path = "../leaks/claims.rs"]
mod claims;
mod defects;
mod probes;
#[path = "../leaks/running.rs"]
mod running;
mod session;
mod threats;

use claims::claim;
