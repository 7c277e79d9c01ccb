//! A pipe before a server that keeps what was written to it.
//!
//! In: a command, and what it is to read. Out: the command's own output and end; a file with every byte it was given.
//! Invariant: a byte is in the file before the command can read it.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

const BUFFER: usize = 1 << 16;

/// Runs `command`, and keeps in `file` what comes in for it.
///
/// # Errors
/// When the command cannot be started, or ends otherwise than well.
pub(crate) fn run(file: &Path, command: &[String]) -> anyhow::Result<()> {
    let (program, arguments) = command.split_first().context("no command")?;
    let mut kept = File::options().create(true).append(true).open(file).context("cannot keep the input")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{program}`"))?;
    let mut target = child.stdin.take().context("no input")?;
    let mut source = std::io::stdin().lock();
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = source.read(&mut buffer).context("cannot read the input")?;
        let bytes = buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        kept.write_all(bytes).context("cannot keep the input")?;
        if target.write_all(bytes).and_then(|()| target.flush()).is_err() {
            break;
        }
    }
    drop(target);
    let status = child.wait().context("cannot wait for the command")?;
    anyhow::ensure!(status.success(), "`{program}` ended with {status}");
    Ok(())
}
