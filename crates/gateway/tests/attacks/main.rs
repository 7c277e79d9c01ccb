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
mod defects;
mod probes;
#[path = "../leaks/running.rs"]
mod running;
mod session;
mod threats;

/// Claims that do not hold yet. Strict: a claim that holds has to go.
const KNOWN_GAPS: &[&str] = &["t10 known name at the end", "t10 known e-mail at the end"];

/// Asserts a claim, or that a known gap is still open.
#[track_caller]
fn claim(name: &str, holds: bool, seen: &dyn std::fmt::Debug) {
    if KNOWN_GAPS.contains(&name) {
        assert!(!holds, "`{name}` holds: take it out of KNOWN_GAPS");
    } else {
        assert!(holds, "`{name}` does not hold: {seen:?}");
    }
}
