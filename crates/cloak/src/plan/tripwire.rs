//! The last look before a message leaves: by another path than planning, over the bytes that would leave.
//!
//! In: the written message and where its tokens are. Out: what should not be there. Strings are decoded once and
//! read flat, whatever JSON they hold; neighbouring text blocks are read joined; only what a check or the
//! session's memory proves counts. What this message's tokens cover is skipped, and what the policy keeps exact
//! is not read. Invariant: a message that is sealed has passed this look. Not here: what happens on a hit.

use std::collections::HashSet;

use cloakgate_detect::{Field, FieldKind, Hints, Records};
use cloakgate_json::{Decoded, Document, Kind, NodeId};
use cloakgate_vocab::{Category, Finding, Span, Strength};

use super::CloakRequest;
use super::strings::preimage;
use crate::data::Documents;
use crate::error::CloakError;
use crate::find::field;
use crate::texts::{Outer, walk};

/// Bytes on either side of the border of two text blocks that are read joined.
const SEAM_BYTES: usize = 64;

/// Something that was found in bytes that were about to leave.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Hit {
    /// The value's node.
    pub(super) node: NodeId,
    /// It stands in the node's key.
    pub(super) key: bool,
    /// What it is.
    pub(super) category: Category,
    /// Where it stands in the written message.
    pub(super) written: Span,
}

/// Reads the written bytes. `tokens` are the spans of the tokens in them, in order.
///
/// # Errors
/// When the written bytes are not the message's structure any more.
pub(super) fn look(
    request: &CloakRequest<'_>,
    bytes: &[u8],
    tokens: &[Span],
) -> Result<Vec<Hit>, CloakError> {
    let document = cloakgate_json::scan(bytes).map_err(|_| CloakError::Invalid)?;
    if document.len() != request.document.len() {
        return Err(CloakError::Invalid);
    }
    let records = request.engine.fields().map(|_| Records::of(&document, bytes));
    let documents =
        records.as_ref().map(|records| Documents::of(request.engine.fields(), (&document, bytes), records));
    let mut look = Look { request, bytes, tokens, documents, hits: Vec::new() };
    let mut block: Option<(NodeId, Span)> = None;
    for (node, treatment) in document.nodes().zip(request.treatments) {
        if !treatment.cloaks() {
            continue;
        }
        if let Some(span) = document.key_span(node) {
            look.string((node, document.parent(node)), span, FieldKind::Key);
        }
        if document.kind(node) != Kind::String {
            continue;
        }
        let span = document.span(node);
        look.string((node, Some(node)), span, FieldKind::Text);
        if document.key(bytes, node).is_some_and(|key| key == "text") {
            if let Some((before, its_span)) = block
                && neighbours(&document, before, node)
            {
                look.seam(node, its_span, span);
            }
            block = Some((node, span));
        }
    }
    Ok(look.hits)
}

/// True when two text members stand in neighbouring elements of one array.
fn neighbours(document: &Document, before: NodeId, after: NodeId) -> bool {
    let element = |node| Some((document.parent(node)?, document.parent(document.parent(node)?)?));
    let (Some((one, its_list)), Some((other, list))) = (element(before), element(after)) else {
        return false;
    };
    its_list == list && document.index(one) + 1 == document.index(other)
}

struct Look<'a> {
    request: &'a CloakRequest<'a>,
    bytes: &'a [u8],
    tokens: &'a [Span],
    /// Where the operator's lists name paths.
    documents: Option<Documents<'a>>,
    hits: Vec<Hit>,
}

impl<'a> Look<'a> {
    /// Reads one string; `place` is the value in whose place it stands, for a key the object around it.
    fn string(&mut self, (node, place): (NodeId, Option<NodeId>), span: Span, kind: FieldKind) {
        let Some((start, raw)) = self.inside(span) else { return };
        let decoded = Decoded::new(raw);
        let written = |finding: &Finding| decoded.raw_span(finding.hull()).shifted(start);
        let mut findings = self.proved(decoded.text());
        findings.retain(|finding| !self.is_ours(written(finding)));
        if let (Some(documents), false) = (&self.documents, findings.is_empty()) {
            let within = place.and_then(|place| documents.within(place));
            let outer =
                Outer { kind, key: None, siblings: Hints::default(), lossy: decoded.is_lossy(), within };
            self.drop_allowed(decoded.text(), outer, &mut findings);
        }
        let key = kind == FieldKind::Key;
        self.hits.extend(findings.iter().map(|finding| Hit {
            node,
            key,
            category: finding.category,
            written: written(finding),
        }));
    }

