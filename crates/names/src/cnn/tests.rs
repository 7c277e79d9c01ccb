use proptest::prelude::*;
use serde_json::Value;

use super::data::{Row, ZERO};
use super::network::{Buffers, REACH};
use super::stream::Voice;
use super::tokenizer::{Chunks, Token};
use super::words::shape;
use super::{BYTES, Cnn, kind};
use crate::mention::{Kind, Mention};

fn tokens(cnn: &Cnn, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    Chunks::of(text).for_each(|(at, chunk)| cnn.tokenizer.add(chunk, at, &mut tokens));
    tokens
}

/// Start, end, norm and shape of each token.
fn attributes(cnn: &Cnn, text: &str) -> Vec<(usize, usize, u64, String)> {
    let classes = cnn.tokenizer.classes();
    let of = |token: Token| {
        let word = text.get(token.start..token.end).unwrap();
        let [norm, ..] = cnn.words.attributes(word, token.hash, token.norm, classes);
        (token.start, token.end, norm, shape(word, classes))
    };
    tokens(cnn, text).into_iter().map(of).collect()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap().try_into().unwrap()
}

/// `fixtures/spacy.py` made the expectation.
#[test]
fn spacy_says_the_same() {
    let cnn = Cnn::load().unwrap();
    let rows = include_str!("../../fixtures/spacy.jsonl").lines();
    let rows: Vec<Value> = rows.map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&str> = rows.iter().map(|row| row["text"].as_str().unwrap()).collect();
    let mut found = vec![Vec::new(); texts.len()];
    cnn.entities(&texts, |text, entity, voice| {
        if voice == Voice::Entity {
            found[text].push((entity.start, entity.end, cnn.labels[entity.label].to_owned()));
        }
    });
    for ((row, text), found) in rows.iter().zip(texts).zip(found) {
        let list = |name: &str| row[name].as_array().unwrap().iter();
        let expected: Vec<_> = list("tokens")
            .map(|token| {
                let norm = cnn.words.id(token[2].as_str().unwrap());
                (number(&token[0]), number(&token[1]), norm, token[3].as_str().unwrap().to_owned())
            })
            .collect();
        assert_eq!(attributes(&cnn, text), expected, "{text:?}");
        let expected: Vec<_> = list("entities")
            .map(|entity| (number(&entity[0]), number(&entity[1]), entity[2].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

/// Half floats are the difference: the rows hold numbers around one.
#[test]
fn doubts_say_how_likely_a_word_is_a_person() {
    let cnn = Cnn::load().unwrap();
    let text = "Yesterday Katarzyna Lindström met diego in Lyon, and the build failed.";
    let (mentions, doubts) = cnn.read_with_doubts(text);
    assert_eq!(mentions, cnn.read(text));
    let chance = |word: &str| {
        let at = text.find(word).unwrap();
        doubts.iter().find(|doubt| doubt.span.start() == at).map_or(0.0, |doubt| doubt.score)
    };
    assert!(chance("Katarzyna") > 0.5, "{doubts:?}");
    assert!(chance("build") == 0.0 && chance("Lyon") < 0.5, "{doubts:?}");
    assert!(doubts.iter().all(|doubt| doubt.kind == Kind::Person && doubt.score <= 1.0));
}

#[test]
fn layers_give_what_spacy_s_give() {
    const TOLERANCE: f64 = 0.02;
    let cnn = Cnn::load().unwrap();
    let expected: Value = serde_json::from_str(include_str!("../../fixtures/spacy_layers.json")).unwrap();
    let text = expected["text"].as_str().unwrap();
    let tokens = tokens(&cnn, text);
    let word = |token: &Token| {
        let word = text.get(token.start..token.end).unwrap();
        cnn.words.rows(word, token.hash, token.norm, cnn.tokenizer.classes())
    };
    let mut buffers = Buffers::default();
    let mut rows = vec![ZERO; REACH];
    let words: Vec<_> = tokens.iter().map(word).collect();
    cnn.network.mix(&words, &mut buffers, |_, row| rows.push(*row));
    rows.resize(tokens.len() + 2 * REACH, ZERO);
    let compare = |name: &str, rows: &[Row]| {
        let expected = expected[name].as_array().unwrap();
        let rows = &rows[REACH..rows.len() - REACH];
        assert_eq!(rows.len(), expected.len());
        for (number, (row, expected)) in rows.iter().zip(expected).enumerate() {
            for (got, expected) in row.iter().zip(expected.as_array().unwrap()) {
                let difference = (f64::from(*got) - expected.as_f64().unwrap()).abs();
                assert!(difference < TOLERANCE, "{name} {number}: {got} {expected}");
            }
        }
    };
    compare("first", &rows);
    let distance =
        |place: usize| REACH.saturating_sub(place).max((place + REACH + 1).saturating_sub(rows.len()));
    let distances: Vec<usize> = (0..rows.len()).map(distance).collect();
    cnn.network.encode(&mut rows, &distances, &mut buffers);
    compare("last", &rows);
}

#[test]
fn mentions_have_kinds() {
    let text = "Maria Delgado flew from Lisbon on Monday to meet the German board of Northwind Traders.";
    let found: Vec<_> =
        Cnn::load().unwrap().read(text).iter().map(|m| (m.span.of(text).unwrap(), m.kind)).collect();
    let expected = [
        ("Maria Delgado", Kind::Person),
        ("Lisbon", Kind::Place),
        ("German", Kind::Group),
        ("Northwind Traders", Kind::Organisation),
    ];
    assert_eq!(found, expected);
    assert_eq!(kind("DATE"), None);
}

#[test]
fn a_text_s_answer_does_not_depend_on_what_is_read_with_it() {
    let cnn = Cnn::load().unwrap();
    let long = "The editor Paul Weston met Irene Castellanos in Marseille.  They left for Genoa. ".repeat(60);
    let texts = ["Ann Lee", "", "  ", long.as_str(), "name: Ken Adams", "x", "Rosa Díaz lives in Cork"];
    let together = cnn.read_many(&texts);
    let alone: Vec<Vec<Mention>> = texts.iter().map(|text| cnn.read(text)).collect();
    assert_eq!(together, alone);
    assert!(together[3].len() >= 4 * 60, "windows lose nothing: {}", together[3].len());
    let sentence = together[3].len() / 60;
    let moved = |m: &Mention| (m.span.start() % (long.len() / 60), m.kind);
    let first: Vec<_> = together[3].iter().skip(sentence).take(sentence).map(moved).collect();
    for sentence in together[3].chunks(sentence).skip(1).take(58) {
        assert_eq!(sentence.iter().map(moved).collect::<Vec<_>>(), first);
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let leak = |bytes: Vec<u8>| -> &'static [u8] { Vec::leak(bytes) };
    let file = std::hint::black_box(BYTES);
    assert!(Cnn::of(file).is_some());
    let mut altered = file.to_vec();
    altered[5_000_000] ^= 1;
    assert!(Cnn::of(leak(altered)).is_none());
    for end in [0, 7, 8, 11, 100, 5000, 100_000, 1_000_000, 5_000_000, file.len() - 1] {
        assert!(Cnn::parse(&file[..end]).is_none(), "{end}");
    }
    let mut longer = file.to_vec();
    longer.push(0);
    assert!(Cnn::parse(leak(longer)).is_none());
}

#[test]
fn readers_share_it() {
    const fn shared<T: Send + Sync>() {}
    shared::<Cnn>();
    let cnn = Cnn::load().unwrap();
    let text = "Tom Becker met Clara Voss in Riga.";
    let expected = cnn.read(text);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(cnn.read(text), expected)));
        }
    });
}

