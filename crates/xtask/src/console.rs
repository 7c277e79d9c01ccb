//! Lines to the terminal.
//!
//! Invariant: a closed pipe ends nothing; what cannot be shown is dropped.

use std::fmt::Display;
use std::io::Write;

/// One line of the report.
pub(crate) fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).ok();
}

/// One line that says what went wrong.
pub(crate) fn error(text: impl Display) {
    writeln!(std::io::stderr().lock(), "{text}").ok();
}

/// The problems of one check as lines, and an error that counts them; nothing when there are none.
///
/// # Errors
/// When there is at least one problem.
pub(crate) fn verdict(problems: &[String]) -> anyhow::Result<()> {
    for problem in problems {
        line(format_args!("  {problem}"));
    }
    match problems.len() {
        0 => Ok(()),
        1 => anyhow::bail!("1 problem"),
        count => anyhow::bail!("{count} problems"),
    }
}
