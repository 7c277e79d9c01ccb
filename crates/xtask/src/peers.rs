//! The real MCP servers and clients of the acceptance run: installed from the lock file and the requirements in
//! `acceptance/`, by npm and pip.
//!
//! Invariant: what is installed is what these files name; a folder installed from others is made anew.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::workspace::Workspace;
use crate::{command, console};

const FOLDER: &str = "acceptance";
/// Copy of the lock file, beside what was installed from it.
const STAMP: &str = "node_modules/.installed-lock.json";
const ENVIRONMENT: &str = "acceptance-venv";

/// Where the installed servers are.
pub(crate) struct Peers {
    folder: PathBuf,
    python: Option<PathBuf>,
}

impl Peers {
    /// Installs all servers unless they are there. Without Python its servers are left out, with a line that says so.
    ///
    /// # Errors
    /// When npm is missing, or npm or pip fails.
    pub(crate) fn install(workspace: &Workspace) -> anyhow::Result<Self> {
        let folder = node_packages(workspace)?;
        let python = if command::answers("python3", &["--version"]) {
            let requirements = workspace.path(FOLDER).join("requirements.txt");
            let environment = workspace.metadata()?.target_directory.join(ENVIRONMENT);
            Some(python_environment(workspace, &requirements, &environment)?)
        } else {
            console::skipped(
                "python3 is missing; the servers time and git, and clients that need it, were NOT run",
            );
            None
        };
        Ok(Self { folder, python })
    }

    /// A file of the folder that everything is installed in: a client of ours, or one of a package.
    ///
    /// # Errors
    /// When it is not there.
    pub(crate) fn file(&self, path: &str) -> anyhow::Result<PathBuf> {
        let file = self.folder.join(path);
        anyhow::ensure!(file.is_file(), "{path} is not where it used to be");
        Ok(file)
    }

    /// Main file of an installed package.
    ///
    /// # Errors
    /// When it is not there.
    pub(crate) fn node_main(&self, package: &str) -> anyhow::Result<PathBuf> {
        node_main(&self.folder, package)
    }

    /// Python with the servers in it.
    pub(crate) fn python(&self) -> Option<&Path> {
        self.python.as_deref()
    }
}

/// Installs the servers for node unless they are there, and returns the filesystem server's main file.
///
/// # Errors
/// When npm is missing or fails.
pub(crate) fn filesystem_server(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    node_main(&node_packages(workspace)?, "server-filesystem")
}

fn node_main(folder: &Path, package: &str) -> anyhow::Result<PathBuf> {
    let main = folder.join(format!("node_modules/@modelcontextprotocol/{package}/dist/index.js"));
    anyhow::ensure!(main.is_file(), "{package} is not where its package used to have it");
    Ok(main)
}

fn node_packages(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.path(FOLDER);
    let lock =
        std::fs::read(folder.join("package-lock.json")).context("cannot read the lock file of the peers")?;
    let stamp = folder.join(STAMP);
    if std::fs::read(&stamp).ok().as_ref() != Some(&lock) {
        let arguments = ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
        command::run(&folder, "npm", &arguments, &[])
            .context("cannot install the peers (node 20 or later and npm are needed)")?;
        std::fs::write(&stamp, &lock).context("cannot note what was installed")?;
    }
    Ok(folder)
}

/// Makes an environment in `folder` from the requirements unless it is there, and returns its Python.
///
/// # Errors
/// When the requirements cannot be read, or Python or pip fails.
pub(crate) fn python_environment(
    workspace: &Workspace,
    requirements: &Path,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let wanted = std::fs::read(requirements).context("cannot read the requirements of the peers")?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join("installed-requirements.txt");
    if std::fs::read(&stamp).ok().as_ref() != Some(&wanted) || !python.is_file() {
        let (path, file) = (folder.display().to_string(), requirements.display().to_string());
        command::run(workspace.root(), "python3", &["-m", "venv", "--clear", &path], &[])?;
        let arguments = ["-m", "pip", "install", "--quiet", "--requirement", &file];
        let quiet = [("PIP_DISABLE_PIP_VERSION_CHECK", "1")];
        command::run(workspace.root(), &python.display().to_string(), &arguments, &quiet)
            .context("cannot install the peers written in Python")?;
        std::fs::write(&stamp, &wanted).context("cannot note what was installed")?;
    }
    Ok(python)
}
