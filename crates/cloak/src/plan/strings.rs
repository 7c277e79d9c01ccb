//! The strings and numbers of a message that detectors read, decoded once.

use cloakgate_detect::{FieldKind, Hints, Records, Within};
use cloakgate_json::{Decoded, Kind, NodeId};
use cloakgate_vocab::Span;

use super::CloakRequest;
use crate::data::Documents;
use crate::texts::Outer;
use crate::treatment::Treatment;

/// One string, key or number of the message.
pub(super) struct MessageString<'a> {
    pub(super) node: NodeId,
    pub(super) kind: FieldKind,
    pub(super) treatment: Treatment,
    pub(super) key: Option<String>,
    /// The record it belongs to.
    pub(super) record: u32,
    pub(super) siblings: Hints,
    within: Option<Within<'a>>,
    body: Body<'a>,
    /// First byte of the contents in the message, after the opening quote.
    start: usize,
}

enum Body<'a> {
    Quoted(Decoded<'a>),
    Number(&'a str),
}

impl MessageString<'_> {
    /// The contents with JSON escapes undone.
    pub(super) fn text(&self) -> &str {
        match &self.body {
            Body::Quoted(decoded) => decoded.text(),
            Body::Number(number) => number,
        }
    }

    /// Where a span of the contents stands in the message.
    pub(super) fn in_message(&self, span: Span) -> Span {
        match &self.body {
            Body::Quoted(decoded) => decoded.raw_span(span).shifted(self.start),
            Body::Number(_) => span.shifted(self.start),
        }
    }

    /// The span of the contents that stands at a span of the message, widened to whole characters.
    pub(super) fn span_of_message(&self, raw: Span) -> Option<Span> {
        preimage(self.text(), raw, |at| self.in_message(Span::sized(at, 0)).start())
    }

    pub(super) fn outer(&self) -> Outer<'_> {
        let lossy = match &self.body {
            Body::Quoted(decoded) => decoded.is_lossy(),
            Body::Number(_) => false,
        };
        Outer {
            kind: self.kind,
            key: self.key.as_deref(),
            siblings: self.siblings,
            lossy,
            within: self.within,
        }
    }
}

/// The span of `text` whose image covers `target`, widened to whole characters; images rise with positions.
pub(super) fn preimage(text: &str, target: Span, image: impl Fn(usize) -> usize) -> Option<Span> {
    let start = last_at_or_before(text.len(), target.start(), &image);
    let end = first_at_or_after(text.len(), target.end(), &image);
    Span::new(text.floor_char_boundary(start), text.ceil_char_boundary(end))
}

/// The last position in `0..=length` whose image is at or before `target`; images rise with positions.
fn last_at_or_before(length: usize, target: usize, image: impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if image(middle) <= target { low = middle } else { high = middle - 1 }
    }
    low
}

/// The first position in `0..=length` whose image is at or after `target`.
fn first_at_or_after(length: usize, target: usize, image: impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        if image(middle) >= target { high = middle } else { low = middle + 1 }
    }
    low
}

/// All strings that detectors read, in the order of the message; a member's key comes before its value.
pub(super) fn strings<'a>(
    request: &CloakRequest<'a>,
    records: &Records<'_>,
    documents: &'a Documents<'a>,
) -> Vec<MessageString<'a>> {
    let document = request.document;
    let bytes: &'a [u8] = request.original;
    let mut strings = Vec::new();
    for (node, treatment) in document.nodes().zip(request.treatments.iter().copied()) {
        if !treatment.cloaks() {
            continue;
        }
        let kind = document.kind(node);
        let key_span = document.key_span(node);
        if key_span.is_none() && !matches!(kind, Kind::String | Kind::Number) {
            continue;
        }
        let siblings = records.siblings(node);
        if let Some(span) = key_span {
            strings.extend(quoted(bytes, span).map(|(body, start)| MessageString {
                node,
                kind: FieldKind::Key,
                treatment: Treatment::Cloak,
                key: None,
                record: records.record(node),
                siblings,
                within: document.parent(node).and_then(|object| documents.within(object)),
                body,
                start,
            }));
        }
        let (body, start, field) = match kind {
            Kind::String => match quoted(bytes, document.span(node)) {
                Some((body, start)) => (body, start, FieldKind::Text),
                None => continue,
            },
            Kind::Number => {
                let span = document.span(node);
                let digits = bytes.get(span.range()).and_then(|raw| std::str::from_utf8(raw).ok());
                (Body::Number(digits.unwrap_or_default()), span.start(), FieldKind::Number)
            }
            _ => continue,
        };
        let key = records.key(node).map(str::to_owned);
        let record = records.record(node);
        let within = documents.within(node);
        strings.push(MessageString {
            node,
            kind: field,
            treatment,
            key,
            record,
            siblings,
            within,
            body,
            start,
        });
    }
    strings
}

/// Contents of the string whose span, quotes included, is given. The scan has checked that they are UTF-8.
fn quoted(bytes: &[u8], span: Span) -> Option<(Body<'_>, usize)> {
    let start = span.start() + 1;
    let raw = bytes.get(start..span.end().checked_sub(1)?)?;
    Some((Body::Quoted(Decoded::new(std::str::from_utf8(raw).ok()?)), start))
}
