//! Finds members of one object whose decoded keys are equal.
//!
//! In: each key as it is read, each object as it closes. Out: the duplicates. Invariant: whatever the keys,
//! the work is at most O(n log n) comparisons of keys: fingerprints only save comparisons, equal ones are
//! checked by sorting, so chosen collisions cost no more than that. Not here: hash tables, whose worst case
//! is quadratic.

use std::borrow::Cow;

use crate::document::{Duplicate, NONE, Node, NodeId, decode};
use cloakgate_vocab::Span;

/// Objects with more members than this are sorted; in smaller ones each pair of fingerprints is compared.
const MAX_PAIRWISE: usize = 16;

/// Fingerprints of the keys of all open objects, the innermost last.
#[derive(Default)]
pub(crate) struct KeyLedger {
    fingerprints: Vec<u32>,
    found: Vec<Duplicate>,
}

impl KeyLedger {
    /// Notes the key whose quotes stand at `start` and before `end`.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8], start: usize, end: usize, escaped: bool) {
        self.fingerprints.push(if escaped {
            escaped_fingerprint(bytes, start, end)
        } else {
            fingerprint(bytes.get(start + 1..end - 1).unwrap_or_default())
        });
    }

    /// Checks the innermost object, which is row `object` and has `members` members, and forgets its keys.
    #[inline]
    pub(crate) fn close(&mut self, bytes: &[u8], nodes: &[Node], object: u32, members: u32) {
        let base = self.fingerprints.len().saturating_sub(members as usize);
        let own = self.fingerprints.get(base..).unwrap_or_default();
        if own.len() > MAX_PAIRWISE || has_pair(own) {
            self.found.extend(repeated(bytes, nodes, object, own));
        }
        self.fingerprints.truncate(base);
    }

    /// All duplicates, in document order of the later member.
    pub(crate) fn finish(mut self) -> Vec<Duplicate> {
        self.found.sort_unstable_by_key(|duplicate| duplicate.again);
        self.found
    }
}

