//! The nouns that every stage of Cloakgate shares.
//!
//! In and out: plain values. Invariant: a value of one of these types has been checked once, where it was
//! made. Not here: I/O, detection rules, text replacement.

mod byte_reader;
mod category;
mod causes;
mod finding;
mod names;
mod points;
mod sensitive;
mod span;
mod token;

pub use byte_reader::ByteReader;
pub use category::{Category, Defaults, Severity, UnknownCategory};
pub use causes::causes;
pub use finding::{Detector, Finding, Strength};
pub use names::{NameError, SessionId, UpstreamName};
pub use points::CodePoints;
pub use sensitive::{Secret, Sensitive};
pub use span::Span;
pub use token::{CHECK_ALPHABET, CHECK_LEN, Spelling, TokenId};
