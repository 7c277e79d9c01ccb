//! Finds the programs of this crate for tests of other crates, and builds them where they are not there yet.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A program of this crate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Program(&'static str);

/// The honest server. `--raw FILE` holds the result of its tool `raw`.
pub const ECHO: Program = Program("testkit-echo");
/// The scripted server. `--script FILE`, and `--received FILE` for what it was sent.
pub const HOSTILE: Program = Program("testkit-hostile");

/// The server of tasks. `--received FILE` for what it was sent, `--version VERSION` for what it says it speaks.
pub const TASKS: Program = Program("testkit-tasks");

/// Why a program could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The test's own place in the build folder is unknown.
    #[error("the test does not lie in a build folder")]
    NoFolder,
    /// It could not be built.
    #[error("cannot build the programs of the testkit")]
    Build(#[source] io::Error),
}

static BUILD: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Path of a program of the test's own profile. Builds where it is missing or older than its sources.
///
/// # Errors
/// When the build fails.
pub fn program(program: Program) -> Result<PathBuf, ProgramError> {
    let mut built = BUILD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = match &*built {
        Some(folder) => folder.clone(),
        None => {
            let folder = build_folder()?;
            if !is_fresh(&folder) {
                build(&folder)?;
            }
            *built = Some(folder.clone());
            folder
        }
    };
    Ok(program.within(&folder))
}

impl Program {
    fn within(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{}", self.0, std::env::consts::EXE_SUFFIX))
    }
}

/// `target/<profile>`, from `target/<profile>/deps/<test>` or `target/<profile>/<program>`.
fn build_folder() -> Result<PathBuf, ProgramError> {
    let test = std::env::current_exe().map_err(ProgramError::Build)?;
    let folder = test
        .ancestors()
        .skip(1)
        .find(|folder| !folder.ends_with("deps") && !folder.ends_with("examples"))
        .ok_or(ProgramError::NoFolder)?;
    Ok(folder.to_owned())
}

/// True when all programs are newer than every source. Asking cargo instead would wait for its lock, in each
/// test process anew.
fn is_fresh(folder: &Path) -> bool {
    let changed = |path: PathBuf| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let built = [ECHO, HOSTILE, TASKS].map(|program| changed(program.within(folder)));
    let [Some(echo), Some(hostile), Some(tasks)] = built else { return false };
    let oldest = echo.min(hostile).min(tasks);
    let Ok(sources) = sources() else { return false };
    sources.into_iter().all(|source| changed(source).is_some_and(|source| source < oldest))
}

fn sources() -> io::Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("Cargo.toml")];
    for folder in [root.join("src"), root.join("src/bin")] {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn build(folder: &Path) -> Result<(), ProgramError> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--quiet", "--package", "cloakgate-testkit", "--bins", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    if folder.ends_with("release") {
        command.arg("--release");
    }
    if let Some(target) = folder.parent() {
        command.arg("--target-dir").arg(target);
    }
    let status = command.status().map_err(ProgramError::Build)?;
    if status.success() { Ok(()) } else { Err(ProgramError::Build(io::Error::other(status.to_string()))) }
}
