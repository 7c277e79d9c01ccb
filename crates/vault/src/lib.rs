//! The vault port implemented, and the stores of the service: memory, SQLite, PostgreSQL.
//!
//! In: values that want tokens, ids that want values; sessions and documents to keep. Out: numbers, entries, known
//! values; the same sessions and documents again. Invariant: equal wants get equal ids, entries never change, one session
//! never sees another's; whatever reaches a disk is sealed. Not here: the text of tokens, what sessions and documents
//! mean.

mod catalog;
mod data_keys;
mod database;
mod error;
mod link;
mod lookup;
mod master_key;
mod memory;
mod migrations;
mod moment;
mod numbers;
mod port;
mod postgres;
mod regions;
mod seal;
mod sessions;
mod sqlite;
mod together;

pub use catalog::{Catalog, Changed, Document, MAX_COUNTS, MAX_DOCUMENT_BYTES, Precondition};
pub use data_keys::Rotated;
pub use database::{Database, DatabaseConfig};
pub use error::{Cause, StoreError};
pub use lookup::{LookupKey, ValueHash};
pub use master_key::{KeyError, KeyId, KeySource, MASTER_KEY_VARIABLE, MasterKeys, add_key, new_key_line};
pub use memory::{Limits, MAX_SESSION_ENTRIES, MemoryVault};
pub use moment::Moment;
pub use numbers::{NumberError, NumberSource, StateFile};
pub use port::{DatabaseVault, Numbers};
pub use regions::{RegionName, Regions};
pub use sessions::{
    After, Ended, Extended, Extension, Lifetime, MAX_NEW_VALUES, MAX_PAGE, MAX_STATE_BYTES, NewEnd,
    NewSession, SessionMeta, Sessions, StoredSession,
};
