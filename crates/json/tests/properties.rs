//! What holds for any input: agreement with `serde_json`, byte equality of what is not edited, ways there and
//! back.
//!
//! Differences from `serde_json` that are allowed, and no others:
//! - against `IgnoredAny`, which checks the grammar alone: invalid UTF-8 and more than `MAX_DEPTH` levels are refused;
//! - against `Value`: numbers beyond 64-bit floats, lone surrogate escapes and depths from 128 to `MAX_DEPTH` are
//!   accepted, and duplicate keys are all kept.

use std::borrow::Cow;
use std::fmt::Write as _;

use cloakgate_json::{
    Decoded, Document, Edit, Kind, MAX_DEPTH, MemberFinder, NodeId, encode, nested, scan, splice,
};
use cloakgate_vocab::Span;
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Bytes that are often nearly JSON.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        &b"{"[..],
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\"\"",
        b"\"a\"",
        b"\"a\":",
        b"{\"b\":",
        b"1",
        b"-",
        b"0",
        b".5",
        b"e9",
        b"E+1",
        b"true",
        b"fals",
        b"null",
        b" ",
        b"\n",
        b"\\",
        b"\\u00",
        b"\\ud83d",
        b"e9",
        b"\\\"",
        b"\xc3\xa9",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\x0b",
        b"text of more than eight bytes",
        b"1e400",
        b"/",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

fn blanks() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " ", "\n", "\t \r\n"])
}

