//! The texts that all tools read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use crate::eval;
use crate::eval::record::Record;

/// Bytes of the long texts.
const LONG: usize = 50_000;

/// One text that is timed.
pub(super) struct Text {
    pub(super) id: String,
    pub(super) text: String,
}

/// Name of a text of a set.
pub(super) fn id(set: &str, index: usize) -> String {
    format!("{set}/{index}")
}

/// Writes all texts to a file, and returns those that are timed: sentences without and with values, results of tools
/// without and with values, and one result of about a kilobyte.
///
/// # Errors
/// When a set cannot be read or the file cannot be written.
pub(super) fn write(sets: &[PathBuf], folder: &Path) -> anyhow::Result<(Vec<Text>, PathBuf)> {
    let mut lines = String::new();
    let mut timed = Vec::new();
    for file in sets {
        let records = eval::record::read(file)?;
        let set = eval::name(file);
        for (index, record) in records.iter().enumerate() {
            writeln!(lines, "{}", json!({"id": id(&set, index), "text": record.text}))?;
        }
        if set == "mcp_dev" {
            timed = of_results(records);
        }
    }
    for text in &timed {
        writeln!(lines, "{}", json!({"id": text.id, "text": text.text}))?;
    }
    let file = folder.join("texts.jsonl");
    std::fs::write(&file, lines).context("cannot write the texts")?;
    Ok((timed, file))
}

fn of_results(mut records: Vec<Record>) -> Vec<Text> {
    let text = |id: &str, text: String| Text { id: id.to_owned(), text };
    let clean = records.iter().filter(|record| record.gold.is_empty());
    let clean = text("clean", repeated(clean.map(|record| &*record.text)));
    records.retain(|record| !record.gold.is_empty());
    // By characters a value, the densest first.
    records.sort_by_key(|record| record.text.len() / record.gold.len().max(1));
    let rich = text("rich", repeated(records.iter().take(40).map(|record| &*record.text)));
    let short = records.iter().find(|record| (900..1200).contains(&record.text.len()));
    let short = short.map(|record| text("one result", record.text.clone()));
    let prose = text("prose", repeated(PROSE.iter().copied()));
    let lines = text("lines", repeated(LINES.iter().copied()));
    [prose, lines, clean, rich].into_iter().chain(short).collect()
}

/// Sentences with nothing to find.
const PROSE: &[&str] = &[
    "The committee met in the old library and talked about the plans for the garden behind the house.",
    "Rain is expected in the afternoon, so the walk along the river will begin an hour earlier than usual.",
    "A good bread needs flour, water, salt and a little patience; the rest is a matter of heat and habit.",
    "Nobody had told the players that the rules were changed over the summer, which led to a long discussion.",
    "The new building stands on the hill above the harbour and can be seen from every ship that comes in.",
    "When the lights went out, the audience waited quietly until somebody found a candle and a box of matches.",
];

/// Sentences with something to find in each of them.
const LINES: &[&str] = &[
    "Please write to marie.dubois@example.eu or call +33 6 12 34 56 78 before the end of the week.",
    "The card 4111 1111 1111 1111 was charged twice, says the customer with the number 536-22-8145.",
    "We saw the address 203.0.113.17 in the log, and after that 2001:db8::7 for about an hour.",
    "Transfer the rest to DE89 3704 0044 0532 0130 00; the reference is in the mail to paul@example.org.",
    "His office is reached under (202) 555-0143, hers under +44 20 7946 0958 from nine to five.",
];

/// The texts one after the other, from the start again until there is enough.
fn repeated<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> String {
    let mut long = String::with_capacity(LONG + 4096);
    for text in texts.cycle() {
        long.push_str(text);
        long.push('\n');
        if long.len() >= LONG {
            break;
        }
    }
    long.truncate(long.floor_char_boundary(LONG));
    long
}
