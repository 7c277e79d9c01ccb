//! The real servers that the acceptance run talks to.
//!
//! In: a folder for each. Out: how each is started, what is planted, the script, and what must be left on the disk.
//! Invariant: all of a server's values are out of `world::planted`, so that one value is one person everywhere.

mod everything;
mod files;
mod git;
mod memory;
mod time;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::script::Step;
use super::world::{self, Planted};
use crate::peers::Peers;

/// What a server is written for.
pub(super) enum Runtime {
    /// A package of the lock file, and arguments after its main file.
    Node { package: &'static str },
    /// A module of the Python environment.
    Python { module: &'static str },
}

/// A kind of request by a server, and what the client answers in plain values.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) method: &'static str,
    /// Name of the capability that the client must have, and its contents.
    pub(super) capability: (&'static str, Value),
    /// The result.
    pub(super) answer: Value,
}

/// One server with its script.
pub(super) struct Server {
    /// Name in the gateway's configuration.
    pub(super) name: &'static str,
    pub(super) runtime: Runtime,
    /// Arguments, for a server of this folder.
    pub(super) arguments: fn(&Path) -> Vec<String>,
    /// Variables added to its environment.
    pub(super) environment: fn(&Path) -> Vec<(String, String)>,
    /// The planted values that this server says.
    pub(super) says: fn(&Planted) -> bool,
    /// Makes an empty folder what it is at the start.
    pub(super) plant: fn(&Path) -> anyhow::Result<()>,
    pub(super) steps: fn(&Path) -> Vec<Step>,
    /// What the client says to the requests of this server: method, capability that offers it, answer.
    pub(super) asks: fn() -> Vec<Ask>,
    /// What the disk holds otherwise than it must at the end.
    pub(super) left: fn(&Path) -> anyhow::Result<Vec<String>>,
}

/// Every server, in the order in which they are run.
pub(super) const ALL: &[&Server] =
    &[&files::SERVER, &memory::SERVER, &everything::SERVER, &time::SERVER, &git::SERVER];

/// Servers that are run behind one gateway.
pub(super) const TOGETHER: &[&[&str]] =
    &[&["fs", "memory"], &["fs", "memory", "time"], &["memory", "everything"]];

impl Server {
    /// Command that starts the server.
    pub(super) fn command(&self, peers: &Peers, folder: &Path) -> anyhow::Result<Vec<String>> {
        let mut command = match &self.runtime {
            Runtime::Node { package } => vec!["node".to_owned(), text(&peers.node_main(package)?)],
            Runtime::Python { module } => {
                let python = peers.python().context("no Python environment")?;
                vec![text(python), "-m".to_owned(), (*module).to_owned()]
            }
        };
        command.extend((self.arguments)(folder));
        Ok(command)
    }

    /// True when what the server is written for is there.
    pub(super) fn can_run(&self, peers: &Peers) -> bool {
        matches!(self.runtime, Runtime::Node { .. }) || peers.python().is_some()
    }

    /// The values that this server says, or writes down.
    pub(super) fn planted(&self) -> Vec<Planted> {
        world::planted().into_iter().filter(self.says).collect()
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn no_arguments(_: &Path) -> Vec<String> {
    Vec::new()
}

fn no_environment(_: &Path) -> Vec<(String, String)> {
    Vec::new()
}

fn no_asks() -> Vec<Ask> {
    Vec::new()
}

fn nothing_planted(_: &Path) -> anyhow::Result<()> {
    Ok(())
}

fn nothing_left(folder: &Path) -> anyhow::Result<Vec<String>> {
    Ok(world::differences(&world::Tree::new(), &world::snapshot(folder)?))
}

/// Where a text differs from what it must be, as one line.
fn differing(what: &str, wanted: &str, found: &str) -> Vec<String> {
    if wanted == found { Vec::new() } else { vec![format!("{what} holds {found:?} instead of {wanted:?}")] }
}

/// A folder below another, for a server of this name.
pub(super) fn folder(place: &Path, server: &Server) -> PathBuf {
    place.join(server.name)
}
