//! Figures of lists and rules alone on sets of texts, when one asks for them.

use std::collections::BTreeMap;
use std::fs;

use crate::capitals::{self, Letters};
use crate::lists::Lists;
use crate::mention::Mention;

/// A labelled stretch of a text, in bytes.
struct Gold {
    start: usize,
    end: usize,
    label: String,
}

/// Prints recall of people by language, and what was found wrongly: `NAMES_SETS=dir/a.jsonl,dir/b.jsonl`,
/// `NAMES_LANGUAGES=zh,ja`, `NAMES_SCORE=0.5`, `NAMES_SHOW=30`, `NAMES_LATIN=1` for names in Latin letters, too.
#[test]
#[ignore = "prints figures of sets that are named by the environment"]
fn figures() {
    let setting = |name: &str| std::env::var(name).unwrap_or_default();
    let lists = Lists::load().unwrap();
    let least: f32 = setting("NAMES_SCORE").parse().unwrap_or(0.5);
    let languages = setting("NAMES_LANGUAGES");
    let latin = !setting("NAMES_LATIN").is_empty();
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    let records: String =
        setting("NAMES_SETS").split(',').map(|file| fs::read_to_string(file).unwrap()).collect();
    for record in records.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let language = record["lang"].as_str().unwrap_or_default();
        if !languages.is_empty() && !languages.split(',').any(|one| one == language) {
            continue;
        }
        let text = record["text"].as_str().unwrap();
        let gold = gold(&record, text);
        let mut found = super::read(text, &lists);
        if latin {
            found.extend(capitals::read(text, Letters::Latin, &lists));
        }
        found.retain(|mention| mention.score >= least);
        let count = counts.entry(language.to_owned()).or_default();
        for span in gold.iter().filter(|span| span.label == "PERSON") {
            if latin || !text.get(span.start..span.end).unwrap().is_ascii() {
                let whole = found.iter().any(|m| m.span.start() <= span.start && m.span.end() >= span.end);
                count[0] += 1;
                count[1] += usize::from(whole);
                count[2] += usize::from(!whole && found.iter().any(|m| overlaps(m, span)));
                if !whole {
                    missed.push(format!("{language} {}", around(text, span.start, span.end)));
                }
            }
        }
        for mention in &found {
            let other = gold.iter().find(|span| overlaps(mention, span));
            let label = other.map_or("-", |span| span.label.as_str());
            if label != "PERSON" {
                count[3] += usize::from(other.is_none());
                let shown = around(text, mention.span.start(), mention.span.end());
                wrong.push(format!("{language} {label} {:.2} {shown}", mention.score));
            }
        }
    }
    for (language, [all, whole, part, off]) in &counts {
        println!("{language}: {all} people, {whole} whole, {part} in part; {off} off");
    }
    show("missed", &missed, setting("NAMES_SHOW").parse().unwrap_or(0));
    show("wrong", &wrong, setting("NAMES_SHOW").parse().unwrap_or(0));
}

fn gold(record: &serde_json::Value, text: &str) -> Vec<Gold> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let place = |value: &serde_json::Value| places[usize::try_from(value.as_u64().unwrap()).unwrap()];
    let spans = record["spans"].as_array().unwrap().iter();
    spans
        .map(|span| Gold {
            start: place(&span["start"]),
            end: place(&span["end"]),
            label: span["label"].as_str().unwrap().to_owned(),
        })
        .collect()
}

const fn overlaps(mention: &Mention, span: &Gold) -> bool {
    mention.span.start() < span.end && mention.span.end() > span.start
}

/// A stretch of a text with what stands around it.
fn around(text: &str, start: usize, end: usize) -> String {
    let mut before: Vec<char> = text.get(..start).unwrap().chars().rev().take(12).collect();
    before.reverse();
    let after: String = text.get(end..).unwrap().chars().take(12).collect();
    format!("{}«{}»{after}", before.iter().collect::<String>(), text.get(start..end).unwrap())
        .replace('\n', "⏎")
}

/// Some of many lines.
fn show(title: &str, lines: &[String], most: usize) {
    println!("{title}: {}", lines.len());
    let step = (lines.len() / most.max(1)).max(1);
    lines.iter().step_by(step).take(most).for_each(|line| println!("  {line}"));
}
