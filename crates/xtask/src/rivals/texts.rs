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

/// Writes all texts to a file, and returns those that are timed: results of tools with nothing in them, results with
/// the most in them, and one of about a kilobyte.
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
    [clean, rich].into_iter().chain(short).collect()
}

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
