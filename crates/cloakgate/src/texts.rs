//! What `cloakgate cloak` and `uncloak` share: where texts come from, where sessions are, what is printed.
//!
//! In: arguments. Out: a text that was read, a server or a file that keeps the session. Invariant: a value is printed by
//! `uncloak` only; keys come from the environment and are never printed.

pub(crate) mod local;
pub(crate) mod remote;

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::json;

/// What names standard input.
const STANDARD_INPUT: &str = "-";
/// Bytes of a text that are read at most.
const MAX_BYTES: u64 = 64 << 20;

/// Where the session of a text is.
#[derive(Args, Debug)]
pub(crate) struct PlaceArgs {
    /// The text; `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Keep the session in this file, which holds the values: guard it as you guard them
    #[arg(long, value_name = "FILE", conflicts_with = "remote", required_unless_present = "remote")]
    pub(crate) session: Option<PathBuf>,
    /// Ask the server of INC_MCP_URL, with the key of INC_MCP_API_KEY
    #[arg(long)]
    pub(crate) remote: bool,
    /// Print one JSON object with the text and the id
    #[arg(long)]
    pub(crate) json: bool,
}

/// A text that was cloaked or uncloaked.
pub(crate) struct Answer {
    pub(crate) text: String,
    /// The session of a server.
    pub(crate) id: Option<String>,
    /// Places that were not restored.
    pub(crate) unresolved: u64,
}

impl PlaceArgs {
    /// Reads the text.
    ///
    /// # Errors
    /// When it cannot be read or is no UTF-8.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        let name = name(&self.file);
        let mut text = String::new();
        let read = if self.file == Path::new(STANDARD_INPUT) {
            if io::stdin().is_terminal() {
                writeln!(io::stderr(), "cloakgate: reading what is typed; end it with Ctrl-D")?;
            }
            io::stdin().take(MAX_BYTES + 1).read_to_string(&mut text)
        } else {
            std::fs::File::open(&self.file)
                .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
        };
        let read = read.with_context(|| format!("cannot read {name}"))?;
        anyhow::ensure!(read as u64 <= MAX_BYTES, "{name} has more than {MAX_BYTES} bytes");
        Ok(text)
    }

    /// Prints an answer.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(crate) fn print(&self, answer: &Answer) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            let printed = json!({ "result": answer.text, "id": answer.id, "unresolved": answer.unresolved });
            writeln!(out, "{printed}")?;
        } else {
            out.write_all(answer.text.as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }
}

fn name(file: &Path) -> String {
    if file == Path::new(STANDARD_INPUT) { "standard input".to_owned() } else { file.display().to_string() }
}
