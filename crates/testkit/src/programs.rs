//! Finds the programs of this crate for tests of other crates, and builds them where they are not there yet.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

/// A program of this crate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Program(&'static str);

/// The honest server. `--raw FILE` holds the result of its tool `raw`.
pub const ECHO: Program = Program("testkit-echo");
/// The scripted server. `--script FILE`, and `--received FILE` for what it was sent.
pub const HOSTILE: Program = Program("testkit-hostile");

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

/// Path of a program, built with the test's own profile. The first call in a process builds, which takes
/// a fraction of a second where nothing has changed.
///
/// # Errors
/// When the build fails.
pub fn program(program: Program) -> Result<PathBuf, ProgramError> {
    let mut built = BUILD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = match &*built {
        Some(folder) => folder.clone(),
        None => {
            let folder = build()?;
            *built = Some(folder.clone());
            folder
        }
    };
    Ok(folder.join(format!("{}{}", program.0, std::env::consts::EXE_SUFFIX)))
}

fn build() -> Result<PathBuf, ProgramError> {
    // .../target/<profile>/deps/<test> or .../target/<profile>/<program>
    let test = std::env::current_exe().map_err(ProgramError::Build)?;
    let folder = test
        .ancestors()
        .skip(1)
        .find(|folder| !folder.ends_with("deps") && !folder.ends_with("examples"))
        .ok_or(ProgramError::NoFolder)?
        .to_owned();
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
    if status.success() { Ok(folder) } else { Err(ProgramError::Build(io::Error::other(status.to_string()))) }
}
