//! The acceptance run: one scripted session with a real filesystem server, three times.
//!
//! In: the server from the lock file and a gateway binary. Out: a report; an error when a claim does not hold.
//! Straight at the server, through the gateway with sanitizing off, through it with sanitizing on. The second pass
//! shows that the gateway changes nothing it does not mean to, the third that what it changes is the planted
//! values; neither is worth much alone. What tools received is told by opening the files.
//! Invariant: the folder is the same path in all three, laid anew each time, so that bytes can be compared.

mod alignment;
mod findings;
mod report;
mod script;
mod session;
mod tokens;
mod world;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use self::session::{Setting, Transcript};
use crate::workspace::Workspace;
use crate::{command, console, peers};

/// Name of the server in the gateway's configuration.
const UPSTREAM: &str = "fs";
const PREFIX: &str = "fs__";

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

/// Runs the three sessions and compares them.
///
/// # Errors
/// When a session cannot be run or a claim does not hold.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let server = peers::filesystem_server(workspace)?;
    let gateway = match &options.gateway {
        Some(gateway) => gateway.canonicalize().context("cannot find the gateway")?,
        None => build_gateway(workspace, "dev")?,
    };
    let place = Place::make()?;
    let outcome = place.run(&server, &gateway, options);
    if outcome.is_err() {
        place.show_messages();
    }
    if options.keep {
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
    let arguments = ["build", "--quiet", "--package", "cloakgate", "--locked", "--profile", profile];
    command::run(workspace.root(), "cargo", &arguments, &[])?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let name = format!("cloakgate{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.metadata()?.target_directory.join(folder).join(name))
}

/// The folders of one run.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn make() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("cloakgate-acceptance-{}", std::process::id()));
        std::fs::create_dir_all(&folder).context("cannot make a folder")?;
        // The server resolves links, and so must the paths in the script.
        Ok(Self { folder: folder.canonicalize().context("cannot find the folder")? })
    }

    fn files(&self) -> PathBuf {
        self.folder.join("files")
    }

    fn run(&self, server: &Path, gateway: &Path, options: &Options) -> anyhow::Result<()> {
        let planted = world::planted();
        let straight = server_command(server, &self.files());
        let (direct, direct_folder) = self.session("straight", straight, "", None)?;
        let command = self.gateway_command("off", server, gateway)?;
        let (off, off_folder) = self.session("off", command, PREFIX, None)?;
        let command = self.gateway_command("on", server, gateway)?;
        let (on, on_folder) = self.session("on", command, PREFIX, Some(&direct))?;
        if options.diff {
            report::print_differences(&direct, &off, &on);
        }
        let mut checks = findings::straight(&direct, &planted, &direct_folder);
        checks.extend(findings::off(&direct, &off, PREFIX, &off_folder));
        checks.extend(findings::on(&direct, &on, &planted, PREFIX, &on_folder));
        report::print(&checks)
    }

    /// One session in a freshly planted folder, and where that folder ended otherwise than it must.
    fn session(
        &self,
        name: &str,
        command: Vec<String>,
        prefix: &str,
        direct: Option<&Transcript>,
    ) -> anyhow::Result<(Transcript, Vec<String>)> {
        let root = self.files();
        world::plant(&root, &world::at_start())?;
        let errors = self.folder.join(format!("{name}.err"));
        let setting = Setting { command, root: &root, errors: &errors, prefix };
        let transcript = session::run(&setting, &world::planted(), direct)
            .with_context(|| format!("the session `{name}` failed"))?;
        let text: Vec<&str> = transcript.lines().collect();
        std::fs::write(self.folder.join(format!("{name}.jsonl")), text.join("\n"))
            .context("cannot keep the lines")?;
        let folder = findings::folder(&world::at_end(), &world::snapshot(&root)?);
        Ok((transcript, folder))
    }

    fn gateway_command(&self, name: &str, server: &Path, gateway: &Path) -> anyhow::Result<Vec<String>> {
        let command = server_command(server, &self.files());
        let (program, arguments) = command.split_first().context("no command")?;
        let configuration = json!({
            "upstreams": { UPSTREAM: { "command": program, "args": arguments } },
            "sanitize": name == "on",
        });
        let file = self.folder.join(format!("{name}.json"));
        std::fs::write(&file, configuration.to_string()).context("cannot write the configuration")?;
        Ok(vec![text(gateway), "gateway".to_owned(), "--config".to_owned(), text(&file)])
    }

    fn show_messages(&self) {
        for name in ["straight", "off", "on"] {
            let messages =
                std::fs::read_to_string(self.folder.join(format!("{name}.err"))).unwrap_or_default();
            for line in messages.lines().rev().take(20).collect::<Vec<_>>().into_iter().rev() {
                console::line(format_args!("   {name}: {line}"));
            }
        }
    }
}

fn server_command(server: &Path, root: &Path) -> Vec<String> {
    vec!["node".to_owned(), text(server), text(root)]
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
