//! The vault port implemented.
//!
//! In: values that want tokens, ids that want values. Out: numbers, entries, known values. Invariant: equal
//! wants get equal ids, entries never change, one session never sees another's. Not here: the text of tokens.

mod memory;
mod numbers;

pub use memory::{Limits, MAX_SESSION_ENTRIES, MemoryVault};
pub use numbers::{NumberError, NumberSource, StateFile};
