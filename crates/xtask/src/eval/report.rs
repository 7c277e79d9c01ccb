//! The table: our figures, the goal, and the best that other tools reach on the same set.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::score::Totals;

/// The figures of one tool on one set; what a set cannot tell is missing.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub(super) struct Figures {
    /// Letters and digits of values that nothing covers, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) leak: Option<f64>,
    /// Letters and digits of findings that belong to a value, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) char_precision: Option<f64>,
    /// F1 of overlapping findings with the right label, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) f1: Option<f64>,
    /// Findings off any value in 1,000 tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alarms: Option<f64>,
    /// The same in texts without a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) negative_alarms: Option<f64>,
}

impl Figures {
    /// The figures of a score, to two places.
    pub(super) fn of(totals: &Totals) -> Self {
        let rounded = |figure: Option<f64>| figure.map(|figure| (figure * 100.0).round() / 100.0);
        Self {
            leak: rounded(totals.leak()),
            char_precision: rounded(totals.precision()),
            f1: rounded(totals.f1()),
            alarms: rounded(totals.alarms()),
            negative_alarms: rounded(totals.negative_alarms()),
        }
    }
}

#[derive(Deserialize)]
struct System {
    system: String,
    labels: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Deserialize)]
struct OfSet {
    #[serde(default)]
    goal: Figures,
    systems: Vec<System>,
}

/// What other tools reach.
pub(super) struct Peers(BTreeMap<String, OfSet>);

/// Title of the table.
pub(super) fn head() -> String {
    format!(
        "{:<16}{:>6} {:>7} {:>6} {:>6} {:>6} {:>6}  {:<22}  {:<34}  best F1 of others",
        "set",
        "leak%",
        "charP%",
        "F1",
        "exact",
        "FP/1k",
        "negFP",
        "goal leak/charP/F1/FP",
        "least leak of others"
    )
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.1}"))
}

fn columns(name: &str, totals: &Totals) -> String {
    let figures = Figures::of(totals);
    let alarms = |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.2}"));
    format!(
        "{name:<16}{:>6} {:>7} {:>6} {:>6} {:>6} {:>6}",
        shown(figures.leak),
        shown(figures.char_precision),
        shown(figures.f1),
        shown(totals.strict_f1()),
        alarms(figures.alarms),
        alarms(figures.negative_alarms),
    )
}

/// The row of one label.
pub(super) fn label_row(label: &str, totals: &Totals) -> String {
    format!("{}  {} values, {} found", columns(&format!("  {label}"), totals), totals.gold, totals.predicted)
}

impl Peers {
    /// Reads the committed figures.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file).context("cannot read the figures of other tools")?;
        serde_json::from_str(&text).map(Self).context("cannot read the figures of other tools")
    }

    /// The row of a set. Others are shown only where they were measured on the same labels.
    pub(super) fn row(&self, name: &str, totals: &Totals, core: bool) -> String {
        let row = columns(name, totals);
        let Some(set) = self.0.get(name) else { return row };
        let goal = if core { set.goal } else { Figures::default() };
        let goal = [goal.leak, goal.char_precision, goal.f1, goal.alarms].map(shown).join("/");
        let wanted = if core { "core" } else { "all" };
        let systems = || set.systems.iter().filter(|system| system.labels == wanted);
        let least = systems()
            .filter_map(|system| Some((system.figures.leak?, system)))
            .min_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(leak, system)| {
                format!("{leak:.1} {} (FP/1k {})", system.system, shown(system.figures.alarms))
            });
        let best = systems()
            .filter_map(|system| Some((system.figures.f1?, system)))
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(f1, system)| format!("{f1:.1} {}", system.system));
        format!("{row}  {goal:<22}  {:<34}  {}", least.unwrap_or_default(), best.unwrap_or_default())
    }
}