    /// Takes away what planning has let through at its path.
    fn drop_allowed(&self, string: &str, outer: Outer<'_>, findings: &mut Vec<Finding>) {
        let mut passed: HashSet<Span> = HashSet::new();
        walk(string, outer, &mut |text| {
            let place = text.in_string(Span::sized(0, text.text.len()));
            let first = findings.partition_point(|finding| finding.hull().start() < place.start());
            let inside = findings.iter().skip(first).map(|finding| (finding.hull(), finding));
            let inside = inside.take_while(|(hull, _)| hull.end() <= place.end());
            let mut here: Vec<(Span, Finding)> = inside
                .filter_map(|(hull, finding)| {
                    let own = preimage(text.text, hull, |at| text.in_string(Span::sized(at, 0)).start())?;
                    Some((hull, Finding::new(finding.category, own, finding.detector, finding.strength)))
                })
                .collect();
            let mut left: Vec<Finding> = here.iter().map(|(_, own)| own.clone()).collect();
            self.request.engine.drop_allowed(&field(text), &mut left);
            let left: HashSet<Span> = left.iter().map(Finding::hull).collect();
            here.retain(|(_, own)| !left.contains(&own.hull()));
            passed.extend(here.iter().map(|(hull, _)| *hull));
        });
        findings.retain(|finding| !passed.contains(&finding.hull()));
    }

    /// Reads the end of one block with the start of the next; a hit is reported for the block that comes after.
    fn seam(&mut self, node: NodeId, before: Span, after: Span) {
        let (Some((left_start, left)), Some((right_start, right))) =
            (self.inside(before), self.inside(after))
        else {
            return;
        };
        let (left, right) = (Decoded::new(left), Decoded::new(right));
        let tail_start = left.text().floor_char_boundary(left.text().len().saturating_sub(SEAM_BYTES));
        let head_end = right.text().floor_char_boundary(SEAM_BYTES.min(right.text().len()));
        let (Some(tail), Some(head)) = (left.text().get(tail_start..), right.text().get(..head_end)) else {
            return;
        };
        for finding in self.proved(&format!("{tail}{head}")) {
            let hull = finding.hull();
            let (Some(in_left), Some(in_right)) = (
                Span::new(tail_start + hull.start(), left.text().len()),
                hull.end().checked_sub(tail.len()).filter(|end| *end > 0).and_then(|end| Span::new(0, end)),
            ) else {
                continue;
            };
            let in_left = left.raw_span(in_left).shifted(left_start);
            let written = right.raw_span(in_right).shifted(right_start);
            // A value that ends at the border was whole there; see `seam`, which plans these.
            let whole = self.proved(tail).iter().any(|own| own.hull().end() == tail.len());
            if hull.start() < tail.len() && !whole && !self.is_ours(in_left) && !self.is_ours(written) {
                self.hits.push(Hit { node, key: false, category: finding.category, written });
            }
        }
    }

    fn proved(&self, text: &str) -> Vec<Finding> {
        // As a key is read: without what fields and tables say, only what speaks for itself.
        let field = Field { text, kind: FieldKind::Key, key: None, siblings: Hints::default(), within: None };
        let mut findings =
            self.request.engine.scan_known(&field, self.request.known, Some(self.request.upstream));
        findings.retain(|finding| finding.strength >= Strength::Known);
        findings
    }

    /// True when a token of this message lies in the span: what else it covers was planned together with it.
    fn is_ours(&self, span: Span) -> bool {
        let next = self.tokens.partition_point(|token| token.end() <= span.start());
        self.tokens.get(next).is_some_and(|token| token.overlaps(span))
    }

    fn inside(&self, span: Span) -> Option<(usize, &'a str)> {
        let start = span.start() + 1;
        let bytes = self.bytes;
        let raw = bytes.get(start..span.end().checked_sub(1)?)?;
        Some((start, std::str::from_utf8(raw).ok()?))
    }
}
