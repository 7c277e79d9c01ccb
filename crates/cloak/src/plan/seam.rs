//! Values that a server cut into content blocks: neighbouring blocks are read together.
//!
//! In: the strings of a message and what was found in each. Out: the parts of values that begin in one text block and
//! end in another, however many lie between. Invariant: a look from a block takes in `SEAM_BYTES` of it and as many
//! of what follows, so the work is linear in the number of blocks. Not here: values cut over two messages.

use cloakgate_detect::{Field, FieldKind, is_cut};
use cloakgate_json::NodeId;
use cloakgate_vocab::{Finding, Span, Strength};

use super::CloakRequest;
use super::strings::MessageString;
use crate::find::{Found, HALF};

/// Bytes on either side of a seam that are read together: more than the longest checked kind but keys.
const SEAM_BYTES: usize = 96;
/// How many blocks after the first are joined, one look after the other, until a value ends.
const LOOKS: [usize; 13] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, SEAM_BYTES];

/// Adds to `found` the values that lie across neighbouring text blocks; each part becomes a finding where it stands.
pub(super) fn join(request: &CloakRequest<'_>, strings: &[MessageString<'_>], found: &mut [Found]) {
    for row in rows(request, strings) {
        for first in 0..row.len().saturating_sub(1) {
            let window = Window::of(strings, &row, first);
            for finding in across(request, &window, found) {
                window.share(&finding, found);
            }
        }
    }
}

/// Neighbouring text blocks, by their place among the strings.
fn rows(request: &CloakRequest<'_>, strings: &[MessageString<'_>]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<(NodeId, u32)> = None;
    for (index, string) in strings.iter().enumerate() {
        if string.kind != FieldKind::Text || string.key.as_deref() != Some("text") {
            continue;
        }
        let Some(block) = request.document.parent(string.node) else { continue };
        let Some(list) = request.document.parent(block) else { continue };
        let position = request.document.index(block);
        match rows.last_mut().filter(|_| last == position.checked_sub(1).map(|before| (list, before))) {
            Some(row) => row.push(index),
            None => rows.push(vec![index]),
        }
        last = Some((list, position));
    }
    rows.retain(|row| row.len() > 1);
    rows
}

/// The end of one block and what comes after it, joined.
struct Window {
    text: String,
    /// The block and those after it.
    parts: Vec<Part>,
}

/// What a window holds of one block.
struct Part {
    /// The block among the strings.
    string: usize,
    /// Where it stands in the window.
    span: Span,
    /// Bytes of the block before that.
    skipped: usize,
}

impl Window {
    fn of(strings: &[MessageString<'_>], row: &[usize], first: usize) -> Self {
        let text_of = |string: &usize| strings.get(*string).map(MessageString::text).unwrap_or_default();
        let rest = row.get(first..).unwrap_or_default();
        let left = rest.first().map(text_of).unwrap_or_default();
        let skipped = left.floor_char_boundary(left.len().saturating_sub(SEAM_BYTES));
        let mut window = Self { text: String::new(), parts: Vec::new() };
        window.push(rest.first(), left.get(skipped..), skipped);
        let seam = window.text.len();
        for string in rest.iter().skip(1).take(SEAM_BYTES) {
            let room = (seam + SEAM_BYTES).saturating_sub(window.text.len());
            let text = text_of(string);
            let end = text.floor_char_boundary(room.min(text.len()));
            window.push(Some(string), text.get(..end), 0);
            if end < text.len() {
                break;
            }
        }
        window
    }

    fn push(&mut self, string: Option<&usize>, text: Option<&str>, skipped: usize) {
        let (Some(string), Some(text)) = (string, text) else { return };
        self.parts.push(Part { string: *string, span: Span::sized(self.text.len(), text.len()), skipped });
        self.text.push_str(text);
    }

    /// Makes the parts of a value findings of their blocks.
    fn share(&self, finding: &Finding, found: &mut [Found]) {
        for part in &self.parts {
            let start = finding.hull().start().max(part.span.start());
            let end = finding.hull().end().min(part.span.end());
            let Some(here) = Span::new(start, end).filter(|here| !here.is_empty()) else { continue };
            let here = Span::sized(here.start() - part.span.start() + part.skipped, here.len());
            // Strings that hold JSON have several texts; cuts inside them are not joined.
            if let Some([list]) = found.get_mut(part.string).map(Vec::as_mut_slice) {
                let more = Finding::new(finding.category, here, HALF, finding.strength);
                *list = cloakgate_detect::merge(std::mem::take(list), vec![more]);
            }
        }
    }
}

/// The values that begin in the first block of a window and end in a later one, as the first look sees them that
/// sees their end.
fn across(request: &CloakRequest<'_>, window: &Window, found: &[Found]) -> Vec<Finding> {
    let mut cut = Vec::new();
    let Some(first) = window.parts.first() else { return cut };
    let seam = first.span.end();
    if first.span.is_empty() {
        return cut;
    }
    for blocks in LOOKS {
        let Some(last) = window.parts.get(blocks.min(window.parts.len() - 1)) else { break };
        let field = Field::text(window.text.get(..last.span.end()).unwrap_or_default());
        let mut findings = request.engine.scan_known(&field, request.known, Some(request.upstream));
        findings.retain(|finding| {
            let hull = finding.hull();
            let sure = finding.strength >= Strength::Known || finding.category.is_checked_kind();
            let crosses = hull.start() < seam && hull.end() > seam;
            sure && crosses && !is_whole_before(first, hull, found)
        });
        if findings.iter().any(|finding| !is_cut(finding)) {
            return findings;
        }
        if !findings.is_empty() {
            cut = findings;
        }
        if blocks + 1 >= window.parts.len() {
            break;
        }
    }
    cut
}

/// A value that is whole before the seam was not cut: what follows only looks like its continuation. One that looks
/// whole after it may still lack its beginning.
fn is_whole_before(first: &Part, hull: Span, found: &[Found]) -> bool {
    let half = Span::sized(first.skipped + hull.start(), first.span.end() - hull.start());
    let covers = |finding: &Finding| !is_cut(finding) && finding.hull().contains(half);
    found.get(first.string).is_some_and(|lists| lists.iter().flatten().any(covers))
}
