//! The table of a message's values: where each one stands and how they nest.
//!
//! In: rows that the scanner made. Out: kinds, spans, keys, parents and children. Invariant: rows are in
//! document order, a container before what it holds; spans index the bytes that were scanned, which are not
//! kept here, so methods that read text take them again. Not here: reading bytes that were not scanned.

use std::borrow::Cow;

use cloakgate_vocab::Span;

use crate::decoded;

/// Marks a row without a key or without a parent. No offset and no row reaches it: longer messages are
/// refused.
pub(crate) const NONE: u32 = u32::MAX;

/// Names one value of a document: its place in document order, the root being 0.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The outermost value.
    pub const ROOT: Self = Self(0);

    /// Place in document order, to index a table that runs beside the document.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// Members in braces.
    Object,
    /// Elements in brackets.
    Array,
    /// Text in quotes.
    String,
    /// A number, in whatever spelling.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// Two members of one object whose decoded keys are equal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Duplicate {
    /// First member with the key.
    pub first: NodeId,
    /// A later member with the same key.
    pub again: NodeId,
}

/// One row, 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) start: u32,
    pub(crate) end: u32,         // start <= end
    pub(crate) key_start: u32,   // NONE outside objects
    pub(crate) key_end: u32,     // key_start < key_end unless NONE
    pub(crate) parent: u32,      // NONE for the root
    pub(crate) subtree_end: u32, // own place < subtree_end
    pub(crate) ordinal: u32,
    pub(crate) kind: Kind,
    pub(crate) escaped: bool,
    pub(crate) key_escaped: bool,
}

/// What an id of another document reads as.
const NOWHERE: Node = Node {
    start: 0,
    end: 0,
    key_start: NONE,
    key_end: 0,
    parent: NONE,
    subtree_end: 0,
    ordinal: 0,
    kind: Kind::Null,
    escaped: false,
    key_escaped: false,
};

/// The values of one scanned message. Owns none of its bytes; takes 32 bytes a value, so at most 16 times the
/// length of the message (an array of digits) and usually about as much as the message.
#[derive(Clone, Debug)]
pub struct Document {
    nodes: Vec<Node>,
    duplicates: Vec<Duplicate>,
}

impl Document {
    pub(crate) fn new(nodes: Vec<Node>, duplicates: Vec<Duplicate>) -> Self {
        Self { nodes, duplicates }
    }

    fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&NOWHERE)
    }

    /// Number of values, the root included; at least 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a document has a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All values in document order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..narrow(self.nodes.len())).map(NodeId)
    }

    /// What the value is. An id that is not of this document reads as an empty null at 0.
    #[must_use]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The value's bytes; those of a string include its quotes.
    #[must_use]
    pub fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        span(node.start, node.end)
    }

    /// True for a string with a backslash in it.
    #[must_use]
    pub fn escaped(&self, id: NodeId) -> bool {
        self.node(id).escaped
    }

    /// The container that holds the value; `None` for the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Some(self.node(id).parent).filter(|parent| *parent != NONE).map(NodeId)
    }

    /// Position among the values of its container, from 0.
    #[must_use]
    pub fn index(&self, id: NodeId) -> u32 {
        self.node(id).ordinal
    }

    /// Bytes of the member's key with its quotes; `None` for a value that is no member.
    #[must_use]
    pub fn key_span(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.key_start != NONE).then(|| span(node.key_start, node.key_end))
    }

    /// True for a member whose key has a backslash in it.
    #[must_use]
    pub fn key_escaped(&self, id: NodeId) -> bool {
        self.node(id).key_escaped
    }

    /// The values directly inside a container, in document order; none for other kinds. Each step is O(1).
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(id).subtree_end;
        let mut next = id.0.saturating_add(1);
        std::iter::from_fn(move || {
            let child = Some(NodeId(next)).filter(|_| next < end)?;
            next = self.node(child).subtree_end;
            Some(child)
        })
    }

    /// The first id, in document order, that is neither the value nor inside it; one past the last for the
    /// root.
    #[must_use]
    pub fn subtree_end(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).subtree_end)
    }

    /// The member's decoded key, with U+FFFD for each lone surrogate. `None` for a value that is no member.
    #[must_use]
    pub fn key<'a>(&self, bytes: &'a [u8], id: NodeId) -> Option<Cow<'a, str>> {
        decode(bytes, self.key_span(id)?, self.key_escaped(id))
    }

    /// The string's decoded text, with U+FFFD for each lone surrogate. `None` for other kinds.
    #[must_use]
    pub fn text<'a>(&self, bytes: &'a [u8], id: NodeId) -> Option<Cow<'a, str>> {
        let node = self.node(id);
        if node.kind != Kind::String {
            return None;
        }
        decode(bytes, span(node.start, node.end), node.escaped)
    }

    /// The first member of `object` with that decoded name. O(members).
    #[must_use]
    pub fn member(&self, bytes: &[u8], object: NodeId, name: &str) -> Option<NodeId> {
        if self.kind(object) != Kind::Object {
            return None;
        }
        self.children(object).find(|child| self.key(bytes, *child).is_some_and(|key| key == name))
    }

    /// Members whose decoded key an earlier member of the same object has, in document order of the later
    /// one. Keys that differ only in lone surrogates count as equal, as they are for receivers that replace
    /// those.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// The value's RFC 6901 pointer, for messages about structure. It holds decoded keys, which may be
    /// personal.
    #[must_use]
    pub fn pointer(&self, bytes: &[u8], id: NodeId) -> String {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            path.push(at);
            at = parent;
        }
        let mut pointer = String::new();
        for step in path.into_iter().rev() {
            pointer.push('/');
            match self.key(bytes, step) {
                Some(key) => push_reference(&mut pointer, &key),
                None => pointer.push_str(&self.index(step).to_string()),
            }
        }
        pointer
    }
}

