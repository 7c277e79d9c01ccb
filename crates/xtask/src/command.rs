//! Child processes that do one thing and end.
//!
//! Invariant: a command that fails is an error that names it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

/// Runs `program` in `directory` with its output on our terminal.
///
/// # Errors
/// When it cannot be started or ends with another code than 0.
pub(crate) fn run(
    directory: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> anyhow::Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(directory)
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start `{program}`"))?;
    anyhow::ensure!(status.success(), "`{program} {}` failed", arguments.join(" "));
    Ok(())
}

/// Runs `program` in `directory` and returns what it wrote to its standard output.
///
/// # Errors
/// When it cannot be started, ends with another code than 0, or writes no UTF-8.
pub(crate) fn output(directory: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{program}`"))?;
    anyhow::ensure!(
        output.status.success(),
        "`{program} {}` failed: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    String::from_utf8(output.stdout).with_context(|| format!("`{program}` wrote no text"))
}

/// True when `program` can be started and ends well with these arguments.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