/// A string in quotes, with characters spelt in every way.
fn quoted() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z@. ]{1,9}",
        1 => prop::sample::select(vec!["é", "😀", "\u{2028}", "\u{7f}", "/", "a", "id"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec![
            "\\n", "\\\"", "\\\\", "\\/", "\\b", "\\u00e9", "\\u0061", "\\u0069d", "\\ud83d\\ude00", "\\u0000", "\\ud800", "\\uDFFF",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// A key: any string, or one of few in several spellings, so that some repeat.
fn key() -> impl Strategy<Value = String> {
    let few = prop::sample::select(vec![
        "\"a\"",
        "\"\\u0061\"",
        "\"\"",
        "\"/\"",
        "\"\\/\"",
        "\"id\"",
        "\"\\u0069d\"",
    ]);
    prop_oneof![4 => quoted(), 1 => few.prop_map(str::to_owned)]
}

/// Valid JSON in any spelling.
fn valid() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        3 => quoted(),
        1 => prop::sample::select(vec![
            "0", "-0", "1.10", "1e400", "-12.5E-3", "123456789012345678901234567890", "true", "false", "null", "{}", "[ ]",
        ]).prop_map(str::to_owned),
    ];
    let padded = |inner: BoxedStrategy<String>| {
        (blanks(), inner, blanks()).prop_map(|(before, inner, after)| format!("{before}{inner}{after}"))
    };
    let tree = scalar.prop_recursive(6, 64, 20, move |inner| {
        let value = padded(inner.boxed()).boxed();
        let member = (padded(key().boxed()), value.clone()).prop_map(|(key, value)| format!("{key}:{value}"));
        prop_oneof![
            prop::collection::vec(value, 1..20).prop_map(|values| format!("[{}]", values.join(","))),
            prop::collection::vec(member, 1..20).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    });
    padded(tree.boxed())
}

/// Deepest nesting by brackets outside strings; only for bytes that are JSON.
fn depth(json: &[u8]) -> u32 {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0u32, 0, false, false);
    for byte in json {
        match (in_string, byte) {
            _ if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn agrees_with_ignored_any(bytes: &[u8]) {
    let theirs = serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    let refused_by_us_alone = std::str::from_utf8(bytes).is_err() || depth(bytes) > MAX_DEPTH;
    assert_eq!(scan(bytes).is_ok(), theirs && !refused_by_us_alone, "{}", String::from_utf8_lossy(bytes));
}

/// Compares a node with what `serde_json` made of the same bytes.
fn assert_same(document: &Document, bytes: &[u8], id: NodeId, theirs: &Value) {
    let raw = document.span(id).of(std::str::from_utf8(bytes).unwrap_or_default()).unwrap_or_default();
    let children: Vec<_> = document.children(id).collect();
    match (document.kind(id), theirs) {
        (Kind::Null, Value::Null) | (Kind::True, Value::Bool(true)) | (Kind::False, Value::Bool(false)) => {}
        (Kind::Number, Value::Number(number)) => {
            assert_eq!(serde_json::from_str::<Value>(raw).ok(), Some(Value::Number(number.clone())));
        }
        (Kind::String, Value::String(text)) => {
            assert_eq!(document.text(bytes, id), Some(Cow::Borrowed(text.as_str())));
            assert_eq!(document.escaped(id), raw.contains('\\'));
        }
        (Kind::Array, Value::Array(values)) => {
            assert_eq!(children.len(), values.len());
            for (child, value) in children.iter().zip(values) {
                assert_same(document, bytes, *child, value);
            }
        }
        (Kind::Object, Value::Object(map)) => assert_same_members(document, bytes, &children, map),
        (kind, _) => unreachable!("{kind:?} against another kind"),
    }
}

/// Of members with equal keys `serde_json` keeps the last, we report all but the first.
fn assert_same_members(
    document: &Document,
    bytes: &[u8],
    children: &[NodeId],
    map: &serde_json::Map<String, Value>,
) {
    let mut repeated = 0;
    for (place, child) in children.iter().enumerate() {
        let key = document.key(bytes, *child).unwrap_or_default();
        let same = |other: &&NodeId| document.key(bytes, **other).as_deref() == Some(&*key);
        if let Some(first) = children.iter().take(place).find(same) {
            repeated += 1;
            let pair = document.duplicates().iter().find(|pair| pair.again == *child);
            assert_eq!(pair.map(|pair| pair.first), Some(*first));
        }
        if !children.iter().skip(place + 1).any(|other| same(&other)) {
            assert_same(document, bytes, *child, map.get(&*key).unwrap_or(&Value::Null));
        }
    }
    let reported = document.duplicates().iter().filter(|pair| children.contains(&pair.again)).count();
    assert_eq!(reported, repeated);
    assert_eq!(children.len(), map.len() + repeated);
}

fn has_lone_surrogate(document: &Document, json: &str) -> bool {
    let strings =
        document.nodes().filter(|id| document.kind(*id) == Kind::String).map(|id| document.span(id));
    let keys = document.nodes().filter_map(|id| document.key_span(id));
    strings.chain(keys).any(|span| Decoded::new(span.of(json).unwrap_or_default()).is_lossy())
}

/// What every document keeps, whatever the bytes.
fn assert_well_formed(document: &Document, bytes: &[u8]) {
    for id in document.nodes() {
        let span = document.span(id);
        assert!(!span.is_empty() && span.end() <= bytes.len());
        assert!(document.children(id).all(|child| document.parent(child) == Some(id)));
        assert!(document.subtree_end(id) > id);
        for (place, child) in document.children(id).enumerate() {
            assert!(span.contains(document.span(child)));
            assert_eq!(document.index(child) as usize, place);
            assert_eq!(document.key_span(child).is_some(), document.kind(id) == Kind::Object);
        }
        // Each value is JSON by itself.
        assert_eq!(
            scan(bytes.get(span.range()).unwrap_or_default()).map(|alone| alone.len()).ok(),
            Some(document.subtree_end(id).index() - id.index())
        );
    }
    let again: Vec<_> = document.duplicates().iter().map(|pair| pair.again).collect();
    assert!(again.is_sorted());
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn soup_is_accepted_as_serde_json_accepts_it(bytes in soup()) {
        agrees_with_ignored_any(&bytes);
    }

    #[test]
    fn any_bytes_are_accepted_as_serde_json_accepts_them(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        agrees_with_ignored_any(&bytes);
    }

    #[test]
    fn broken_json_is_accepted_as_serde_json_accepts_it(
        json in valid(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut bytes = json.into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else if let Some(place) = bytes.get_mut(at) { *place = byte }
        agrees_with_ignored_any(&bytes);
    }

    #[test]
    fn valid_json_reads_as_serde_json_reads_it(json in valid()) {
        let bytes = json.as_bytes();
        let document = scan(bytes).expect("the generator writes valid JSON");
        assert_well_formed(&document, bytes);
        if let Ok(value) = serde_json::from_str::<Value>(&json) {
            assert_same(&document, bytes, NodeId::ROOT, &value);
        } else {
            let allowed = has_lone_surrogate(&document, &json) || json.contains("1e400");
            prop_assert!(allowed, "not an allowed difference");
        }
    }

    #[test]
    fn pointers_lead_where_serde_json_goes(json in valid()) {
        let document = scan(json.as_bytes()).expect("the generator writes valid JSON");
        let theirs = serde_json::from_str::<Value>(&json).ok().filter(|_| document.duplicates().is_empty());
        let Some(value) = theirs else { return Ok(()) };
        for id in document.nodes() {
            let raw = document.span(id).of(&json).unwrap_or_default();
            let pointed = value.pointer(&document.pointer(json.as_bytes(), id));
            prop_assert_eq!(pointed.cloned(), serde_json::from_str(raw).ok());
        }
    }

    #[test]
    fn edits_change_strings_and_nothing_else(json in valid(), every in 1usize..4, text in ".{0,12}") {
        let document = scan(json.as_bytes()).expect("the generator writes valid JSON");
        let mut replacement = b"\"".to_vec();
        encode(&text, &mut replacement);
        replacement.push(b'"');
        let edited = |id: NodeId| document.kind(id) == Kind::String && id.index().is_multiple_of(every);
        let edits: Vec<_> = document.nodes().filter(|id| edited(*id))
            .map(|id| Edit { span: document.span(id), text: replacement.clone() })
            .collect();
        let spliced = splice(json.as_bytes(), &edits).expect("spans in document order do not overlap");

        // What stands between the edits is equal and in order.
        let (mut original_at, mut spliced_at) = (0, 0);
        for edit in &edits {
            let kept = edit.span.start() - original_at;
            let original = json.as_bytes().get(original_at..edit.span.start());
            prop_assert_eq!(original, spliced.get(spliced_at..spliced_at + kept));
            original_at = edit.span.end();
            spliced_at += kept + replacement.len();
        }
        prop_assert_eq!(json.as_bytes().get(original_at..), spliced.get(spliced_at..));

        let after = scan(&spliced).expect("strings were replaced by strings");
        prop_assert_eq!(after.len(), document.len());
        for id in document.nodes() {
            let before = document.text(json.as_bytes(), id);
            let expected = if edited(id) { Some(Cow::Borrowed(text.as_str())) } else { before };
            prop_assert_eq!(after.text(&spliced, id), expected);
        }
    }

    #[test]
    fn splicing_agrees_with_replacing_from_the_back(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        ends in prop::collection::vec(0usize..41, 0..8),
        text in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let mut ends: Vec<_> = ends.into_iter().filter(|end| *end <= bytes.len()).collect();
        ends.sort_unstable();
        let edits: Vec<_> = ends.as_chunks::<2>().0.iter()
            .filter_map(|[start, end]| Some(Edit { span: Span::new(*start, *end)?, text: text.clone() }))
            .collect();
        let mut expected = bytes.clone();
        for edit in edits.iter().rev() {
            expected.splice(edit.span.range(), edit.text.iter().copied());
        }
        prop_assert_eq!(splice(&bytes, &edits), Ok(expected));
    }

    #[test]
    fn encoded_text_decodes_to_itself(text in any::<String>()) {
        let mut raw = Vec::new();
        encode(&text, &mut raw);
        let raw = String::from_utf8(raw).expect("escaping keeps UTF-8");
        let decoded = Decoded::new(&raw);
        prop_assert_eq!(decoded.text(), &text);
        prop_assert!(!decoded.is_lossy());
        let quoted = format!("\"{raw}\"");
        prop_assert!(scan(quoted.as_bytes()).is_ok());
        prop_assert_eq!(serde_json::from_str::<String>(&quoted).ok(), Some(text));
    }

    #[test]
    fn raw_spans_decode_to_the_text_they_came_from(
        quoted in quoted(), one in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
    ) {
        let raw = quoted.get(1..quoted.len() - 1).unwrap_or_default();
        let decoded = Decoded::new(raw);
        let text = decoded.text();
        let bounds: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (one, other) = (*one.get(&bounds), *other.get(&bounds));
        let span = Span::new(one.min(other), one.max(other)).unwrap_or(Span::sized(0, 0));
        let piece = decoded.raw_span(span).of(raw).expect("raw spans lie on character boundaries");
        let alone = Decoded::new(piece);
        prop_assert_eq!(alone.text(), span.of(text).unwrap_or_default());
        prop_assert_eq!(decoded.raw_offset(span.start()), decoded.raw_span(span).start());
    }

    #[test]
    fn the_member_finder_agrees_with_the_scanner(
        json in valid(), name in "id|[a-z]{1,2}|", cuts in prop::collection::vec(1usize..20, 0..40),
    ) {
        let document = scan(json.as_bytes()).expect("the generator writes valid JSON");
        let last = document.children(NodeId::ROOT).last();
        let name = match last.and_then(|id| document.key(json.as_bytes(), id)) {
            Some(key) if name.len() < 2 && !key.contains('\u{fffd}') => key.into_owned(),
            _ => name,
        };
        let expected = document.member(json.as_bytes(), NodeId::ROOT, &name)
            .and_then(|id| document.span(id).of(&json))
            .filter(|value| value.len() < 1000)
            .map(|value| value.as_bytes().to_vec());
        let mut finder = MemberFinder::new(&name);
        let mut rest = json.as_bytes();
        for cut in cuts.into_iter().chain(std::iter::repeat(64)) {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            finder.push(piece);
            rest = after;
            if rest.is_empty() { break }
        }
        let found = finder.finish().filter(|value| value.len() < 1000);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn nested_text_is_what_scans_to_a_container(
        text in prop_oneof![valid(), "[\\[{]?[a-z\",: 0-9]{0,10}[\\]}]?"],
    ) {
        let expected = scan(text.as_bytes()).is_ok_and(|document| {
            let container = matches!(document.kind(NodeId::ROOT), Kind::Object | Kind::Array);
            container && document.duplicates().is_empty()
        });
        prop_assert_eq!(nested(&text).is_some(), expected);
    }
}

#[test]
fn values_differ_from_serde_json_only_as_listed() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for json in ["1e400", "\"\\ud800\"", deep.as_str()] {
        assert!(scan(json.as_bytes()).is_ok() && serde_json::from_str::<Value>(json).is_err());
    }
    for depth in [MAX_DEPTH as usize, MAX_DEPTH as usize + 1] {
        let mut json = "[".repeat(depth);
        let _ = write!(json, "{}", "]".repeat(depth));
        agrees_with_ignored_any(json.as_bytes());
    }
    agrees_with_ignored_any(b"\"\xff\"");
}
