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
#[path = "rest/endings.rs"]
mod endings;
#[path = "rest/origins.rs"]
mod origins;
#[path = "rest/own.rs"]
mod own;
#[path = "rest/regions.rs"]
mod regions;
#[path = "rest/roles.rs"]
mod roles;
