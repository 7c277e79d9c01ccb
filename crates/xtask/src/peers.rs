//! The real MCP servers of the acceptance run: installed from the lock file in `acceptance/`, by npm.
//!
//! Invariant: what is installed is what the lock file names; a folder installed from another one is made anew.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::command;
use crate::workspace::Workspace;

const FOLDER: &str = "acceptance";
const FILESYSTEM_SERVER: &str = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
/// Copy of the lock file, beside what was installed from it.
const STAMP: &str = "node_modules/.installed-lock.json";

/// Installs the servers unless they are there, and returns the filesystem server's main file.
///
/// # Errors
/// When npm is missing or fails.
pub(crate) fn filesystem_server(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.path(FOLDER);
    let lock =
        std::fs::read(folder.join("package-lock.json")).context("cannot read the lock file of the peers")?;
    let stamp = folder.join(STAMP);
    if std::fs::read(&stamp).ok().as_ref() != Some(&lock) {
        install(&folder)?;
        std::fs::write(&stamp, &lock).context("cannot note what was installed")?;
    }
    let server = folder.join(FILESYSTEM_SERVER);
    anyhow::ensure!(server.is_file(), "the filesystem server is not where its package used to have it");
    Ok(server)
}

fn install(folder: &Path) -> anyhow::Result<()> {
    command::run(
        folder,
        "npm",
        &["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"],
        &[],
    )
    .context("cannot install the peers (node 20 or later and npm are needed)")
}
