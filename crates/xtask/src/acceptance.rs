//! The acceptance run: one scripted session with each of several real servers, three times.
//!
//! In: the servers from the lock files and a gateway binary. Out: a report; an error when a claim does not hold.
//! Straight at the server, through the gateway with sanitizing off, through it with sanitizing on. The second pass
//! shows that the gateway changes nothing it does not mean to, the third that what it changes is the planted
//! values; neither is worth much alone. Then several servers behind one gateway, step by step in turn, where each
//! must answer as it did alone. What tools received is told by opening the files, and what servers were told by a pipe
//! before each. Last the service, with the clients of the official SDKs, the inspector and the conformance suite.
//! Invariant: the folders are the same paths in all, laid anew each time, so that bytes can be compared.

mod alignment;
mod clients;
mod conformance;
mod filters;
mod findings;
mod received;
mod report;
mod script;
mod servers;
mod session;
mod tokens;
mod world;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value, json};

use self::findings::Check;
use self::received::Received;
use self::report::Report;
use self::script::Step;
use self::servers::Server;
use self::session::{Names, Setting, Transcript};
use self::world::Planted;
use crate::peers::Peers;
use crate::workspace::Workspace;
use crate::{command, console};

/// How to run.
#[derive(Default)]
pub(crate) struct Options {
    /// Keep the folder.
    pub(crate) keep: bool,
    /// Print where the transcripts differ.
    pub(crate) diff: bool,
    /// A gateway binary that is there already.
    pub(crate) gateway: Option<PathBuf>,
}

/// Runs all sessions and compares them.
///
/// # Errors
/// When a session cannot be run or a claim does not hold.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let peers = Peers::install(workspace)?;
    let gateway = match &options.gateway {
        Some(gateway) => gateway.canonicalize().context("cannot find the gateway")?,
        None => build_gateway(workspace, "dev")?,
    };
    let place = Place::make(peers, gateway)?;
    let outcome = place.run(options);
    if options.keep || outcome.is_err() {
        console::line(format_args!("   kept: {}", place.folder.display()));
    } else {
        std::fs::remove_dir_all(&place.folder).ok();
    }
    outcome
}

/// Builds the gateway and returns where it is.
///
/// # Errors
/// When it does not build.
pub(crate) fn build_gateway(workspace: &Workspace, profile: &str) -> anyhow::Result<PathBuf> {
    let is_dev = profile == "dev";
    // With the features of the whole workspace the tests have built it, and everything below it, already.
    let arguments: &[&str] = if is_dev {
        &["test", "--no-run", "--quiet", "--workspace", "--locked"]
    } else {
        &["build", "--quiet", "--package", "cloakgate", "--locked", "--profile", profile]
    };
    command::run(workspace.root(), "cargo", arguments, &[])?;
    let folder = if is_dev { "debug" } else { profile };
    let name = format!("cloakgate{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.metadata()?.target_directory.join(folder).join(name))
}

/// Names that the server `everything` offers as choices; nothing is planted in them.
const NAMES_OF_CHOICES: [&str; 9] =
    ["Monica", "Rachel", "Joey", "Chandler", "Ross", "Phoebe", "Superman", "Green Lantern", "Wonder Woman"];
/// Ids of a server's script are below the next one's.
const IDS_OF_A_SERVER: usize = 1000;

/// What stands between the script and the servers.
#[derive(Clone, Copy)]
enum Between {
    Nothing,
    Off,
    On,
}

impl Between {
    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "straight",
            Self::Off => "off",
            Self::On => "on",
        }
    }
}

/// Names and values for a process's environment.
type Variables = Vec<(String, String)>;

/// A session that was run, what the servers were told in it, and where the disk ended otherwise than it must.
struct Outcome {
    transcript: Transcript,
    left: Vec<String>,
    /// What each server of the group received.
    received: Vec<Received>,
}

/// The folders of one run, and what it runs.
struct Place {
    folder: PathBuf,
    peers: Peers,
    gateway: PathBuf,
}

