use std::sync::LazyLock;

use cloakgate_vocab::Span;
use proptest::prelude::*;

use super::word_piece::Piece;
use super::*;
use crate::mention::Kind;

static TRANSFORMER: LazyLock<Transformer> = LazyLock::new(|| Transformer::load().unwrap());

/// A line of the fixture: what the model's own tokenizer and network make of a text.
struct Line {
    text: String,
    pieces: Vec<(u32, usize, usize)>,
    labels: Vec<usize>,
}

fn fixture() -> Vec<Line> {
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    include_str!("../../fixtures/word_pieces.jsonl")
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let pieces = line["pieces"].as_array().unwrap().iter();
            Line {
                text: line["text"].as_str().unwrap().to_owned(),
                pieces: pieces.map(|p| (number(&p[0]) as u32, number(&p[1]), number(&p[2]))).collect(),
                labels: line["labels"].as_array().map(|l| l.iter().map(number).collect()).unwrap_or_default(),
            }
        })
        .collect()
}

#[test]
fn pieces_are_those_of_the_models_own_tokenizer() {
    for line in fixture() {
        let pieces = TRANSFORMER.pieces.cut(&line.text);
        let pieces: Vec<_> =
            pieces.iter().map(|piece| (piece.number, piece.span.start(), piece.span.end())).collect();
        assert_eq!(pieces, line.pieces, "{:?}", line.text);
    }
}

#[test]
fn labels_are_those_of_the_network_before_rounding() {
    let (mut same, mut all) = (0, 0);
    for line in fixture().iter().filter(|line| !line.labels.is_empty()) {
        let mut batch = Batch::default();
        let pieces = TRANSFORMER.pieces.cut(&line.text);
        let [window] = &*windows::over(&pieces) else { panic!("one window") };
        batch.add(0, window.clone(), &pieces);
        let rows = batch.label(TRANSFORMER.workers.network()).unwrap();
        for (row, label) in rows.chunks_exact(LABELS).skip(1).zip(&line.labels) {
            let best = (0..LABELS).max_by(|one, other| row[*one].total_cmp(&row[*other])).unwrap();
            same += usize::from(best == *label);
            all += 1;
        }
    }
    assert!(all > 3_500 && same * 1_000 >= all * 995, "{same} of {all}");
}

#[test]
fn names_places_and_addresses_are_found() {
    for (text, expected) in [
        ("Dear Maria Lopez, see you.", vec![(Kind::Person, "Maria Lopez")]),
        ("name: aino virtanen", vec![(Kind::Person, "aino virtanen")]),
        ("assignee: JOSE\u{301} GARCI\u{301}A", vec![(Kind::Person, "JOSE\u{301} GARCI\u{301}A")]),
        (
            "Send it to Jonathan Smithers, 12 High Street, Springfield, Illinois 62704.",
            vec![
                (Kind::Person, "Jonathan Smithers"),
                (Kind::Address, "12 High Street"),
                (Kind::Place, "Springfield"),
                (Kind::Place, "Illinois"),
                (Kind::Address, "62704"),
            ],
        ),
        ("The build is green and all tests pass.", vec![]),
        ("", vec![]),
    ] {
        let found = TRANSFORMER.read(&[text]).unwrap();
        let found: Vec<_> =
            found[0].iter().map(|mention| (mention.kind, mention.span.of(text).unwrap())).collect();
        assert_eq!(found, expected, "{text}");
        assert!(TRANSFORMER.read(&[text]).unwrap()[0].iter().all(|mention| mention.score >= 0.35));
    }
}

#[test]
fn a_segment_says_the_same_in_any_company_and_again() {
    let long =
        "Yesterday Katharina Weber met Paolo Conti in Hamburg and they spoke of the harvest. ".repeat(20);
    let segments = ["name: Aino Virtanen", &long, "", "to Bjarne Hansen", "name: Aino Virtanen"];
    let fresh = Transformer::load().unwrap();
    let together = fresh.read(&segments).unwrap();
    for (segment, found) in segments.iter().zip(&together) {
        let alone = Transformer { cache: Cache::new(), ..Transformer::load().unwrap() };
        let places = |found: &[Mention]| found.iter().map(|m| (m.span, m.kind)).collect::<Vec<_>>();
        assert_eq!(places(&alone.read(&[segment]).unwrap()[0]), places(found), "{segment}");
    }
    assert_eq!(fresh.read(&segments).unwrap(), together);
    assert_eq!(together[0], together[4]);
    let people = together[1].iter().filter(|mention| mention.kind == Kind::Person).count();
    assert!(people >= 30, "{people}");
}

#[test]
fn what_takes_too_long_is_an_error_and_what_is_known_is_not() {
    let slow = Transformer { timeout: Duration::ZERO, ..Transformer::load().unwrap() };
    assert!(matches!(slow.read(&["name: Aino"]), Err(NamesError::TooSlow)));
    assert!(slow.read(&[]).unwrap().is_empty());
    slow.cache.remember(slow.cache.key("name: Aino"), Vec::new().into());
    assert!(slow.read(&["name: Aino"]).is_ok());
}

#[test]
fn an_altered_or_shortened_file_is_refused() {
    let (name, bytes, hash) = NETWORK;
    let mut altered = bytes.to_vec();
    altered[bytes.len() / 2] ^= 1;
    assert!(matches!(check(name, &altered, hash), Err(NamesError::Damaged { file: "rampart.onnx" })));
    assert!(check(name, &bytes[..bytes.len() - 1], hash).is_err());
    assert!(check(PIECES.0, PIECES.1.as_bytes(), hash).is_err());
    for len in [0, 1, 100, 10_000, bytes.len() / 2, bytes.len() - 1] {
        assert!(Network::read(&bytes[..len]).is_none(), "{len}");
    }
}

#[test]
fn windows_decide_each_piece_once_and_in_order() {
    for len in [0, 1, 2, 125, 126, 127, 128, 157, 158, 220, 221, 500, 4_000] {
        for every in [1, 3, 40, 1_000] {
            let piece = |place: usize| Piece {
                number: 5,
                first: place.is_multiple_of(every),
                span: Span::sized(place, 1),
            };
            let pieces: Vec<_> = (0..len).map(piece).collect();
            let windows = windows::over(&pieces);
            for place in 0..len {
                let deciding: Vec<_> = windows.iter().filter(|window| window.decides(place)).collect();
                assert!(
                    matches!(&*deciding, [window] if window.seen().contains(&place)),
                    "{len} {every} {place}"
                );
            }
            assert!(windows.iter().all(|window| window.len() <= 128));
            assert!(windows.len() <= 1 + len / 60);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}|.{0,60}|[A-Za-z .,'-]{0,80}|([\u{300}-\u{36f}]|[a-zé가]){0,200}") {
        let pieces = TRANSFORMER.pieces.cut(&text);
        prop_assert!(pieces.iter().all(|piece| piece.span.of(&text).is_some()));
        prop_assert!(pieces.is_sorted_by_key(|piece| piece.span.start()));
        let found = TRANSFORMER.read(&[&text]).unwrap();
        prop_assert!(found[0].iter().all(|mention| mention.span.of(&text).is_some_and(|name| !name.is_empty())));
        prop_assert!(found[0].windows(2).all(|pair| pair[0].span.end() <= pair[1].span.start()));
    }

    #[test]
    fn any_file_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        drop(onnx::Onnx::read(&bytes));
    }
}
