//! Measures the gateway beside the servers that it stands in front of, and the service beside a bare web server.
//!
//! In: release builds of the gateway and the echo server, the real filesystem server. Out: a Markdown table, which
//! can be written into the README.
//! Invariant: what goes through the gateway and what goes straight is measured by turns in one run, so that both
//! meet the same machine. Not here: assertions; figures are reports.

mod load;
mod measure;
mod service;
mod subject;

use std::path::{Path, PathBuf};

use anyhow::Context;
use cloakgate_names::{Effort, Preset};

use self::measure::{
    Latencies, first_answer, large_prose, large_tickets, latencies, memory, new_texts, ping_under_load,
    throughput,
};
use self::subject::{Route, Subject};
use crate::workspace::Workspace;
use crate::{command, console, peers};

const BEGIN: &str = "<!-- figures:begin -->";
const END: &str = "<!-- figures:end -->";

/// How to measure.
pub(crate) struct Options {
    /// Write the table into the README.
    pub(crate) write: bool,
    /// Divide all counts by ten.
    pub(crate) quick: bool,
}

/// Measures and prints the table.
///
/// # Errors
/// When something does not build, start or answer.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let binaries = build(workspace)?;
    let filesystem = peers::filesystem_server(workspace)?;
    let folder = std::env::temp_dir().join(format!("cloakgate-figures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("cannot make a folder")?;
    let divisor = if options.quick { 10 } else { 1 };
    let echo = Subject::echo(&binaries, &folder, Effort::OFF)?;
    let files = Subject::filesystem(&binaries, &filesystem, &folder)?;
    let mut readers = vec![(Effort::OFF, Subject::echo(&binaries, &folder, Effort::OFF)?)];
    for effort in [Preset::Fast, Preset::Balanced].map(Effort::from) {
        readers.push((effort, Subject::echo(&binaries, &folder, effort)?));
    }
    let table = table(&echo, &files, divisor).and_then(|mut rows| {
        rows.extend(with_names(&readers, divisor)?);
        rows.push(size(&binaries)?);
        let head = "| what | straight | through the gateway | difference |\n|---|---|---|---|";
        let served = service::rows(&binaries, &folder, divisor)?;
        let its_head = "| the service | bare web server | service | ratio |\n|---|---|---|---|";
        Ok(format!("{head}\n{}\n\n{its_head}\n{}", rows.join("\n"), served.join("\n")))
    });
    std::fs::remove_dir_all(&folder).ok();
    let table = table?;
    console::line(&table);
    if options.write { write(workspace, &table) } else { Ok(()) }
}

/// Folder with the release builds.
fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let arguments =
        ["build", "--release", "--package", "cloakgate", "--package", "cloakgate-testkit", "--locked"];
    command::run(workspace.root(), "cargo", &arguments, &[])?;
    Ok(workspace.metadata()?.target_directory.join("release"))
}

/// Rows without names.
fn table(echo: &Subject, files: &Subject, divisor: usize) -> anyhow::Result<Vec<String>> {
    let mut rows = Vec::new();
    for (subject, calls) in [(echo, 10_000), (files, 3_000)] {
        let (direct, through) = latencies(subject, calls / divisor)?;
        let mut row = |what: &str, value: fn(&Latencies) -> f64| {
            let (direct, through) = (value(&direct), value(&through));
            let added = through - direct;
            rows.push(format!(
                "| 1 KB call, {}, {what} | {direct:.3} ms | {through:.3} ms | {added:+.3} ms |",
                subject.name
            ));
        };
        row("p50", Latencies::p50);
        row("p99", Latencies::p99);
    }
    let calls = 40_000 / divisor;
    let straight = throughput(echo, Route::Straight, calls)?;
    let gateway = throughput(echo, Route::Gateway, calls)?;
    rows.push(format!(
        "| 1 KB calls a second, {}, pipelined | {:.0} | {:.0} | {:.2} of straight |",
        echo.name,
        straight.rate,
        gateway.rate,
        gateway.rate / straight.rate
    ));
    if let (Some(straight), Some(gateway)) = (straight.processor, gateway.processor) {
        rows.push(format!(
            "| processor time of a call, server and gateway | {straight:.3} ms | {gateway:.3} ms | |"
        ));
    }
    let (median, worst) = ping_under_load(echo, &large_tickets(), 40 / divisor.min(4))?;
    rows.push(format!(
        "| `ping` while 1 MB is scanned, median and worst | | {median:.2} ms, {worst:.2} ms | |"
    ));
    Ok(rows)
}

/// Rows that tell what reading for names costs.
fn with_names(readers: &[(Effort, Subject)], divisor: usize) -> anyhow::Result<Vec<String>> {
    let mut rows = Vec::new();
    for (effort, echo) in readers {
        let times = new_texts(echo, 500 / divisor)?;
        rows.push(format!(
            "| 1 KB of new prose, names {effort}, p50 and p99 | | {:.2} ms, {:.2} ms | |",
            times.p50(),
            times.p99()
        ));
    }
    if let Some((effort, echo)) = readers.get(1) {
        let (median, worst) = ping_under_load(echo, &large_prose(), 1)?;
        rows.push(format!(
            "| `ping` while 1 MB is read, names {effort}, median and worst | | {median:.2} ms, {worst:.2} ms | |"
        ));
    }
    for (effort, echo) in readers {
        let start = first_answer(echo, 20 / divisor.min(4))?;
        rows.push(format!("| exec to own first answer, names {effort}, median | | {start:.1} ms | |"));
    }
    let calls = 10_000 / divisor;
    for (effort, echo) in readers {
        if let Some((idle, busy)) = memory(echo, calls)? {
            rows.push(format!(
                "| resident memory, names {effort}, idle and after {calls} calls | | {idle:.1} MB, {busy:.1} MB | |"
            ));
        }
    }
    Ok(rows)
}

/// The row of the program's size.
fn size(binaries: &Path) -> anyhow::Result<String> {
    let file = binaries.join(format!("cloakgate{}", std::env::consts::EXE_SUFFIX));
    let bytes = std::fs::metadata(file).context("cannot find the program")?.len();
    let tenths = bytes / 100_000;
    Ok(format!("| size of the program | | {}.{} MB | |", tenths / 10, tenths % 10))
}

fn write(workspace: &Workspace, table: &str) -> anyhow::Result<()> {
    let file = workspace.path("README.md");
    let text = std::fs::read_to_string(&file).context("cannot read the README")?;
    let (before, rest) = text.split_once(BEGIN).context("the README has no place for the figures")?;
    let (_, after) = rest.split_once(END).context("the README has no place for the figures")?;
    let text =
        format!("{before}{BEGIN}\n{table}\n\nMeasured by `cargo xtask figures --write`.\n{END}{after}");
    std::fs::write(&file, text).context("cannot write the README")
}
