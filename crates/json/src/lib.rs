//! Scans raw JSON into spans and splices replacements into the original bytes.
//!
//! In: bytes of one message. Out: a table of its values with their byte spans, and messages whose untouched
//! bytes are those that came. Invariant: nothing is parsed into another form and written again, so key order,
//! `1.10`, `1e400`, 30-digit integers, `\/`, blanks and unknown members stay as they are. Not here: what the
//! values mean, detection, framing.

mod decoded;
mod document;
mod duplicates;
mod encode;
mod grammar;
mod member;
mod scan;
mod splice;

pub use decoded::Decoded;
pub use document::{Document, Duplicate, Kind, NodeId};
pub use encode::encode;
pub use member::MemberFinder;
pub use scan::{MAX_DEPTH, MAX_VALUES, ScanError, nested, scan};
pub use splice::{Edit, SpliceError, splice};
