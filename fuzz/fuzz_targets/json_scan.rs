//! Any bytes through the scanner and what builds on it: no panic, the same verdict as `serde_json`, and unedited
//! bytes that stay.
//!
//! `cargo +nightly fuzz run json_scan`
#![no_main]

use cloakgate_json::{
    Decoded, Document, Edit, Kind, MemberFinder, NodeId, ScanError, encode, nested, scan, splice,
};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|bytes: &[u8]| {
    let found = find_id(bytes);
    match scan(bytes) {
        Ok(document) => {
            assert!(grammatical(bytes), "accepted what serde_json refuses");
            check_rows(&document, bytes);
            check_splice(&document, bytes);
            check_member(&document, bytes, found.as_deref());
        }
        Err(ScanError::Utf8 { at }) => {
            assert_eq!(std::str::from_utf8(bytes).err().map(|error| error.valid_up_to()), Some(at));
        }
        Err(ScanError::TooDeep { .. }) => {}
        Err(_) => assert!(!grammatical(bytes), "refused what serde_json accepts"),
    }
});

/// `IgnoredAny` checks the grammar, not the values: big numbers and lone surrogates pass.
fn grammatical(bytes: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

fn check_rows(document: &Document, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("the scanner checked it");
    for id in document.nodes() {
        let span = document.span(id);
        assert!(!span.is_empty() && span.of(text).is_some());
        let mut end = NodeId::ROOT;
        for child in document.children(id) {
            assert_eq!(document.parent(child), Some(id));
            assert!(span.contains(document.span(child)));
            end = document.subtree_end(child);
        }
        assert!(end == NodeId::ROOT || end == document.subtree_end(id));
        let strings = [(document.kind(id) == Kind::String).then_some(span), document.key_span(id)];
        for string in strings.into_iter().flatten() {
            check_string(&text[string.start() + 1..string.end() - 1]);
        }
    }
    for pair in document.duplicates() {
        assert!(pair.first < pair.again);
        assert_eq!(document.parent(pair.first), document.parent(pair.again));
        assert_eq!(document.key(bytes, pair.first), document.key(bytes, pair.again));
    }
}

fn check_string(raw: &str) {
    let decoded = Decoded::new(raw);
    let mut again = Vec::new();
    encode(decoded.text(), &mut again);
    let again = String::from_utf8(again).expect("escaping keeps UTF-8");
    assert_eq!(Decoded::new(&again).text(), decoded.text());
    let mut previous = 0;
    for (offset, _) in decoded.text().char_indices() {
        let raw_offset = decoded.raw_offset(offset);
        assert!(raw.is_char_boundary(raw_offset) && raw_offset >= previous);
        previous = raw_offset;
    }
    if let Some(document) = nested(decoded.text()) {
        assert!(document.duplicates().is_empty());
    }
}

/// Replacing each string by itself changes nothing.
fn check_splice(document: &Document, bytes: &[u8]) {
    let edits: Vec<_> = document
        .nodes()
        .filter(|id| document.kind(*id) == Kind::String)
        .map(|id| Edit { span: document.span(id), text: bytes[document.span(id).range()].to_vec() })
        .collect();
    assert_eq!(splice(bytes, &edits).as_deref(), Ok(bytes));
}

fn find_id(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut finder = MemberFinder::new("id");
    let size = bytes.first().map_or(1, |byte| usize::from(*byte) + 1);
    for piece in bytes.chunks(size) {
        finder.push(piece);
    }
    finder.finish()
}

fn check_member(document: &Document, bytes: &[u8], found: Option<&[u8]>) {
    let member = document.member(bytes, NodeId::ROOT, "id").map(|id| &bytes[document.span(id).range()]);
    // The finder gives up on long values and on long runs of blanks after them.
    if member.is_none() || found.is_some() || bytes.len() < 1024 {
        assert_eq!(found, member);
    }
}
