//! `cloakgate detect`: says what is in texts, line by line for programs or as a table for people.
//!
//! In: files or standard input. Out: places and categories, never values. Invariant: lines are answered one by one and
//! in order, so that a program may write one and wait for its answer; memory holds one line or one file.

mod lines;

use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use cloakgate_cloak::Finder;
use serde_json::{Value, json};

use crate::EXIT_FAILED;
use crate::detectors::DetectorArgs;
use crate::shown::Shown;

/// Bytes of input that are read at once.
const BUFFER: usize = 64 << 10;
/// What names standard input.
const STANDARD_INPUT: &str = "-";

/// Arguments of `cloakgate detect`.
#[derive(Args, Debug)]
pub(crate) struct DetectArgs {
    /// Files to read; standard input where there are none or for `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    detectors: DetectorArgs,
    /// Read lines `{"id", "text"}` and answer each with `{"id", "spans": [{"start", "end", "label", "score"}]}`
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
}

/// Reads everything and prints what is found.
///
/// # Errors
/// When the configuration is wrong or the output cannot be written.
pub(crate) fn run(arguments: &DetectArgs) -> anyhow::Result<ExitCode> {
    let finder = arguments.detectors.finder()?;
    let standard = PathBuf::from(STANDARD_INPUT);
    let files = if arguments.files.is_empty() { std::slice::from_ref(&standard) } else { &*arguments.files };
    if arguments.files.is_empty() && io::stdin().is_terminal() {
        anyhow::bail!("nothing to read: name a file, or pipe a text in; `-` reads what is typed");
    }
    let mut out = io::stdout().lock();
    let mut problems = 0;
    for file in files {
        let read = if arguments.jsonl {
            open(file).and_then(|input| {
                lines::answer(&finder, BufReader::with_capacity(BUFFER, input), &mut out, &name(file))
            })
        } else {
            text(&finder, file, arguments.json, &mut out).map(|()| 0)
        };
        match read {
            Ok(bad) => problems += bad,
            Err(error) if crate::is_closed_pipe(&error) => return Err(error),
            Err(error) => {
                problems += 1;
                crate::complain(format_args!("{}: {}", name(file), crate::chain(&error)));
            }
        }
    }
    out.flush()?;
    Ok(if problems == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAILED) })
}

fn name(file: &Path) -> String {
    if file == Path::new(STANDARD_INPUT) { "standard input".to_owned() } else { file.display().to_string() }
}

fn open(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file == Path::new(STANDARD_INPUT) {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(std::fs::File::open(file).context("cannot be opened")?))
}

/// Reads a whole file as text and prints what is in it.
fn text(finder: &Finder, file: &Path, as_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    open(file)?.read_to_end(&mut bytes).context("cannot be read")?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("is no text in UTF-8"))?;
    let found = Shown::all(&text, &finder.find(&text, None)?);
    let named = file != Path::new(STANDARD_INPUT);
    if as_json {
        let file = named.then(|| file.display().to_string());
        let findings: Vec<Value> = found.iter().map(Shown::json).collect();
        writeln!(out, "{}", json!({"file": file, "findings": findings}))?;
        return Ok(());
    }
    let place = if named { format!("{}:", file.display()) } else { String::new() };
    for shown in &found {
        let (line, column) = shown.from;
        writeln!(
            out,
            "{:<12}  {:<14}  {:<8}  {:<6}  {}",
            format!("{place}{line}:{column}"),
            shown.category.name(),
            shown.strength.name(),
            shown.preview,
            shown.detector.0
        )?;
    }
    Ok(())
}
