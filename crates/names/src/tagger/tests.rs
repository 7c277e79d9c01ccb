//! The model on invented texts, and its parts.

use proptest::prelude::*;

use super::chain::{Factors, Room, STATES, Steps, may_follow};
use super::weights::{LABELS, Weights};
use super::{MAGIC, Model, Tagger};
use crate::mention::{Kind, Mention};

fn tagger() -> &'static Tagger {
    static TAGGER: std::sync::LazyLock<Tagger> = std::sync::LazyLock::new(|| Tagger::load().unwrap());
    &TAGGER
}

/// People in the text that are likelier than not, with how they stand there.
fn people(text: &str) -> Vec<&str> {
    let found = tagger().read(text);
    let people = found.iter().filter(|found| found.kind == Kind::Person && found.score >= 0.5);
    people.filter_map(|found| found.span.of(text)).collect()
}

#[test]
fn names_are_read_where_they_stand() {
    for (text, expected) in [
        ("Please ask Henrike Vossberg about the invoice.", vec!["Henrike Vossberg"]),
        ("assignee: Tomasz Wierzbicki", vec!["Tomasz Wierzbicki"]),
        ("first_name: Adaeze", vec!["Adaeze"]),
        ("Sehr geehrte Frau Lindenau,", vec!["Lindenau"]),
        ("Saludos,\nMarisol Ibarra", vec!["Marisol Ibarra"]),
        ("i met priya at the station", vec!["priya"]),
        ("Siobhan O'Callaghan signed for the parcel.", vec!["Siobhan O'Callaghan"]),
    ] {
        assert_eq!(people(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_name_is_left_alone() {
    for text in [
        "",
        "\n\n",
        "Install Docker and Redis before you run the tests.",
        "status: open\ntitle: Update the installation guide",
        "let mut sorted = entries.iter().rev().collect::<Vec<_>>();",
        "2026-03-01 12:00 ERROR [worker] connection refused",
        "Monday, 4 May 2026",
        "{\"uuid\": \"1b4e28ba-2fa1-11d2-883f-0016d3cca427\"}",
    ] {
        assert_eq!(people(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn places_and_organisations_are_told_apart() {
    let text = "Henrike Vossberg moved from Hamburg to Toronto to work for Quellwerk GmbH.";
    let found = tagger().read(text);
    let of = |kind| -> Vec<&str> {
        found.iter().filter(|found| found.kind == kind).filter_map(|found| found.span.of(text)).collect()
    };
    assert_eq!(of(Kind::Person), ["Henrike Vossberg"]);
    assert_eq!(of(Kind::Place), ["Hamburg", "Toronto"]);
    assert_eq!(of(Kind::Organisation), ["Quellwerk GmbH"]);
}

#[test]
fn damaged_files_are_no_model() {
    let (table, _) = Weights::pack(&[(7, [1; LABELS])], 4);
    let numbers = vec![0; (1 + STATES * STATES) * 4];
    let whole = [MAGIC.as_slice(), &numbers, &table].concat();
    assert!(Model::new(&whole).is_some());
    assert!(Model::new(&whole[1..]).is_none());
    assert!(Model::new(&whole[..whole.len() - 1]).is_none());
    assert!(Model::new(&whole[..MAGIC.len() + numbers.len()]).is_none());
    assert!(Model::new(MAGIC).is_none());
    let mut endless = whole.clone();
    endless[4..8].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(Model::new(&endless).is_none());
}

#[test]
fn weights_are_found_again() {
    let features: Vec<(u64, [i8; LABELS])> = (1..1001_u64)
        .map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15), [(number % 100) as i8 - 50; LABELS]))
        .collect();
    let (table, left_out) = Weights::pack(&features, 1300);
    assert!(left_out < 20, "{left_out} find no place");
    let weights = Weights::new(&table).unwrap();
    let mut wrong = 0;
    for (feature, expected) in &features {
        let mut sums = [0; LABELS];
        weights.add(*feature, &mut sums);
        wrong += usize::from(sums != expected.map(i32::from));
    }
    assert!(wrong <= left_out, "{wrong} wrong");
    let mut sums = [0; LABELS];
    weights.add(0x1234_5678_9abc_def0, &mut sums);
    assert_eq!(sums, [0; LABELS]);
}

/// All ways through the labels, weighed one by one.
#[test]
fn probabilities_are_those_of_all_readings() {
    let mut steps = Steps::default();
    steps.0[0][1] = -0.5;
    steps.0[1][2] = 1.5;
    steps.0[2][0] = 0.25;
    let rows = [[0.0, 1.0, -1.0, 0.5, 0.2, -0.3, 0.1], [0.3, -0.2, 2.0, 0.0, 0.4, 0.0, 1.0], [1.0; STATES]];
    let mut sums = [[0.0_f32; STATES]; 3];
    let mut total = 0.0;
    for way in 0..STATES.pow(3) {
        let labels = [way % STATES, way / STATES % STATES, way / STATES / STATES];
        let mut before = 0;
        let mut points = 0.0;
        let mut allowed = true;
        for (row, label) in rows.iter().zip(labels) {
            allowed &= may_follow(label, before);
            points += steps.0[before][label] + row[label];
            before = label;
        }
        if allowed {
            total += points.exp();
            for (sum, label) in sums.iter_mut().zip(labels) {
                sum[label] += points.exp();
            }
        }
    }
    let mut room = Room::default();
    room.points.extend(rows);
    room.weigh(&Factors::new(&steps));
    for (likely, sums) in room.likely.iter().flatten().zip(sums.iter().flatten()) {
        assert!((likely - sums / total).abs() < 1e-4, "{likely} for {}", sums / total);
    }
}

fn check(text: &str, found: &[Mention]) -> Result<(), TestCaseError> {
    let mut end = 0;
    for mention in found {
        prop_assert!(mention.span.start() >= end && !mention.span.is_empty());
        prop_assert!(mention.span.of(text).is_some());
        prop_assert!((0.1..=1.001).contains(&mention.score));
        end = mention.span.end();
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        check(&text, &tagger().read(&text))?;
    }

    #[test]
    fn any_line_of_names_is_read(text in "([A-ZÄÖÉ][a-zßé'’]{0,9}[ ,.:@_\n-]{1,2}){0,40}") {
        check(&text, &tagger().read(&text))?;
    }
}

#[test]
fn long_lines_and_long_words_are_read_in_pieces() {
    for text in ["a".repeat(5000), "Ada Byron ".repeat(2000), "é’".repeat(3000), "\u{301}".repeat(3000)] {
        check(&text, &tagger().read(&text)).unwrap();
    }
}