/// With cost that grows faster, a megabyte would take hours.
#[test]
fn floods_end() {
    let cnn = Cnn::load().unwrap();
    for piece in [
        "@a.", "(", ")", ".", "'", "a-", "x", "é", ":)", "1.", "US$", "://", "’s", "=", "\n", "a.b@",
        "a.com@",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let tokens = tokens(&cnn, &text);
        assert_eq!(tokens.last().map(|token| token.end), Some(text.len()));
        let start = text.ceil_char_boundary(text.len() - 10_000);
        cnn.read(text.get(start..).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read(texts in prop::collection::vec("(\\PC|[ \\n.'@:/$-]|[a-z]{1,5}|[0-9]|US\\$|\\u{A0}|\\u{1F}){0,40}", 0..6)) {
        let cnn = CNN.get_or_init(|| Cnn::load().unwrap());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (text, mentions) in texts.iter().zip(cnn.read_many(&texts)) {
            let mut end = 0;
            for token in tokens(cnn, text) {
                prop_assert!(token.start >= end && token.end > token.start);
                prop_assert!(matches!(text.get(end..token.start), Some("" | " ")), "{text:?}");
                end = token.end;
            }
            prop_assert!(matches!(text.get(end..), Some("" | " ")), "{text:?}");
            let mut end = 0;
            for mention in mentions {
                prop_assert!(mention.span.start() >= end && mention.span.of(text).is_some_and(|name| !name.is_empty()));
                end = mention.span.end();
            }
        }
    }
}

static CNN: std::sync::OnceLock<Cnn> = std::sync::OnceLock::new();
