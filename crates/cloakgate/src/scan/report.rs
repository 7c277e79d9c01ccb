//! A scan for people, and as one JSON object.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use cloakgate_vocab::{Category, Severity};
use serde_json::{Value, json};

use super::walk::Scanned;

/// Widest place before columns stop lining up.
const WIDEST_PLACE: usize = 48;

/// A line for each finding, then the sums.
pub(super) fn table(out: &mut impl Write, scanned: &Scanned, colour: bool) -> io::Result<()> {
    let place = |name: &str, (line, column): (usize, usize)| format!("{name}:{line}:{column}");
    let width = scanned
        .findings()
        .map(|(name, shown)| place(name, shown.from).chars().count())
        .max()
        .unwrap_or_default()
        .min(WIDEST_PLACE);
    for (name, shown) in scanned.findings() {
        let severity = shown.severity();
        let style = if colour { style(severity) } else { Style::new() };
        writeln!(
            out,
            "{:<width$}  {style}{:<14}  {:<8}{style:#}  {:<6}  {}",
            place(name, shown.from),
            shown.category.name(),
            severity.name(),
            shown.preview,
            shown.detector.0
        )?;
    }
    let (by_category, by_severity) = sums(scanned);
    let found: usize = by_severity.values().sum();
    if found > 0 {
        let list = |sums: Vec<String>| sums.join(", ");
        writeln!(out)?;
        writeln!(
            out,
            "{}: {}",
            counted(found, "finding"),
            list(
                by_severity
                    .iter()
                    .rev()
                    .map(|(severity, count)| format!("{count} {}", severity.name()))
                    .collect()
            )
        )?;
        writeln!(
            out,
            "  {}",
            list(by_category.iter().map(|(category, count)| format!("{category} {count}")).collect())
        )?;
    }
    let beside: Vec<String> = [
        (scanned.binary, "binary left out"),
        (scanned.large, "too large"),
        (scanned.unread.len(), "not readable"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!(", {count} {what}"))
    .collect();
    let with =
        if found > 0 { format!(" in {}", counted(scanned.files.len(), "file")) } else { String::new() };
    let what = if found > 0 { "found" } else { "nothing found" };
    writeln!(out, "{what}{with}; {} read{}", counted(scanned.read, "file"), beside.concat())
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Low => AnsiColor::Cyan,
        Severity::Medium => AnsiColor::Blue,
        Severity::High => AnsiColor::Yellow,
        Severity::Critical => AnsiColor::Red,
    };
    Style::new().fg_color(Some(colour.into()))
}

type Sums = (BTreeMap<Category, usize>, BTreeMap<Severity, usize>);

fn sums(scanned: &Scanned) -> Sums {
    let (mut by_category, mut by_severity): Sums = Default::default();
    for (_, shown) in scanned.findings() {
        *by_category.entry(shown.category).or_default() += 1;
        *by_severity.entry(shown.severity()).or_default() += 1;
    }
    (by_category, by_severity)
}

/// Everything as one object.
pub(super) fn json(scanned: &Scanned) -> Value {
    let (by_category, by_severity) = sums(scanned);
    let findings: Vec<Value> = scanned
        .findings()
        .map(|(name, shown)| {
            let mut finding = shown.json();
            if let Some(members) = finding.as_object_mut() {
                members.insert("file".to_owned(), name.into());
            }
            finding
        })
        .collect();
    json!({
        "findings": findings,
        "by_category": by_category.iter().map(|(category, count)| (category.name(), count)).collect::<BTreeMap<_, _>>(),
        "by_severity": by_severity.iter().map(|(severity, count)| (severity.name(), count)).collect::<BTreeMap<_, _>>(),
        "files_read": scanned.read,
        "files_binary": scanned.binary,
        "files_too_large": scanned.large,
        "unreadable": scanned.unread,
    })
}
