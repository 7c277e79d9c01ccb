//! Other detectors and ours on the same texts: how fast, and how well.
//!
//! In: tools of PyPI and npm in the versions that `eval/peers` pins, installed below the target folder. Out: two tables.
//! Invariant: every tool runs inside one process of its own kind, warm and with one thread, and all of them take turns
//! in one run, so that they meet the same machine. Here Presidio runs with its patterns alone; with a model it is measured
//! in `names`.

mod harness;
mod names;
mod texts;
mod tool;

use std::path::{Path, PathBuf};

use anyhow::Context;

use self::texts::Text;
use self::tool::Tool;
use crate::eval::{self, Selection};
use crate::workspace::Workspace;
use crate::{command, console, peers};

pub(crate) use self::harness::serve;
pub(crate) use self::names::run as names;

/// Folder of the pinned versions and the scripts.
const FOLDER: &str = "eval/peers";
/// Seconds that one measurement takes at least, where one run is shorter.
const LEAST_SECONDS: f64 = 0.05;
/// Most runs of one measurement.
const MOST_RUNS: f64 = 500.0;

/// Measures.
///
/// # Errors
/// When something cannot be installed, built or read. A tool that does not start is left out, with a line.
pub(crate) fn run(workspace: &Workspace, rounds: usize) -> anyhow::Result<()> {
    let scratch = workspace.metadata()?.target_directory.join("peers");
    std::fs::create_dir_all(&scratch).context("cannot make a folder for the peers")?;
    let sets = eval::sets(&workspace.path("eval"), &[])?;
    let (timed, file) = texts::write(&sets, &scratch)?;
    let mut tools = start(workspace, &scratch, &file)?;
    speed(&mut tools, &timed, rounds)?;
    quality(&mut tools, &sets)
}

/// Starts every tool that can be started, ours first.
fn start(workspace: &Workspace, scratch: &Path, texts: &Path) -> anyhow::Result<Vec<Tool>> {
    let ours = ours(workspace)?;
    let texts = texts.display().to_string();
    let arguments = ["peers-harness", &texts, "--names=off"];
    let mut tools: Vec<Tool> = Tool::start("cloakgate", &ours, &arguments, scratch)?.into_iter().collect();
    let requirements = workspace.path(FOLDER).join("requirements.txt");
    let python = peers::python_environment(workspace, &requirements, &scratch.join("venv"))?;
    let script = workspace.path(FOLDER).join("harness.py").display().to_string();
    for name in ["cpex", "cloakllm", "presidio"] {
        tools.extend(Tool::start(name, &python, &[&script, name, &texts], scratch)?);
    }
    if let Err(error) = node(workspace, scratch) {
        console::line(format_args!("left out: redactpii: {error:#}"));
    } else {
        let script = workspace.path(FOLDER).join("harness.mjs").display().to_string();
        tools.extend(Tool::start("redactpii", Path::new("node"), &[&script, &texts], scratch)?);
    }
    Ok(tools)
}

/// Our own side, built.
fn ours(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let arguments = ["build", "--release", "--package", "xtask", "--locked"];
    command::run(workspace.root(), "cargo", &arguments, &[])?;
    Ok(workspace.metadata()?.target_directory.join("release").join("xtask"))
}

fn node(workspace: &Workspace, scratch: &Path) -> anyhow::Result<()> {
    std::fs::copy(workspace.path(FOLDER).join("package.json"), scratch.join("package.json"))?;
    let arguments = ["install", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
    command::run(scratch, "npm", &arguments, &[])
}

/// Megabytes a second of every tool on every text, the median and the best of the rounds.
fn speed(tools: &mut [Tool], texts: &[Text], rounds: usize) -> anyhow::Result<()> {
    console::line("MB/s, one thread, median of the rounds and the best; in brackets how much faster ours is");
    for text in texts {
        let mut seconds: Vec<Vec<f64>> = tools.iter().map(|_| Vec::new()).collect();
        let mut repeats = Vec::new();
        for tool in tools.iter_mut() {
            let once = tool.time(&text.id, 1)?.max(1e-6);
            repeats.push((LEAST_SECONDS / once).ceil().clamp(1.0, MOST_RUNS));
        }
        for _ in 0..rounds.max(1) {
            for ((tool, repeats), seconds) in tools.iter_mut().zip(&repeats).zip(&mut seconds) {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped to a few hundred"
                )]
                let runs = *repeats as usize;
                seconds.push(tool.time(&text.id, runs)? / repeats);
            }
        }
        console::line(format_args!("  {} ({} bytes)", text.id, text.text.len()));
        let mut ours = None;
        for (tool, seconds) in tools.iter().zip(&mut seconds) {
            seconds.sort_by(f64::total_cmp);
            let median = seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN);
            let best = seconds.first().copied().unwrap_or(f64::NAN);
            let factor = median / *ours.get_or_insert(median);
            let rate = |seconds: f64| megabytes(text.text.len()) / seconds;
            console::line(format_args!(
                "    {:<12} {:<10} {:>9.3} {:>9.3}  ({factor:.2}x)",
                tool.name,
                tool.version,
                rate(median),
                rate(best)
            ));
        }
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "texts are far below 2^52 bytes")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// Leak, precision and false alarms of every tool that says where values are.
fn quality(tools: &mut [Tool], sets: &[PathBuf]) -> anyhow::Result<()> {
    console::line(
        "core labels: leak %, precision of characters %, F1 with labels, false alarms in 1,000 tokens",
    );
    for file in sets {
        let records = eval::record::read(file)?;
        let set = eval::name(file);
        console::line(format_args!("  {set}"));
        for tool in tools.iter_mut() {
            let mut found = Vec::with_capacity(records.len());
            for index in 0..records.len() {
                match tool.find(&texts::id(&set, index))? {
                    Some(spans) => found.push(spans),
                    None => break,
                }
            }
            if found.len() == records.len() {
                let score = eval::score::Score::of(&records, &found, &Selection::Core, 0);
                let shown = |figure: Option<f64>| {
                    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.1}"))
                };
                let total = score.total;
                console::line(format_args!(
                    "    {:<12} {:>6} {:>6} {:>6} {:>6}",
                    tool.name,
                    shown(total.leak()),
                    shown(total.precision()),
                    shown(total.f1()),
                    shown(total.alarms())
                ));
            }
        }
    }
    Ok(())
}
