//! Lines to the terminal.
//!
//! Invariant: what was not run is counted; a closed pipe ends nothing; what cannot be shown is dropped.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

static LEFT_OUT: AtomicUsize = AtomicUsize::new(0);

/// One line of the report.
pub(crate) fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).ok();
}

/// One line that says what was not run and why, and counts it.
pub(crate) fn skipped(text: impl Display) {
    LEFT_OUT.fetch_add(1, Ordering::Relaxed);
    line(format_args!("   SKIPPED: {text}"));
}

/// How often something was not run by now.
pub(crate) fn left_out() -> usize {
    LEFT_OUT.load(Ordering::Relaxed)
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
