//! Messages that may leave: proofs that bytes went through cloaking or restoring.
//!
//! In: bytes that `finish` or `restore` made, or that the caller vouches for with a reason. Out: `Cloaked` and
//! `Restored`, which the writers take and nothing else. A test lists the call sites of every constructor that
//! vouches.

use bytes::Bytes;
use cloakgate_json::Edit;
use cloakgate_vocab::Span;

use crate::CloakError;

/// Why bytes may go to the model although no detector read them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExactReason {
    /// Sanitizing is switched off.
    Off,
    /// Schemas and names that the model calls by: rewriting them breaks the contract.
    Contract,
    /// A person reads it, not the model, and the configuration shows persons real values.
    Person,
}

/// A message, or part of one, that the model may see. Only this crate can make one.
#[derive(Clone, Debug)]
pub struct Cloaked<T>(T);

/// A message, or part of one, that an upstream may see. Only this crate can make one.
#[derive(Clone, Debug)]
pub struct Restored<T>(T);

macro_rules! proof {
    ($proof:ident) => {
        impl $proof<Bytes> {
            pub(crate) fn made(bytes: impl Into<Bytes>) -> Self {
                Self(bytes.into())
            }

            /// Bytes that pass as they are but for `edits` (ids, names, cursors), for a stated reason.
            ///
            /// # Errors
            /// When the edits overlap or lie outside.
            pub fn exact(
                original: &Bytes,
                mut edits: Vec<Edit>,
                _reason: ExactReason,
            ) -> Result<Self, CloakError> {
                if edits.is_empty() {
                    return Ok(Self(original.clone()));
                }
                edits.sort_by_key(|edit| edit.span);
                Ok(Self(cloakgate_json::splice(original, &edits).map_err(CloakError::Splice)?.into()))
            }

            /// Text that the gateway itself wrote, with nothing in it that came from a client or an upstream.
            #[must_use]
            pub fn authored(text: impl Into<String>) -> Self {
                Self(Bytes::from(text.into()))
            }

            /// A part of a message that may leave may leave as well. `None` when the span lies outside.
            #[must_use]
            pub fn part(&self, span: Span) -> Option<Self> {
                (span.end() <= self.0.len()).then(|| Self(self.0.slice(span.range())))
            }

            /// Joins parts that may leave.
            #[must_use]
            pub fn concat(parts: &[Self]) -> Self {
                let mut joined = Vec::with_capacity(parts.iter().map(|part| part.0.len()).sum());
                for part in parts {
                    joined.extend_from_slice(&part.0);
                }
                Self(joined.into())
            }

            /// The bytes, to be written.
            #[must_use]
            pub fn bytes(&self) -> &Bytes {
                &self.0
            }
        }
    };
}

proof!(Cloaked);
proof!(Restored);
