//! Marked texts, and what a tool found in them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use super::labels;

/// One marked text.
pub(crate) struct Record {
    pub(crate) id: Value,
    pub(crate) text: String,
    /// Values in it.
    pub(crate) gold: Vec<Span>,
    /// Labels that the set marks at all; `None` when it marks all.
    pub(crate) scope: Option<Vec<&'static str>>,
}

/// A value in a text, in code points.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) label: &'static str,
}

impl Span {
    /// Code points that two spans share.
    pub(crate) fn shared(self, other: Self) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }
}

#[derive(Deserialize)]
struct Line {
    id: Value,
    #[serde(default)]
    text: String,
    #[serde(default)]
    spans: Vec<RawSpan>,
    #[serde(default)]
    scope: Vec<String>,
}

#[derive(Deserialize)]
struct RawSpan {
    start: usize,
    end: usize,
    label: Option<String>,
}

impl RawSpan {
    fn checked(&self) -> Span {
        let label = labels::canonical(self.label.as_deref().unwrap_or(labels::OTHER));
        Span { start: self.start, end: self.end, label }
    }
}

fn lines(file: &Path) -> anyhow::Result<Vec<Line>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let numbered = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    numbered
        .map(|(index, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", file.display(), index + 1))
        })
        .collect()
}

/// The texts of a set.
///
/// # Errors
/// When the file cannot be read or a line is no record.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Record>> {
    let record = |line: Line| Record {
        gold: line.spans.iter().map(RawSpan::checked).collect(),
        scope: (!line.scope.is_empty())
            .then(|| line.scope.iter().map(|label| labels::canonical(label)).collect()),
        id: line.id,
        text: line.text,
    };
    Ok(lines(file)?.into_iter().map(record).collect())
}

/// What a tool found, in the order of `records`; nothing for a text that the file does not name.
///
/// # Errors
/// When the file cannot be read or a line is no prediction.
pub(crate) fn predictions(file: &Path, records: &[Record]) -> anyhow::Result<Vec<Vec<Span>>> {
    let mut by_id: HashMap<String, Vec<Span>> = lines(file)?
        .into_iter()
        .map(|line| (line.id.to_string(), line.spans.iter().map(RawSpan::checked).collect()))
        .collect();
    Ok(records.iter().map(|record| by_id.remove(&record.id.to_string()).unwrap_or_default()).collect())
}
