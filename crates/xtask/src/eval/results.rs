//! The committed figures of every effort for names, which may get better but not worse.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use cloakgate_names::Effort;

use super::report::Figures;
use super::score::Totals;

/// How much worse a figure may get: points of a share, findings in 1,000 tokens.
const TOLERANCE: f64 = 0.3;

/// Figures by set.
type BySet = BTreeMap<String, Figures>;

/// A word for each committed figure that got worse.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn worse(file: &Path, names: Effort, scores: &[(String, Totals)]) -> anyhow::Result<Vec<String>> {
    let committed = read(file)?.remove(&names.to_string()).unwrap_or_default();
    Ok(problems(&committed, &figures(scores)))
}

/// Writes the figures of one effort, and leaves those of others.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn write(file: &Path, names: Effort, scores: &[(String, Totals)]) -> anyhow::Result<()> {
    let mut committed = read(file)?;
    committed.entry(names.to_string()).or_default().extend(figures(scores));
    let mut text = serde_json::to_string_pretty(&committed)?;
    text.push('\n');
    std::fs::write(file, text).context("cannot write the figures")
}

fn read(file: &Path) -> anyhow::Result<BTreeMap<String, BySet>> {
    let text = std::fs::read_to_string(file).context("cannot read the committed figures")?;
    serde_json::from_str(&text).context("cannot read the committed figures")
}

fn figures(scores: &[(String, Totals)]) -> BySet {
    scores.iter().map(|(name, totals)| (name.clone(), Figures::of(totals))).collect()
}

fn problems(committed: &BySet, now: &BySet) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, now) in now {
        let Some(committed) = committed.get(name) else {
            problems
                .push(format!("{name}: no figures are committed; `cargo xtask eval --bless` writes them"));
            continue;
        };
        let loss = |before: Option<f64>, now: Option<f64>| before.zip(now).map(|(before, now)| before - now);
        let growth = |before, now| loss(before, now).map(|loss| -loss);
        for (figure, change) in [
            ("leak", growth(committed.leak, now.leak)),
            ("character precision", loss(committed.char_precision, now.char_precision)),
            ("F1", loss(committed.f1, now.f1)),
            ("false alarms", growth(committed.alarms, now.alarms)),
            ("false alarms where nothing is", growth(committed.negative_alarms, now.negative_alarms)),
        ] {
            if let Some(change) = change.filter(|change| *change > TOLERANCE) {
                problems.push(format!("{name}: {figure} worse by {change:.2}"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Figures, problems};

    #[test]
    fn only_what_gets_clearly_worse_is_a_problem() {
        let figures = |leak, f1, alarms| {
            let figures =
                Figures { leak: Some(leak), f1: Some(f1), alarms: Some(alarms), ..Figures::default() };
            BTreeMap::from([("set".to_owned(), figures)])
        };
        let committed = figures(5.0, 80.0, 1.0);
        for (now, count) in [
            (figures(5.0, 80.0, 1.0), 0),
            (figures(1.0, 99.0, 0.0), 0),
            (figures(5.2, 79.8, 1.2), 0),
            (figures(5.4, 80.0, 1.0), 1),
            (figures(5.4, 79.0, 1.4), 3),
        ] {
            assert_eq!(problems(&committed, &now).len(), count);
        }
        assert_eq!(problems(&BTreeMap::new(), &committed).len(), 1);
    }
}
