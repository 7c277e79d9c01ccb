//! A short run of every fuzz target.
//!
//! In: the targets of `fuzz/`. Out: an error when one finds a crash.
//! The coverage counters are switched on by hand, so that the pinned compiler will do and no tool is needed.
//! Not here: sanitizers; the code has no `unsafe`.

use anyhow::Context;

use crate::command;
use crate::console;
use crate::workspace::Workspace;

const SECONDS: &str = "-max_total_time=30";
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Ccodegen-units=1 -Cdebug-assertions";

/// Runs each target for half a minute.
///
/// # Errors
/// When a target cannot be built or finds a crash.
pub(crate) fn smoke(workspace: &Workspace) -> anyhow::Result<()> {
    let folder = workspace.path("fuzz");
    let host = host(workspace)?;
    let targets = std::fs::read_dir(folder.join("fuzz_targets")).context("cannot list the fuzz targets")?;
    for target in targets {
        let path = target?.path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        console::line(format_args!("   {name}"));
        let corpus = folder.join("corpus").join(name);
        std::fs::create_dir_all(&corpus).context("cannot make the corpus folder")?;
        let corpus = corpus.display().to_string();
        // Cargo gives the flags to the build scripts too unless a target is named.
        let arguments = [
            "run",
            "--release",
            "--quiet",
            "--target",
            &host,
            "--bin",
            name,
            "--",
            SECONDS,
            "-timeout=10",
            &corpus,
        ];
        command::run(&folder, "cargo", &arguments, &[("RUSTFLAGS", FLAGS)])?;
    }
    Ok(())
}

fn host(workspace: &Workspace) -> anyhow::Result<String> {
    let version = command::output(workspace.root(), "rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("the compiler does not name its host")?.to_owned())
}
