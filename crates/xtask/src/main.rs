//! The repository's own commands: checks, the test command, the acceptance run, the figures of the README.
//!
//! In: the arguments of `cargo xtask`. Out: a report on the terminal and an exit code.
//! Not here: anything that ships.

mod acceptance;
mod arguments;
mod call_sites;
mod client;
mod command;
mod console;
mod contract;
mod data;
#[cfg(test)]
mod documents;
mod edges;
mod eval;
mod figures;
mod fuzz;
mod licences;
mod paths;
mod peers;
mod rivals;
mod rust_text;
mod suite;
mod tap;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Task};
use crate::workspace::Workspace;

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
        Task::Paths => paths::compare(&workspace),
        Task::Data { check: true, groups } => data::run(&workspace, data::Mode::Compare, &groups),
        Task::Data { check: false, groups } => data::run(&workspace, data::Mode::Write, &groups),
        Task::Train => data::train::run(&workspace),
        Task::Check => suite::run(&workspace, suite::Extent::Check),
        Task::Test { full: false } => suite::run(&workspace, suite::Extent::Test),
        Task::Test { full: true } => suite::run(&workspace, suite::Extent::Full),
        Task::Acceptance { keep, diff, gateway } => {
            acceptance::run(&workspace, &acceptance::Options { keep, diff, gateway })
        }
        Task::Eval(arguments) => eval::run(&workspace, &arguments.options()),
        Task::Peers { names: true, dir, .. } => rivals::names(&workspace, dir),
        Task::Peers { rounds, .. } => rivals::run(&workspace, rounds),
        Task::PeersHarness { texts, names } => rivals::serve(&texts, names),
        Task::Tap { file, command } => tap::run(&file, &command),
        Task::Figures { write, quick } => figures::run(&workspace, &figures::Options { write, quick }),
    }
}
