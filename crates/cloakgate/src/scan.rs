//! `cloakgate scan`: says which files of a folder hold personal data or secrets.
//!
//! In: files and folders. Out: a table, JSON or SARIF, and an exit code: 0 nothing found, 1 something found, 2 it could
//! not be said. Invariant: no value is shown or written; the order of the output does not depend on threads.

mod baseline;
mod report;
mod sarif;
mod source;
mod walk;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use cloakgate_vocab::Severity;

use self::baseline::Baseline;
use self::walk::{Scanned, Walk};
use crate::colours::Colours;
use crate::detectors::DetectorArgs;
use crate::shown::Shown;
use crate::{EXIT_BAD_CONFIGURATION, EXIT_FAILED};

/// Largest file that is read, unless the arguments say otherwise.
const MAX_FILE_BYTES: u64 = 10 << 20;

const AFTER_HELP: &str = "\
Files that git ignores, hidden files, links and binary files are left out; a file that is named is always read.

Exit codes: 0 nothing was found, 1 something was found, 2 the arguments are wrong or a file could not be read.";

/// Arguments of `cloakgate scan`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ScanArgs {
    /// Files and folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    detectors: DetectorArgs,
    /// Leave out what is less severe: low, medium, high, critical
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), hide_possible_values = true)]
    min_severity: Option<Severity>,
    /// Report only what this file, written by --write-baseline, does not list
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what is found to a file, as known from now on, and end with 0
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print SARIF 2.1.0, for code hosts and editors
    #[arg(long)]
    sarif: bool,
    /// Read hidden files and folders too
    #[arg(long)]
    hidden: bool,
    /// Read what git ignores too
    #[arg(long)]
    no_ignore: bool,
    /// Leave out files larger than this
    #[arg(long, value_name = "BYTES", default_value_t = MAX_FILE_BYTES)]
    max_bytes: u64,
    /// Files that are read at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colours,
}

fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(Severity::ALL.map(Severity::name)).map(|name| {
        Severity::ALL.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::Low)
    })
}

/// Scans and reports.
///
/// # Errors
/// When the configuration or the baseline is wrong, or the output cannot be written.
pub(crate) fn run(arguments: &ScanArgs) -> anyhow::Result<ExitCode> {
    if let Some(missing) = arguments.paths.iter().find(|path| path.symlink_metadata().is_err()) {
        crate::complain(format_args!("{}: there is no such file or folder", missing.display()));
        return Ok(ExitCode::from(EXIT_BAD_CONFIGURATION));
    }
    let baseline = match &arguments.baseline {
        Some(file) => match Baseline::read(file) {
            Ok(baseline) => Some(baseline),
            Err(error) => {
                crate::complain(format_args!("{}: {}", file.display(), crate::chain(&error)));
                return Ok(ExitCode::from(EXIT_BAD_CONFIGURATION));
            }
        },
        None => None,
    };
    let finder = arguments.detectors.finder()?;
    let walk = Walk {
        paths: &arguments.paths,
        hidden: arguments.hidden,
        ignored: arguments.no_ignore,
        max_bytes: arguments.max_bytes,
        threads: arguments.threads.into(),
        least: arguments.min_severity.unwrap_or(Severity::Low),
    };
    let mut scanned = walk.run(&finder);
    if let Some(file) = &arguments.write_baseline {
        std::fs::write(file, Baseline::of(&scanned).text())
            .with_context(|| format!("cannot write {}", file.display()))?;
        crate::complain(format_args!("{} findings are known from now on", scanned.findings().count()));
        return Ok(ended(&scanned, 0));
    }
    if let Some(baseline) = baseline {
        baseline.take_out(&mut scanned);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    if arguments.sarif {
        writeln!(out, "{:#}", sarif::log(&scanned))?;
    } else if arguments.json {
        writeln!(out, "{:#}", report::json(&scanned))?;
    } else {
        report::table(&mut out, &scanned, arguments.color.wanted())?;
    }
    out.flush()?;
    for problem in &scanned.unread {
        crate::complain(format_args!("{problem}"));
    }
    Ok(ended(&scanned, scanned.findings().count()))
}

fn ended(scanned: &Scanned, found: usize) -> ExitCode {
    match (found, scanned.unread.is_empty()) {
        (0, true) => ExitCode::SUCCESS,
        (0, false) => ExitCode::from(EXIT_BAD_CONFIGURATION),
        _ => ExitCode::from(EXIT_FAILED),
    }
}

impl Scanned {
    /// All findings with the names of their files.
    fn findings(&self) -> impl Iterator<Item = (&str, &Shown)> {
        self.files.iter().flat_map(|file| file.found.iter().map(|shown| (&*file.name, shown)))
    }
}
