//! Findings that the tripwire made, carried into the next plan of the same message.
//!
//! In: where the tripwire saw something in the written message. Out: findings in the texts of the original.
//! Invariant: none gets lost: one that lies in no single text makes its whole string one value.

use cloakgate_json::NodeId;
use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

use super::strings::{MessageString, preimage};
use super::tripwire::Hit;
use super::{CloakRequest, Written};
use crate::texts::Text;

const TRIPWIRE: Detector = Detector("tripwire");

/// Something that the tripwire found, in terms of the original message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Forced {
    node: NodeId,
    key: bool,
    category: Category,
    raw: Span,
}

impl Forced {
    pub(super) fn from_hit(hit: Hit, written: &Written) -> Self {
        let start = written.in_original(hit.written.start());
        let end = written.in_original(hit.written.end()).max(start);
        let raw = Span::new(start, end).unwrap_or(Span::sized(start, 0));
        Self { node: hit.node, key: hit.key, category: hit.category, raw }
    }

    #[cfg(test)]
    pub(super) fn at(node: NodeId, category: Category, raw: Span) -> Self {
        Self { node, key: false, category, raw }
    }

    /// What was found.
    #[must_use]
    pub fn category(&self) -> Category {
        self.category
    }

    /// The value's node in the message; for keys, that of their member.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }
}

/// The same within one string.
pub(super) struct ForcedInString {
    category: Category,
    in_string: Span,
}

/// Those that lie in a string or key.
pub(super) fn of_string(request: &CloakRequest<'_>, string: &MessageString<'_>) -> Vec<ForcedInString> {
    let key = string.kind == cloakgate_detect::FieldKind::Key;
    request
        .forced
        .iter()
        .filter(|forced| forced.node == string.node && forced.key == key)
        .filter_map(|forced| {
            Some(ForcedInString { category: forced.category, in_string: string.span_of_message(forced.raw)? })
        })
        .collect()
}

impl ForcedInString {
    /// The finding in a text of the string, if it lies in that text.
    pub(super) fn in_text(&self, text: &Text<'_>) -> Option<Finding> {
        if !text.in_string(Span::sized(0, text.text.len())).contains(self.in_string) {
            return None;
        }
        let span = preimage(text.text, self.in_string, |at| text.in_string(Span::sized(at, 0)).start())?;
        Some(Finding::new(self.category, span, TRIPWIRE, Strength::Checked))
    }
}
