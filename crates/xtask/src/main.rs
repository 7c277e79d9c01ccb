//! The repository's own commands: checks, the test command, the acceptance run, the figures of the README.
//!
//! In: the arguments of `cargo xtask`. Out: a report on the terminal and an exit code.
//! Not here: anything that ships.

mod acceptance;
mod call_sites;
mod client;
mod command;
mod console;
#[cfg(test)]
mod documents;
mod edges;
mod fuzz;
mod licences;
mod peers;
mod rust_text;
mod suite;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// Commands of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare the crates' dependencies with the table of stages
    Edges,
    /// Check licences, sources, banned packages and the crypto provider; list duplicate versions
    Licences,
    /// Compare the places that vouch for a message with the committed list
    CallSites {
        /// Write the list anew
        #[arg(long)]
        bless: bool,
    },
    /// Format, lints, docs, edges, licences and call sites
    Check,
    /// The test command: check, all tests, the acceptance run
    Test {
        /// Fuzz smoke, long property tests and a smoke run of the benches as well
        #[arg(long)]
        full: bool,
    },
    /// Compare sessions with a real filesystem server: straight, through the gateway off, through it on
    Acceptance {
        /// Keep the folder with the planted files and the transcripts
        #[arg(long)]
        keep: bool,
        /// Print where the three transcripts differ
        #[arg(long)]
        diff: bool,
        /// Use this gateway binary instead of building one
        #[arg(long, value_name = "FILE")]
        gateway: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::error(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    let workspace = Workspace::find()?;
    match task {
        Task::Edges => edges::run(&workspace),
        Task::Licences => licences::run(&workspace),
        Task::CallSites { bless: false } => call_sites::compare(&workspace),
        Task::CallSites { bless: true } => call_sites::bless(&workspace),
        Task::Check => suite::run(&workspace, suite::Extent::Check),
        Task::Test { full: false } => suite::run(&workspace, suite::Extent::Test),
        Task::Test { full: true } => suite::run(&workspace, suite::Extent::Full),
        Task::Acceptance { keep, diff, gateway } => {
            acceptance::run(&workspace, &acceptance::Options { keep, diff, gateway })
        }
    }
}