fn push_reference(pointer: &mut String, key: &str) {
    for character in key.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Text between the quotes of `quoted`. `None` when the bytes are not those that were scanned.
pub(crate) fn decode(bytes: &[u8], quoted: Span, escaped: bool) -> Option<Cow<'_, str>> {
    let inside = bytes.get(quoted.start().checked_add(1)?..quoted.end().checked_sub(1)?)?;
    let raw = simdutf8::basic::from_utf8(inside).ok()?;
    Some(if escaped { decoded::decode(raw) } else { Cow::Borrowed(raw) })
}

fn span(start: u32, end: u32) -> Span {
    Span::sized(start as usize, end.saturating_sub(start) as usize)
}

/// An offset or a row number as 32 bits; the scanner refuses messages in which one would not fit.
pub(crate) const fn narrow(offset: usize) -> u32 {
    offset as u32
}

#[cfg(test)]
mod tests {
    use super::{Kind, Node, NodeId};
    use crate::{Duplicate, scan};

    const ROW: &[u8] = br#" {"a": [1, {"b": "x"}, []], "c\/~": "\u00e9", "": null} "#;

    #[test]
    fn rows_stand_in_document_order_and_keep_their_spans() {
        let document = scan(ROW).unwrap();
        let seen: Vec<_> = document
            .nodes()
            .map(|id| {
                let span = document.span(id);
                let key = document.key(ROW, id).map(std::borrow::Cow::into_owned);
                let value = std::str::from_utf8(&ROW[span.range()]).unwrap();
                (document.kind(id), value, key, document.pointer(ROW, id))
            })
            .collect();
        let whole = r#"{"a": [1, {"b": "x"}, []], "c\/~": "\u00e9", "": null}"#;
        let expected = [
            (Kind::Object, whole, None, ""),
            (Kind::Array, r#"[1, {"b": "x"}, []]"#, Some("a"), "/a"),
            (Kind::Number, "1", None, "/a/0"),
            (Kind::Object, r#"{"b": "x"}"#, None, "/a/1"),
            (Kind::String, r#""x""#, Some("b"), "/a/1/b"),
            (Kind::Array, "[]", None, "/a/2"),
            (Kind::String, r#""\u00e9""#, Some("c/~"), "/c~1~0"),
            (Kind::Null, "null", Some(""), "/"),
        ];
        assert_eq!(seen.len(), expected.len());
        for ((kind, value, key, pointer), wanted) in seen.iter().zip(expected) {
            assert_eq!((*kind, *value, key.as_deref(), pointer.as_str()), wanted);
        }
        assert_eq!(document.len(), 8);
        assert!(!document.is_empty());
    }

    #[test]
    fn children_skip_what_is_inside_them() {
        let document = scan(ROW).unwrap();
        let children = |id| document.children(NodeId(id)).map(|child| child.0).collect::<Vec<_>>();
        assert_eq!(children(0), [1, 6, 7]);
        assert_eq!(children(1), [2, 3, 5]);
        assert_eq!(children(3), [4]);
        assert!(children(5).is_empty() && children(7).is_empty() && children(99).is_empty());
        assert_eq!(document.subtree_end(NodeId(1)), NodeId(6));
        assert_eq!(document.subtree_end(NodeId::ROOT).index(), document.len());
        let places: Vec<_> =
            document.nodes().map(|id| (document.parent(id).map(|id| id.0), document.index(id))).collect();
        let expected =
            [(None, 0), (Some(0), 0), (Some(1), 0), (Some(1), 1), (Some(3), 0), (Some(1), 2), (Some(0), 1)];
        assert_eq!(places[..7], expected);
    }

    #[test]
    fn text_and_flags_are_those_of_strings() {
        let json = br#"{"plain":"abc","esc\"aped":"a\nb","lone":"\ud800x","n":1}"#;
        let document = scan(json).unwrap();
        let expected = [
            (1, Some("abc"), false, false),
            (2, Some("a\nb"), true, true),
            (3, Some("\u{fffd}x"), true, false),
            (4, None, false, false),
        ];
        for (id, text, escaped, key_escaped) in expected {
            let id = NodeId(id);
            assert_eq!(document.text(json, id).as_deref(), text);
            assert_eq!((document.escaped(id), document.key_escaped(id)), (escaped, key_escaped));
        }
        assert_eq!(
            document.key_span(NodeId(1)).unwrap().of(std::str::from_utf8(json).unwrap()),
            Some(r#""plain""#)
        );
        assert_eq!(document.key_span(NodeId::ROOT), None);
    }

    #[test]
    fn member_finds_the_first_by_decoded_name() {
        let json = br#"{"x":{"id":0},"\u0069d":1,"id":2,"list":[]}"#;
        let document = scan(json).unwrap();
        assert_eq!(document.member(json, NodeId::ROOT, "id"), Some(NodeId(3)));
        assert_eq!(document.member(json, NodeId::ROOT, "nothing"), None);
        assert_eq!(document.member(json, NodeId(5), "id"), None);
        assert_eq!(document.duplicates(), [Duplicate { first: NodeId(3), again: NodeId(4) }]);
    }

    #[test]
    fn other_bytes_give_no_text_and_no_panic() {
        let document = scan(ROW).unwrap();
        for id in document.nodes() {
            assert_eq!(document.text(b"", id), None);
            assert_eq!(document.key(b"\xff\xff\xff", id), None);
        }
        assert_eq!(document.kind(NodeId(99)), Kind::Null);
        assert!(document.span(NodeId(99)).is_empty());
    }

    #[test]
    fn a_row_is_32_bytes() {
        assert_eq!(size_of::<Node>(), 32);
    }
}
