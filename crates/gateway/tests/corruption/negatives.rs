//! Code and logs without personal data, through the gateway both ways.

use std::path::Path;

use serde_json::{Value, json};

use crate::session::Session;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/eval/code_negatives.jsonl");
/// Texts that may be changed on the way to the model.
const MAX_CHANGED: usize = 1;

#[test]
fn code_passes_unchanged_and_comes_back_exactly() {
    if !Path::new(CORPUS).exists() {
        println!("skipped: the corpus is not there");
        return;
    }
    let corpus = std::fs::read_to_string(CORPUS).expect("a corpus");
    let mut session = Session::with("negatives", &["a"]);
    let (mut changed, mut wrong, mut texts) = (Vec::new(), Vec::new(), 0);
    for line in corpus.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let text = row["text"].as_str().expect("a text");
        texts += 1;
        let seen = session.says("a", text);
        if seen != text {
            changed.push(row["id"].clone());
        }
        // What the model saw and what stood there both have to arrive.
        for written in [seen.as_str(), text] {
            for key in ["content", "text", "newString"] {
                match session.sends("a", &json!({key: written})) {
                    Ok(arguments) if arguments[key] == text => {}
                    Ok(_) => wrong.push(format!("{} came back otherwise", row["id"])),
                    Err(refusal) => wrong.push(format!("{}: {}", row["id"], refusal.raw)),
                }
            }
        }
    }
    session.running.end().1.expect("served");
    assert!(texts > 0 && wrong.is_empty(), "{wrong:#?}");
    assert!(changed.len() <= MAX_CHANGED, "{changed:?}");
}
