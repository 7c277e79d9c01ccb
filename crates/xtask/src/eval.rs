//! How well values are found, on sets of marked texts, beside what other tools reach on the same sets.
//!
//! In: a folder of sets, one JSON object a line (`eval/README.md`). Out: a table, misses and false alarms, and with
//! `--check` an error where a committed figure got worse.
//! Invariant: texts are read as the gateway reads the text of a message, by the same code. Not here: assertions on
//! single texts, which are tests of the detectors.

mod characters;
pub(crate) mod labels;
pub(crate) mod record;
mod report;
mod results;
pub(crate) mod score;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cloakgate_cloak::Finder;
use cloakgate_detect::{CategorySet, Engine, KnownKey, Settings};
use cloakgate_names::{Effort, Readers};
use cloakgate_vocab::CodePoints;

pub(crate) use self::labels::Selection;
use self::record::{Record, Span};
use self::score::Score;
use crate::console;
use crate::workspace::Workspace;

/// Sets that are part of the repository.
const FOLDER: &str = "eval";

/// What to measure.
#[derive(Default)]
pub(crate) struct Options {
    /// Folder of sets.
    pub(crate) dir: Option<PathBuf>,
    /// Names of sets; all when empty.
    pub(crate) sets: Vec<String>,
    /// Labels that count.
    pub(crate) labels: Selection,
    /// How much is done to find names in running text.
    pub(crate) names: Effort,
    /// Misses and false alarms that are listed for each set.
    pub(crate) errors: usize,
    /// Print a line for each label as well.
    pub(crate) by_label: bool,
    /// Write what was found to this folder.
    pub(crate) predictions: Option<PathBuf>,
    /// Read what was found from this folder instead of looking.
    pub(crate) from: Option<PathBuf>,
    /// What to do with the committed figures.
    pub(crate) committed: Committed,
}

/// What to do with the committed figures.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
pub(crate) enum Committed {
    /// Nothing.
    #[default]
    Leave,
    /// Compare.
    Check,
    /// Write anew.
    Bless,
}

/// The step of the test command: every effort for names.
///
/// # Errors
/// When a committed figure got worse.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let mut problems = Vec::new();
    for (word, names) in Effort::WORDS {
        console::line(format_args!("   names {word}"));
        if let Err(error) =
            run(workspace, &Options { committed: Committed::Check, names, ..Options::default() })
        {
            problems.push(format!("names {word}: {error:#}"));
        }
    }
    console::verdict(&problems)
}

/// Measures.
///
/// # Errors
/// When a set cannot be read, or a committed figure got worse.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    anyhow::ensure!(
        options.committed == Committed::Leave || (options.dir.is_none() && options.labels.is_core()),
        "only figures of core labels on the sets in {FOLDER}/ are committed"
    );
    let dir = options.dir.clone().unwrap_or_else(|| workspace.path(FOLDER));
    if let Some(folder) = &options.predictions {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let peers = report::Peers::read(&workspace.path(FOLDER).join("peers.json"))?;
    let finder = finder(&options.labels, options.names)?;
    let mut scores = Vec::new();
    console::line(report::head());
    for file in sets(&dir, &options.sets)? {
        let name = name(&file);
        let records = record::read(&file)?;
        let found = match &options.from {
            Some(folder) => record::predictions(&folder.join(format!("{name}.jsonl")), &records)?,
            None => {
                records.iter().map(|record| look(&finder, &record.text)).collect::<anyhow::Result<_>>()?
            }
        };
        if let Some(folder) = &options.predictions {
            write_predictions(&folder.join(format!("{name}.jsonl")), &records, &found)?;
        }
        let score = Score::of(&records, &found, &options.labels, options.errors);
        console::line(peers.row(&name, &score.total, options.labels.is_core()));
        if options.by_label {
            score.by_label.iter().for_each(|(label, totals)| console::line(report::label_row(label, totals)));
        }
        score.errors.iter().for_each(|error| console::line(format_args!("  {error}")));
        scores.push((name, score.total));
    }
    let file = workspace.path(FOLDER).join("results.json");
    match options.committed {
        Committed::Leave => Ok(()),
        Committed::Check => console::verdict(&results::worse(&file, options.names, &scores)?),
        Committed::Bless => results::write(&file, options.names, &scores),
    }
}

/// Detectors of core categories, or of all where other labels count too.
///
/// # Errors
/// When a model is damaged.
pub(crate) fn finder(labels: &Selection, names: Effort) -> anyhow::Result<Finder> {
    let categories = if labels.is_core() { CategorySet::core() } else { CategorySet::all() };
    let mut engine = Engine::new(Settings { categories });
    if let Some(names) = Readers::load([names], &[])?.of(names)? {
        engine = engine.with_names(names);
    }
    // Nobody outside chooses these texts, so the key need not be secret.
    Ok(Finder::new(engine, KnownKey::new([3; 16])))
}

/// What is found in one text, in code points.
pub(crate) fn look(finder: &Finder, text: &str) -> anyhow::Result<Vec<Span>> {
    let mut points = CodePoints::of(text);
    let mut spans = Vec::new();
    for finding in finder.find(text, None)? {
        for extent in finding.extents(text) {
            let (start, end) = (points.before(extent.start()), points.before(extent.end()));
            spans.push(Span { start, end, label: labels::canonical(finding.category.label()) });
        }
    }
    Ok(spans)
}

/// The files of the wanted sets, by name.
pub(crate) fn sets(dir: &Path, wanted: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.context("cannot list the sets")?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    if let Some(missing) = wanted.iter().find(|set| files.iter().all(|file| name(file) != **set)) {
        anyhow::bail!("no set `{missing}` in {}", dir.display());
    }
    files.retain(|file| wanted.is_empty() || wanted.contains(&name(file)));
    Ok(files)
}

pub(crate) fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn write_predictions(file: &Path, records: &[Record], found: &[Vec<Span>]) -> anyhow::Result<()> {
    let mut lines = String::new();
    for (record, spans) in records.iter().zip(found) {
        let spans: Vec<_> = spans
            .iter()
            .map(|span| serde_json::json!({"start": span.start, "end": span.end, "label": span.label}))
            .collect();
        writeln!(lines, "{}", serde_json::json!({"id": record.id, "spans": spans}))?;
    }
    std::fs::write(file, lines).with_context(|| format!("cannot write {}", file.display()))
}
