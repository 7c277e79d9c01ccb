//! Values that a server cut in two: the end of one content block and the start of the next are read together.

use cloakgate_detect::{Field, FieldKind, Hints};
use cloakgate_json::NodeId;
use cloakgate_vocab::{Finding, Span, Strength};

use super::CloakRequest;
use super::strings::MessageString;
use crate::find::{Found, HALF};

/// Bytes on either side of a seam that are read together: more than the longest checked kind but keys.
const SEAM_BYTES: usize = 96;

/// Adds to `found` the values that lie across two neighbouring text blocks; each half becomes a finding where it
/// stands.
pub(super) fn join(request: &CloakRequest<'_>, strings: &[MessageString<'_>], found: &mut [Found]) {
    let mut last: Option<(usize, NodeId, u32)> = None;
    for (index, string) in strings.iter().enumerate() {
        if string.kind != FieldKind::Text || string.key.as_deref() != Some("text") {
            continue;
        }
        let Some(block) = request.document.parent(string.node) else { continue };
        let Some(list) = request.document.parent(block) else { continue };
        let position = request.document.index(block);
        if let Some((before, its_list, its_position)) = last
            && its_list == list
            && its_position + 1 == position
        {
            across(request, strings, found, before, index);
        }
        last = Some((index, list, position));
    }
}

fn across(
    request: &CloakRequest<'_>,
    strings: &[MessageString<'_>],
    found: &mut [Found],
    before: usize,
    after: usize,
) {
    let (Some(left), Some(right)) = (strings.get(before), strings.get(after)) else { return };
    let (left, right) = (left.text(), right.text());
    let tail_start = left.floor_char_boundary(left.len().saturating_sub(SEAM_BYTES));
    let head_end = right.floor_char_boundary(SEAM_BYTES.min(right.len()));
    let (Some(tail), Some(head)) = (left.get(tail_start..), right.get(..head_end)) else { return };
    let joined = format!("{tail}{head}");
    let field = Field { text: &joined, kind: FieldKind::Text, key: None, siblings: Hints::default() };
    for finding in request.engine.scan_known(&field, request.known, Some(request.upstream)) {
        let hull = finding.hull();
        let sure = finding.strength >= Strength::Known || finding.category.is_checked_kind();
        if !sure || hull.start() >= tail.len() || hull.end() <= tail.len() {
            continue;
        }
        let half_left = Span::new(tail_start + hull.start(), left.len());
        let half_right = Span::new(0, hull.end() - tail.len());
        // A value that is whole before the seam was not cut: what follows only looks like its continuation. One
        // that looks whole after it may still lack its beginning.
        if half_left.is_some_and(|half| covered(found, before, half)) {
            continue;
        }
        for (index, half) in [(before, half_left), (after, half_right)] {
            let (Some(half), Some(lists)) = (half, found.get_mut(index)) else { continue };
            // Strings that hold JSON have several texts; cuts inside them are not joined.
            if let [list] = lists.as_mut_slice() {
                let more = Finding::new(finding.category, half, HALF, finding.strength);
                *list = cloakgate_detect::merge(std::mem::take(list), vec![more]);
            }
        }
    }
}

fn covered(found: &[Found], index: usize, half: Span) -> bool {
    found.get(index).is_some_and(|lists| lists.iter().flatten().any(|finding| finding.hull().contains(half)))
}
