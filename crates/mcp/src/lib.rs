//! What the Model Context Protocol says about one message: its envelope, its positions, its names.
//!
//! In: scanned JSON. Out: what kind of message it is, what happens to each of its strings, how names of several
//! servers live side by side, texts of errors. Invariant: ids are carried as raw bytes, and a position that no row
//! of the policy names is cloaked towards the model. Not here: I/O, async, detection, replacing text.

mod envelope;
pub mod errors;
mod ids;
mod names;
mod policy;
mod revision;
mod schema_paths;
mod tasks;

pub use envelope::{Envelope, Invalid, InvalidReason, Notification, Outcome, Request, Response, read};
pub use ids::{IdError, RawId};
pub use names::{DEFAULT_NAME_BUDGET, NameMap, SEPARATOR, may_be_shortened, publish, split};
pub use policy::{
    Direction, Part, decided, is_known_method, is_method_shaped, known_notification, position, treatments,
};
pub use revision::{Revision, UnknownRevision};
pub use schema_paths::{STRING_PATHS_HEAD, string_paths};
pub use tasks::{begun_task, is_terminal, task_ids};
