//! What a gateway spoils when it is careless: lines, numbers, keys, code, names, quotes.

#![cfg(unix)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "clippy allows these in test functions; what they share stands outside of those"
)]

mod cases;
#[path = "../leaks/claims.rs"]
mod claims;
mod contract;
mod fidelity;
mod negatives;
#[path = "../leaks/running.rs"]
mod running;
#[path = "../attacks/session.rs"]
mod session;

use claims::claim;
