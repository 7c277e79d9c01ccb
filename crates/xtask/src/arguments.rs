//! The command line of `cargo xtask`.
//!
//! In: arguments. Out: a task.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Commands of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Task {
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
    /// Compare the list of string positions with the published schemas, where these lie beside the checkout
    Paths,
    /// Format, lints, docs, edges, licences, call sites and string positions
    Check,
    /// The test command: check, all tests, the acceptance run
    Test {
        /// Fuzz smoke, long property tests and a smoke run of the benches as well
        #[arg(long)]
        full: bool,
    },
    /// Compare sessions with real servers: straight, through the gateway off, through it on, and several together
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
    /// Measure the gateway beside the servers themselves and print a table
    Figures {
        /// Write the table into the README
        #[arg(long)]
        write: bool,
        /// A tenth of the calls
        #[arg(long)]
        quick: bool,
    },
}
