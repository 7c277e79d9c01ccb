//! The test command: one after the other, all of them even when one fails, a summary at the end.
//!
//! In: how much to run. Out: the commands' own output and one line a step.
//! Invariant: a step of which anything was not run is never reported as passed.

use std::time::{Duration, Instant};

use crate::workspace::Workspace;
use crate::{acceptance, call_sites, command, console, contract, edges, eval, fuzz, licences, paths};

/// How much to run.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Extent {
    /// Everything that reads the sources without running them.
    Check,
    /// That, all tests, and the acceptance run.
    Test,
    /// That, with many more cases, fuzzing, and a smoke run of the benches.
    Full,
}

/// How a step ended.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Ended {
    Passed,
    /// What was run passed; something was not, and a line said what.
    Partly,
    Failed,
}

struct Step {
    name: &'static str,
    from: Extent,
    run: fn(&Workspace) -> anyhow::Result<()>,
}

const fn step(name: &'static str, from: Extent, run: fn(&Workspace) -> anyhow::Result<()>) -> Step {
    Step { name, from, run }
}

const STEPS: &[Step] = &[
    step("edges", Extent::Check, edges::run),
    step("licences", Extent::Check, licences::run),
    step("call sites", Extent::Check, call_sites::compare),
    step("positions", Extent::Check, paths::compare),
    step("format", Extent::Check, format),
    step("lints", Extent::Check, lints),
    step("docs", Extent::Check, docs),
    step("tests", Extent::Test, tests),
    step("doc tests", Extent::Test, doc_tests),
    step("detection", Extent::Test, eval::check),
    step("acceptance", Extent::Test, acceptance_run),
    step("API", Extent::Test, contract::run),
    step("models", Extent::Full, brought_models),
    step("many cases", Extent::Full, many_cases),
    step("benches", Extent::Full, benches),
    step("fuzz", Extent::Full, fuzz::smoke),
];

/// Cases of each property in a full run; the default is 256.
const MANY_CASES: &str = "8192";

/// Runs every step of this extent.
///
/// # Errors
/// When a step failed.
pub(crate) fn run(workspace: &Workspace, extent: Extent) -> anyhow::Result<()> {
    let mut results = Vec::new();
    for step in STEPS.iter().filter(|step| step.from <= extent) {
        console::line(format_args!("== {}", step.name));
        let (started, left_out) = (Instant::now(), console::left_out());
        let ended = match (step.run)(workspace) {
            Err(error) => {
                console::line(format_args!("   failed: {error:#}"));
                Ended::Failed
            }
            Ok(()) if console::left_out() > left_out => Ended::Partly,
            Ok(()) => Ended::Passed,
        };
        results.push((step.name, started.elapsed(), ended));
    }
    summary(&results)
}

fn summary(results: &[(&str, Duration, Ended)]) -> anyhow::Result<()> {
    console::line("== summary");
    for (name, elapsed, ended) in results {
        let word = match ended {
            Ended::Passed => "ok",
            Ended::Partly => "partly",
            Ended::Failed => "FAILED",
        };
        console::line(format_args!("   {name:<12} {word:<7} {:>7.1} s", elapsed.as_secs_f64()));
    }
    let failed: Vec<&str> =
        results.iter().filter(|(.., ended)| *ended == Ended::Failed).map(|(name, ..)| *name).collect();
    anyhow::ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

fn cargo(workspace: &Workspace, arguments: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<()> {
    command::run(workspace.root(), "cargo", arguments, environment)
}

fn format(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["fmt", "--all", "--", "--check"], &[])
}

fn lints(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])
}

fn docs(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")])
}

fn tests(workspace: &Workspace) -> anyhow::Result<()> {
    run_tests(workspace, &[])
}

fn many_cases(workspace: &Workspace) -> anyhow::Result<()> {
    run_tests(workspace, &[("PROPTEST_CASES", MANY_CASES)])
}

fn run_tests(workspace: &Workspace, environment: &[(&str, &str)]) -> anyhow::Result<()> {
    if command::answers("cargo", &["nextest", "--version"]) {
        return cargo(
            workspace,
            &["nextest", "run", "--workspace", "--locked", "--no-fail-fast"],
            environment,
        );
    }
    cargo(workspace, &["test", "--workspace", "--all-targets", "--locked", "--no-fail-fast"], environment)
}

/// What only a build with models of one's own has: another build of these crates, the program with them.
fn brought_models(workspace: &Workspace) -> anyhow::Result<()> {
    let crates = ["-p", "cloakgate-names", "-p", "cloakgate-gateway", "-p", "cloakgate"];
    let with = ["--features", "cloakgate/models", "--locked"];
    cargo(
        workspace,
        &[&["clippy"], &crates[..], &with, &["--all-targets", "--", "-D", "warnings"]].concat(),
        &[],
    )?;
    cargo(workspace, &[&["test"], &crates[..], &with, &["--lib", "--bins"]].concat(), &[])
}

fn doc_tests(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["test", "--workspace", "--doc", "--locked"], &[])
}

fn acceptance_run(workspace: &Workspace) -> anyhow::Result<()> {
    acceptance::run(workspace, &acceptance::Options::default())
}

fn benches(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["bench", "--workspace", "--benches", "--locked", "--", "--test"], &[])
}
