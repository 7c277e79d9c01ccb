//! The leak probe: planted values at every position of every message, and all that the client received looked through.
//!
//! Positions come from the committed list of the published schemas' strings. What is uninspected by the table is
//! listed in `positions.txt`, strictly: a position that is listed and does not show the value fails as well, and so
//! does one that shows it and is not listed. Each probe has a twin without cloaking in which the value must show.

#![cfg(unix)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "clippy allows these in test functions; what they share stands outside of those"
)]

mod down;
mod drive;
mod forms;
mod places;
mod positions;
mod running;
mod up;
mod values;
