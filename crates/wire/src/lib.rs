//! Transports: messages as lines over standard streams, in the client and in the server role, and over HTTP in the
//! server role.
//!
//! In: bytes of a peer. Out: frames, one a message; and towards a peer only what is proved fit for it.
//! Invariant: on streams the writer towards the client takes `Cloaked`, the writer towards an upstream takes
//! `Restored`, and there is no third. Memory is bounded by the message limit whatever a peer sends.
//! Not here: reading messages, deciding what happens to them, restarting servers.

mod child;
mod environment;
mod frame;
pub mod http;
mod lines;
mod process;
mod standard;
mod stderr;
mod writer;

pub use child::{Child, ChildSpec, SpawnError};
pub use environment::{Inherit, withheld_names};
pub use frame::{Frame, FrameReader};
pub use process::{CLOSE_GRACE, Process, TERM_GRACE};
pub use standard::{StandardInput, StandardOutput, standard_streams};
pub use writer::{ClientWriter, UpstreamWriter};

/// Longest message, in bytes without its line end, that is read when no setting says otherwise.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;
