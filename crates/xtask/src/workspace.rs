//! Where this repository lies, and what cargo says of its packages.
//!
//! In: `cargo metadata`. Out: paths and packages.
//! Invariant: no network unless a package of the lock file has never been downloaded.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use crate::command;

/// The checkout.
pub(crate) struct Workspace {
    root: PathBuf,
}

/// What cargo knows of the packages in the lock file.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    /// Every package, of every platform, ours included.
    pub(crate) packages: Vec<Package>,
    /// Ids of the packages of this repository.
    pub(crate) workspace_members: Vec<String>,
    /// Where builds go.
    pub(crate) target_directory: PathBuf,
}

/// One package.
#[derive(Clone, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Registry, or nothing for a package of this repository.
    pub(crate) source: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One dependency as a manifest declares it.
#[derive(Clone, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or nothing for a normal one.
    pub(crate) kind: Option<String>,
    /// Set for a package of this repository.
    pub(crate) path: Option<PathBuf>,
}

impl Dependency {
    /// True when only tests, examples and benches see it.
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Workspace {
    /// The checkout that this program was built from.
    ///
    /// # Errors
    /// When the folder is not there any more.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.join("../..").canonicalize().context("cannot find the repository")?;
        Ok(Self { root })
    }

    /// Top folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside, from parts below the top folder.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// What cargo knows of the packages; asks the registry only where a package was never downloaded.
    ///
    /// # Errors
    /// When a manifest cannot be read.
    pub(crate) fn metadata(&self) -> anyhow::Result<Metadata> {
        let arguments = ["metadata", "--format-version", "1", "--offline"];
        let text = command::output(&self.root, "cargo", &arguments)
            .or_else(|_| command::output(&self.root, "cargo", &["metadata", "--format-version", "1"]))?;
        serde_json::from_str(&text).context("cannot read cargo's metadata")
    }
}

impl Metadata {
    /// The packages of this repository.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }
}
