//! A message with its table of values and its envelope.
//!
//! In: the bytes of one line. Out: the message, or what is known about one that cannot be read. Invariant: scanning
//! that would hold up the reactor happens on another thread. Not here: what methods mean.

use std::borrow::Cow;

use bytes::Bytes;
use cloakgate_json::{Document, Edit, Kind, MemberFinder, NodeId};
use cloakgate_mcp::{Envelope, Invalid, RawId};

/// Longer messages are scanned off the reactor: this much takes about a tenth of a millisecond.
const SCANNED_IN_PLACE_BYTES: usize = 128 << 10;

/// One readable message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) bytes: Bytes,
    pub(crate) document: Document,
    pub(crate) envelope: Envelope,
}

/// A message that cannot be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It is no valid JSON.
    NotJson {
        /// Its id, as far as it could be made out.
        id: Option<RawId>,
        /// Whether a `method` could be made out, so that it is no answer.
        has_method: bool,
    },
    /// It is JSON, but no message that we take.
    Invalid(Invalid),
}

impl Message {
    /// Scans `bytes` and reads the envelope.
    pub(crate) async fn read(bytes: Bytes) -> Result<Self, Unreadable> {
        if bytes.len() <= SCANNED_IN_PLACE_BYTES {
            return Self::scan(bytes);
        }
        let task = tokio::task::spawn_blocking(move || Self::scan(bytes));
        task.await.unwrap_or(Err(Unreadable::NotJson { id: None, has_method: false }))
    }

    fn scan(bytes: Bytes) -> Result<Self, Unreadable> {
        let Ok(document) = cloakgate_json::scan(&bytes) else {
            let id = member(&bytes, "id").and_then(|raw| RawId::from_raw(&raw).ok());
            return Err(Unreadable::NotJson { id, has_method: member(&bytes, "method").is_some() });
        };
        let envelope = cloakgate_mcp::read(&document, &bytes).map_err(Unreadable::Invalid)?;
        Ok(Self { bytes, document, envelope })
    }

    /// The value at a path of member names from `from`.
    pub(crate) fn find(&self, from: NodeId, path: &[&str]) -> Option<NodeId> {
        path.iter().try_fold(from, |at, name| self.document.member(&self.bytes, at, name))
    }

    /// The decoded text of a string.
    pub(crate) fn text(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.document.text(&self.bytes, node)
    }

    /// The decoded text of the string at a path.
    pub(crate) fn text_at(&self, from: NodeId, path: &[&str]) -> Option<Cow<'_, str>> {
        self.text(self.find(from, path)?)
    }

    /// A value's bytes as they came.
    pub(crate) fn raw(&self, node: NodeId) -> Bytes {
        let span = self.document.span(node);
        if span.end() <= self.bytes.len() { self.bytes.slice(span.range()) } else { Bytes::new() }
    }

    /// An edit that puts `text` in a value's place.
    pub(crate) fn replaced(&self, node: NodeId, text: impl Into<Vec<u8>>) -> Edit {
        Edit { span: self.document.span(node), text: text.into() }
    }
}

/// The messages of a batch, each as it came; none when it is no batch.
pub(crate) async fn parts(bytes: Bytes) -> Vec<Bytes> {
    if bytes.len() <= SCANNED_IN_PLACE_BYTES {
        return parts_of(&bytes);
    }
    tokio::task::spawn_blocking(move || parts_of(&bytes)).await.unwrap_or_default()
}

fn parts_of(bytes: &Bytes) -> Vec<Bytes> {
    let Ok(document) = cloakgate_json::scan(bytes) else { return Vec::new() };
    if document.kind(NodeId::ROOT) != Kind::Array {
        return Vec::new();
    }
    let part = |node| bytes.slice(document.span(node).range());
    document.children(NodeId::ROOT).map(part).collect()
}

fn member(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut finder = MemberFinder::new(name);
    finder.push(bytes);
    finder.finish()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use cloakgate_json::NodeId;

    use super::{Message, Unreadable};

    #[tokio::test]
    async fn the_id_of_a_broken_message_is_still_found() {
        for (text, id, has_method) in [
            (&b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xff\"}"[..], Some("7"), false),
            (b"{\"id\":\"a\",\"method\":\"x\",\"params\":{]}", Some("\"a\""), true),
            (b"{", None, false),
        ] {
            match Message::read(Bytes::from_static(text)).await {
                Err(Unreadable::NotJson { id: found, has_method: method }) => {
                    assert_eq!(found.as_ref().map(cloakgate_mcp::RawId::as_str), id);
                    assert_eq!(method, has_method);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[tokio::test]
    async fn values_are_found_by_path_and_replaced_in_place() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"b":"c"}}}"#;
        let message = Message::read(Bytes::from(text)).await.expect("a message");
        let node = message.find(NodeId::ROOT, &["params", "a", "b"]).expect("a value");
        assert_eq!(message.raw(node), "\"c\"");
        let edited =
            cloakgate_json::splice(&message.bytes, &[message.replaced(node, "5")]).expect("in range");
        assert_eq!(edited, text.replace("\"c\"", "5").as_bytes());
        assert_eq!(message.find(NodeId::ROOT, &["params", "x"]), None);
    }
}