impl Place {
    fn make(peers: Peers, gateway: PathBuf) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("cloakgate-acceptance-{}", std::process::id()));
        std::fs::create_dir_all(&folder).context("cannot make a folder")?;
        // The server resolves links, and so must the paths in the script.
        let folder = folder.canonicalize().context("cannot find the folder")?;
        Ok(Self { folder, peers, gateway })
    }

    fn run(&self, options: &Options) -> anyhow::Result<()> {
        let mut report = Report::default();
        let mut alone: Vec<(&Server, Outcome)> = Vec::new();
        for (index, server) in servers::ALL.iter().enumerate() {
            if !server.can_run(&self.peers) {
                continue;
            }
            let steps = (server.steps)(&servers::folder(&self.folder, server));
            let steps = Step::numbered(index * IDS_OF_A_SERVER, steps);
            let straight = self.session(&[server], Between::Nothing, steps, None)?;
            let left = findings::straight(&straight.transcript, &server.planted(), &straight.left);
            report.section(server.name, left);
            report.section(server.name, self.through(&[(server, &straight)], options)?);
            alone.push((server, straight));
        }
        for names in servers::TOGETHER {
            let members: Vec<(&Server, &Outcome)> = alone
                .iter()
                .filter(|(server, _)| names.contains(&server.name))
                .map(|(server, straight)| (*server, straight))
                .collect();
            let name = names.join("+");
            if members.len() < names.len() {
                console::skipped(format_args!("{name}: not all of these servers can be run"));
                continue;
            }
            report.section(&name, self.through(&members, options)?);
        }
        report.section("service", clients::run(&self.peers, &self.gateway, &self.folder)?);
        report.verdict()
    }

    /// Both sessions through the gateway, compared with what the servers said by themselves.
    fn through(&self, alone: &[(&Server, &Outcome)], options: &Options) -> anyhow::Result<Vec<Check>> {
        let group: Vec<&Server> = alone.iter().map(|(server, _)| *server).collect();
        let (group, straight) =
            (&group, &Transcript::in_turn(alone.iter().map(|(_, straight)| &straight.transcript)));
        let steps = || straight.exchanges.iter().map(|(step, _)| step.clone()).collect::<Vec<_>>();
        let off = self.session(group, Between::Off, steps(), None)?;
        let on = self.session(group, Between::On, steps(), Some(straight))?;
        if options.diff {
            report::print_differences(straight, &off.transcript, &on.transcript);
        }
        let mut checks = findings::off(straight, &off.transcript, &off.left);
        checks.extend(findings::on(straight, &on.transcript, &planted(group), &on.left));
        let wanted = alone.iter().flat_map(|(_, straight)| &straight.received);
        for (wanted, (off, on)) in wanted.zip(off.received.iter().zip(&on.received)) {
            checks.push(findings::received("off", wanted, off));
            checks.push(findings::received("on", wanted, on));
        }
        if group.iter().any(|server| server.name == "fs") {
            checks.push(findings::on_with_files(&on.transcript));
        }
        Ok(checks)
    }

    /// One session in freshly planted folders.
    fn session(
        &self,
        group: &[&Server],
        between: Between,
        steps: Vec<Step>,
        direct: Option<&Transcript>,
    ) -> anyhow::Result<Outcome> {
        let names: Vec<&str> = group.iter().map(|server| server.name).collect();
        let name = format!("{}-{}", names.join("+"), between.name());
        for server in group {
            let folder = servers::folder(&self.folder, server);
            world::plant(&folder, &world::Tree::new())?;
            (server.plant)(&folder).with_context(|| format!("cannot plant for {}", server.name))?;
        }
        let files = group.iter().find(|server| server.name == "fs");
        let writable = files.map(|server| servers::folder(&self.folder, server));
        let (command, environment) = self.command(group, between, &name)?;
        let errors = self.folder.join(format!("{name}.err"));
        let setting = Setting {
            command,
            environment,
            root: &self.folder,
            steps,
            asks: group.iter().flat_map(|server| (server.asks)()).collect(),
            writable: writable.as_deref(),
            errors: &errors,
            names: if matches!(between, Between::Nothing) { Names::Own } else { Names::Prefixed },
        };
        let transcript = session::run(&setting, &planted(group), direct)
            .with_context(|| format!("the session `{name}` failed"))
            .inspect_err(|_| show_messages(&errors))?;
        let text: Vec<&str> = transcript.lines().collect();
        std::fs::write(self.folder.join(format!("{name}.jsonl")), text.join("\n"))
            .context("cannot keep the lines")?;
        let (mut left, mut received) = (Vec::new(), Vec::new());
        for server in group {
            left.extend((server.left)(&servers::folder(&self.folder, server))?);
            received.push(received::read(&received::file(&self.folder, &name, server.name))?);
        }
        Ok(Outcome { transcript, left, received })
    }

    /// Command and environment of a server by itself, or of the gateway in front of some.
    fn command(
        &self,
        group: &[&Server],
        between: Between,
        name: &str,
    ) -> anyhow::Result<(Vec<String>, Variables)> {
        let folder = |server: &Server| servers::folder(&self.folder, server);
        if let (Between::Nothing, [server]) = (between, group) {
            let folder = folder(server);
            return Ok((self.tapped(server, name)?, (server.environment)(&folder)));
        }
        let mut upstreams = Map::new();
        for server in group {
            let folder = folder(server);
            let command = self.tapped(server, name)?;
            let (program, arguments) = command.split_first().context("no command")?;
            let environment: Map<String, Value> = (server.environment)(&folder)
                .into_iter()
                .map(|(name, value)| (name, Value::String(value)))
                .collect();
            upstreams.insert(
                server.name.to_owned(),
                json!({"command": program, "args": arguments, "env": environment}),
            );
        }
        let sanitize = matches!(between, Between::On);
        let configuration = json!({"upstreams": upstreams, "sanitize": sanitize, "allow": NAMES_OF_CHOICES});
        let file = self.folder.join(format!("{name}.json"));
        std::fs::write(&file, configuration.to_string()).context("cannot write the configuration")?;
        Ok((vec![text(&self.gateway), "gateway".to_owned(), "--config".to_owned(), text(&file)], Vec::new()))
    }

    /// The server's command behind a pipe that keeps what it is told.
    fn tapped(&self, server: &Server, session: &str) -> anyhow::Result<Vec<String>> {
        let command = server.command(&self.peers, &servers::folder(&self.folder, server))?;
        received::tapped(command, &received::file(&self.folder, session, server.name))
    }
}

/// The values that one of these servers says.
fn planted(group: &[&Server]) -> Vec<Planted> {
    let says = |planted: &Planted| group.iter().any(|server| (server.says)(planted));
    world::planted().into_iter().filter(says).collect()
}

fn show_messages(file: &Path) {
    let messages = std::fs::read_to_string(file).unwrap_or_default();
    for line in messages.lines().rev().take(20).collect::<Vec<_>>().into_iter().rev() {
        console::line(format_args!("   {line}"));
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
