//! The command line of `cargo xtask`.
//!
//! In: arguments. Out: a task.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use cloakgate_names::Effort;

use crate::data::Group;
use crate::eval::{Committed, Options, Selection};

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
    /// Make the data files of the detectors from packages of the registries and from lists written by hand
    Data {
        /// Write nothing; fail where a committed file differs
        #[arg(long)]
        check: bool,
        /// Only the files of these groups
        #[arg(value_enum)]
        groups: Vec<Group>,
    },
    /// Learn the small names model from the texts beside the checkout and from invented sentences
    Train,
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
    /// Measure how well values are found, on sets of marked texts, beside other tools
    Eval(EvalArguments),
    /// Measure other detectors and ours on the same texts, installing them from PyPI and npm
    Peers {
        /// Turns of every tool on every text
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// Measure how fast names in running text are found, beside Presidio with a spaCy model, instead
        #[arg(long)]
        names: bool,
        /// Folder of sets whose texts are read for names [default: eval/]
        #[arg(long, value_name = "DIR", requires = "names")]
        dir: Option<PathBuf>,
    },
    /// Our side of that measurement
    #[command(hide = true)]
    PeersHarness {
        /// File of texts
        texts: PathBuf,
        /// How much is done to find names
        #[arg(long, default_value_t)]
        names: Effort,
    },
    /// Run a command and keep its input: stands before the servers of the acceptance run
    #[command(hide = true)]
    Tap {
        /// File for the input
        file: PathBuf,
        /// The command and its arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
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

/// What of the detection is measured.
#[derive(Args)]
pub(crate) struct EvalArguments {
    /// Folder of sets [default: eval/]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Only these sets
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    sets: Vec<String>,
    /// Labels that count: core, all, or some
    #[arg(long, value_name = "core|all|A,B", default_value = "core")]
    labels: Selection,
    /// How much is done to find names in running text
    #[arg(long, value_name = "off|fast|balanced|recall", default_value_t)]
    names: Effort,
    /// List so many misses and so many false alarms of each set
    #[arg(long, value_name = "N", default_value_t = 0)]
    errors: usize,
    /// Print a line for each label as well
    #[arg(long)]
    by_label: bool,
    /// Write what was found to this folder, a file for each set
    #[arg(long, value_name = "DIR")]
    predictions: Option<PathBuf>,
    /// Score what another tool found, as a file for each set in this folder
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Fail when a figure is clearly worse than the committed one
    #[arg(long)]
    check: bool,
    /// Write the committed figures anew
    #[arg(long, conflicts_with = "check")]
    bless: bool,
}

impl EvalArguments {
    /// As the measurement takes them.
    pub(crate) fn options(self) -> Options {
        let committed = match (self.check, self.bless) {
            (true, _) => Committed::Check,
            (_, true) => Committed::Bless,
            _ => Committed::Leave,
        };
        Options {
            dir: self.dir,
            sets: self.sets,
            labels: self.labels,
            names: self.names,
            errors: self.errors,
            by_label: self.by_label,
            predictions: self.predictions,
            from: self.from,
            committed,
        }
    }
}
