//! The tools over a real socket, as their clients call them.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test ends by them")]

mod calls;
mod rust_client;
mod service;
