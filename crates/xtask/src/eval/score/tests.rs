use std::path::Path;

use cloakgate_names::Effort;
use serde_json::{Value, json};

use super::{Score, Totals};
use crate::eval::labels::Selection;
use crate::eval::record::{Record, Span};
use crate::eval::{finder, look, record, write_predictions};
use crate::workspace::Workspace;

fn span(start: usize, end: usize, label: &'static str) -> Span {
    Span { start, end, label }
}

fn score(gold: Vec<Span>, found: Vec<Span>, scope: Option<Vec<&'static str>>) -> Totals {
    let record = Record { id: json!("a"), text: "ab cd-ef gh".to_owned(), gold, scope };
    Score::of(&[record], &[found], &Selection::Core, 0).total
}

#[test]
fn letters_count_and_separators_do_not() {
    let totals = score(vec![span(0, 8, "PHONE")], vec![span(0, 5, "PHONE")], None);
    assert_eq!(totals.leak(), Some(100.0 / 3.0));
    assert_eq!(totals.precision(), Some(100.0));
    assert_eq!((totals.f1(), totals.strict_f1()), (Some(100.0), Some(0.0)));
    assert_eq!(totals.alarms(), Some(0.0));
}

#[test]
fn labels_that_do_not_count_are_neither_missed_nor_false() {
    let totals = score(vec![span(0, 2, "ORG")], vec![span(0, 2, "PERSON")], None);
    assert_eq!((totals.gold, totals.predicted), (0, 0));
    let totals = score(vec![], vec![span(0, 2, "PERSON")], Some(vec!["ORG"]));
    assert_eq!(totals.predicted, 0);
    let totals = score(vec![], vec![span(0, 2, "PERSON")], None);
    assert_eq!(totals.negative_alarms(), Some(200.0));
}

#[test]
fn one_finding_answers_one_value() {
    let gold = vec![span(0, 2, "PERSON"), span(3, 5, "PERSON")];
    let totals = score(gold, vec![span(0, 5, "PERSON")], None);
    assert_eq!(totals.leak(), Some(0.0));
    assert_eq!(totals.f1(), Some(200.0 / 3.0));
}

/// The published scorer gives the same figures, where it lies beside the checkout.
#[test]
fn figures_are_those_of_the_published_scorer() {
    let workspace = Workspace::find().unwrap();
    let folder = workspace.path("../shared/eval");
    if !folder.join("score.py").is_file() || !crate::command::answers("python3", &["--version"]) {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("cloakgate-scores-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    for (set, selection, name) in [
        ("mcp_dev", Selection::Core, "core"),
        ("short_pii", Selection::All, "all"),
        ("uner_multi", Selection::Core, "core"),
        ("meddocan", Selection::Core, "core"),
    ] {
        let records = record::read(&folder.join(format!("{set}.jsonl"))).unwrap();
        let finder = finder(&selection, Effort::OFF).expect("no model");
        let found: Vec<_> =
            records.iter().map(|record| look(&finder, &record.text).expect("no model")).collect();
        let predictions = scratch.join(format!("{set}.jsonl"));
        write_predictions(&predictions, &records, &found).unwrap();
        let ours = Score::of(&records, &found, &selection, 0).total;
        let theirs = published(&folder, set, &predictions, name);
        let figure = |path: &str, factor: f64| theirs.pointer(path).unwrap().as_f64().map(|f| f * factor);
        for (what, ours, theirs) in [
            ("leak", ours.leak(), figure("/leak_rate", 100.0)),
            ("precision", ours.precision(), figure("/char_precision", 100.0)),
            ("F1", ours.f1(), figure("/partial_aware/f1", 100.0)),
            ("strict F1", ours.strict_f1(), figure("/strict/f1", 100.0)),
            ("alarms", ours.alarms(), figure("/fp_per_1k_tokens", 1.0)),
            ("negative alarms", ours.negative_alarms(), figure("/neg_fp_per_1k_tokens", 1.0)),
        ] {
            let difference = ours.zip(theirs).map_or(0.0, |(ours, theirs)| (ours - theirs).abs());
            assert!(
                ours.is_some() == theirs.is_some() && difference < 0.006,
                "{set} {what}: {ours:?} {theirs:?}"
            );
        }
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}

fn published(folder: &Path, set: &str, predictions: &Path, labels: &str) -> Value {
    let out = predictions.with_extension("scores");
    let (gold, predictions) = (folder.join(format!("{set}.jsonl")), predictions.display().to_string());
    let arguments = [
        &folder.join("score.py").display().to_string(),
        &gold.display().to_string(),
        &predictions,
        "--quiet",
        "--labels",
        labels,
        "--json",
        &out.display().to_string(),
    ];
    crate::command::run(folder, "python3", &arguments.map(|argument| argument as &str), &[]).unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["overall"].take()
}
