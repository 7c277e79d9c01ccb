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
mod contract;
mod fidelity;
mod negatives;
#[path = "../leaks/running.rs"]
mod running;
#[path = "../attacks/session.rs"]
mod session;

/// Claims that do not hold yet. Strict: a claim that holds has to go.
const KNOWN_GAPS: &[&str] = &["e3 soft line break"];

/// Asserts a claim, or that a known gap is still open.
#[track_caller]
fn claim(name: &str, holds: bool, seen: &dyn std::fmt::Debug) {
    if KNOWN_GAPS.contains(&name) {
        assert!(!holds, "`{name}` holds: take it out of KNOWN_GAPS");
    } else {
        assert!(holds, "`{name}` does not hold: {seen:?}");
    }
}
