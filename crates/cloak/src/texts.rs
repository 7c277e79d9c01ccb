//! The innermost texts of a JSON string: where it holds JSON itself, the strings in that, and so on.
//!
//! In: a decoded JSON string. Out: each text that a person would call a value or a key, decoded, with the way
//! back to the string. Invariant: cloaking and restoring walk the same texts, because both use this walk and it
//! looks at nothing but the string. Layers deeper than `MAX_LAYERS` are plain text to both.

use cloakgate_detect::{FieldKind, Hints, Records, Within};
use cloakgate_json::{Decoded, Kind, NodeId};
use cloakgate_vocab::Span;

/// Layers of JSON in strings that are opened.
pub(crate) const MAX_LAYERS: u8 = 3;

/// One innermost text.
pub(crate) struct Text<'a> {
    /// The text, all JSON escapes undone. For numbers, as written.
    pub(crate) text: &'a str,
    /// Layers of JSON between the string and this text.
    pub(crate) depth: u8,
    /// Value, key or number.
    pub(crate) kind: FieldKind,
    /// The nearest key above.
    pub(crate) key: Option<&'a str>,
    /// What the other keys of the same object say.
    pub(crate) siblings: Hints,
    /// The record of the innermost document that it belongs to.
    pub(crate) record: u32,
    /// True when a lone surrogate was replaced by U+FFFD somewhere in the string.
    pub(crate) lossy: bool,
    /// How far the operator's paths were followed to it.
    pub(crate) within: Option<Within<'a>>,
    back: &'a dyn Fn(Span) -> Span,
}

impl Text<'_> {
    /// Where a span of this text stands in the string that the walk began with.
    pub(crate) fn in_string(&self, span: Span) -> Span {
        (self.back)(span)
    }
}

/// What is known about a string before it is opened.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'a> {
    pub(crate) kind: FieldKind,
    pub(crate) key: Option<&'a str>,
    pub(crate) siblings: Hints,
    pub(crate) lossy: bool,
    /// How far the operator's paths were followed to it; `None` where there are none.
    pub(crate) within: Option<Within<'a>>,
}

/// Calls `visit` for each innermost text of `string`, in order.
pub(crate) fn walk(string: &str, outer: Outer<'_>, visit: &mut dyn FnMut(&Text<'_>)) {
    open(string, outer, Layer { depth: 0, record: 0, back: &|span| span }, visit);
}

/// How deep a string lies, and the way back to the string that the walk began with.
#[derive(Clone, Copy)]
struct Layer<'a> {
    depth: u8,
    record: u32,
    back: &'a dyn Fn(Span) -> Span,
}

fn open(string: &str, outer: Outer<'_>, layer: Layer<'_>, visit: &mut dyn FnMut(&Text<'_>)) {
    let Layer { depth, record, back } = layer;
    let nested = match outer.kind {
        FieldKind::Text if depth < MAX_LAYERS => cloakgate_json::nested(string),
        _ => None,
    };
    let Some(document) = nested else {
        let Outer { kind, key, siblings, lossy, within } = outer;
        visit(&Text { text: string, depth, kind, key, siblings, record, lossy, within, back });
        return;
    };
    let bytes = string.as_bytes();
    let records = Records::of(&document, bytes);
    let steps = outer.within.map(|within| within.enter(&document, (bytes, &records), NodeId::ROOT));
    let within = |node: Option<NodeId>| {
        let state = node.and_then(|node| steps.as_ref().and_then(|steps| steps.state(node)));
        outer.within.map(|within| within.at(state))
    };
    for node in document.nodes() {
        let siblings = records.siblings(node);
        let record = records.record(node);
        let layer = Layer { record, ..layer };
        if let Some(span) = document.key_span(node) {
            let within = within(document.parent(node));
            let of_key = Outer { kind: FieldKind::Key, key: None, siblings, lossy: false, within };
            inner(string, span, of_key, layer, visit);
        }
        let key = records.key(node).or(outer.key);
        let within = within(Some(node));
        match document.kind(node) {
            Kind::String => {
                let of_value = Outer { kind: FieldKind::Text, key, siblings, lossy: false, within };
                inner(string, document.span(node), of_value, layer, visit);
            }
            Kind::Number => {
                let span = document.span(node);
                let text = span.of(string).unwrap_or_default();
                let back = &|inside: Span| back(inside.shifted(span.start()));
                let kind = FieldKind::Number;
                let depth = depth + 1;
                visit(&Text { text, depth, kind, key, siblings, record, lossy: false, within, back });
            }
            _ => {}
        }
    }
}

/// Opens one string of a nested document; `span` includes its quotes.
fn inner(string: &str, span: Span, outer: Outer<'_>, layer: Layer<'_>, visit: &mut dyn FnMut(&Text<'_>)) {
    let start = span.start() + 1;
    let raw = string.get(start..span.end().saturating_sub(1)).unwrap_or_default();
    let decoded = Decoded::new(raw);
    let outer = Outer { lossy: decoded.is_lossy(), ..outer };
    let back = |inside| (layer.back)(decoded.raw_span(inside).shifted(start));
    open(decoded.text(), outer, Layer { depth: layer.depth + 1, record: layer.record, back: &back }, visit);
}