/// Cheap and not collision-proof: both ends of the key and its length.
#[inline]
fn fingerprint(key: &[u8]) -> u32 {
    let (head, tail) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            (Some(head), Some(tail)) => (u32::from_le_bytes(*head).into(), u32::from_le_bytes(*tail).into()),
            _ => (key.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)), 0),
        },
    };
    let mixed = (head ^ tail.rotate_left(32) ^ key.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

#[cold]
fn escaped_fingerprint(bytes: &[u8], start: usize, end: usize) -> u32 {
    let key = decode(bytes, Span::sized(start, end - start), true).unwrap_or_default();
    fingerprint(key.as_bytes())
}

#[inline]
fn has_pair(fingerprints: &[u32]) -> bool {
    fingerprints
        .iter()
        .enumerate()
        .any(|(place, own)| fingerprints.iter().take(place).any(|other| other == own))
}

/// The members of row `object` that repeat a key. `fingerprints` are those of its members, in order.
#[cold]
fn repeated(bytes: &[u8], nodes: &[Node], object: u32, fingerprints: &[u32]) -> Vec<Duplicate> {
    let mut found = Vec::new();
    let mut members = members(nodes, object, fingerprints);
    members.sort_unstable();
    for group in members.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let mut keyed: Vec<(Cow<'_, str>, u32)> =
            group.iter().map(|(_, row)| (key(bytes, nodes, *row), *row)).collect();
        keyed.sort_unstable();
        for same in keyed.chunk_by(|one, other| one.0 == other.0) {
            if let Some(((_, first), rest)) = same.split_first() {
                found.extend(
                    rest.iter().map(|(_, row)| Duplicate { first: NodeId(*first), again: NodeId(*row) }),
                );
            }
        }
    }
    found
}

fn members(nodes: &[Node], object: u32, fingerprints: &[u32]) -> Vec<(u32, u32)> {
    let mut row = object.saturating_add(1);
    fingerprints
        .iter()
        .map(|fingerprint| {
            let member = (*fingerprint, row);
            row = nodes.get(row as usize).map_or(NONE, |node| node.subtree_end);
            member
        })
        .collect()
}

fn key<'a>(bytes: &'a [u8], nodes: &[Node], row: u32) -> Cow<'a, str> {
    nodes
        .get(row as usize)
        .and_then(|node| {
            let quoted = Span::new(node.key_start as usize, node.key_end as usize)?;
            decode(bytes, quoted, node.key_escaped)
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{MAX_PAIRWISE, fingerprint};
    use crate::scan;

    fn duplicates(json: &str) -> Vec<(usize, usize)> {
        let document = scan(json.as_bytes()).unwrap();
        document.duplicates().iter().map(|pair| (pair.first.index(), pair.again.index())).collect()
    }

    #[test]
    fn keys_are_compared_decoded_within_one_object() {
        for (json, expected) in [
            (r#"{"a":1,"b":2}"#, vec![]),
            (r#"{"a":1,"A":2}"#, vec![]),
            (r#"{"a":1,"a":2}"#, vec![(1, 2)]),
            (r#"{"a":1,"\u0061":2}"#, vec![(1, 2)]),
            (r#"{"\/":1,"/":2}"#, vec![(1, 2)]),
            (r#"{"":1,"":2,"":3}"#, vec![(1, 2), (1, 3)]),
            (r#"{"a":{"a":{"a":1}}}"#, vec![]),
            (r#"[{"a":1},{"a":2}]"#, vec![]),
            (r#"{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}],"a":3}"#, vec![(2, 3), (6, 7), (1, 8)]),
            (r#"{"a":[1,2,3],"b":{"a":1},"a":0}"#, vec![(1, 7)]),
            (r#"{"\ud83d\ude00":1,"😀":2}"#, vec![(1, 2)]),
            // Composed and decomposed forms are other keys.
            ("{\"\u{e9}\":1,\"e\u{301}\":2}", vec![]),
            // Receivers that replace lone surrogates see one key.
            (r#"{"\ud800":1,"\udfff":2,"\ufffd":3}"#, vec![(1, 2), (1, 3)]),
        ] {
            assert_eq!(duplicates(json), expected, "{json}");
        }
    }

    /// An object with these keys.
    fn object(keys: impl Iterator<Item = String>) -> String {
        let members: Vec<_> = keys.map(|key| format!("\"{key}\":[0]")).collect();
        format!("{{{}}}", members.join(","))
    }

    #[test]
    fn large_and_small_objects_agree() {
        for members in [2, MAX_PAIRWISE, MAX_PAIRWISE + 1, 200] {
            let distinct = object((0..members).map(|key| format!("k{key}")));
            assert_eq!(duplicates(&distinct), [], "{members}");
            let last_repeats = object((0..members).map(|key| format!("k{}", key % (members - 1))));
            assert_eq!(duplicates(&last_repeats), [(1, 2 * members - 1)], "{members}");
        }
    }

    #[test]
    fn a_million_keys_are_no_burden() {
        assert_eq!(duplicates(&object((0..1_000_000).map(|key| format!("key{key}")))), []);
        assert_eq!(duplicates(&object((0..300_000).map(|_| "same".to_owned()))).len(), 299_999);
    }

    #[test]
    fn colliding_fingerprints_are_told_apart_and_are_no_burden() {
        // Both ends and the length are equal, only the middle differs.
        let key = |number: usize| format!("headhead{number:08}tailtail");
        assert_eq!(fingerprint(key(1).as_bytes()), fingerprint(key(2).as_bytes()));
        assert_eq!(duplicates(&object((0..300_000).map(key))), []);
        assert_eq!(duplicates(&object((0..3).map(key))), []);
        assert_eq!(duplicates(&object([1, 2, 1].into_iter().map(key))), [(1, 5)]);
    }
}
