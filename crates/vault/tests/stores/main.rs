//! One suite for both stores: each case gets an empty database of its own.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test ends by them")]

mod cases;
mod killed;
mod world;

use world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_holds_on_sqlite() {
    cases::run_all(&World::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_holds_on_postgres() {
    cases::run_all(&World::postgres()).await;
}
