//! The management API over real sockets with a real database: the reference's contract, and what is ours.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "rest/client.rs"]
mod client;
#[path = "rest/contract.rs"]
mod contract;
#[path = "rest/own.rs"]
mod own;
#[path = "rest/roles.rs"]
mod roles;
