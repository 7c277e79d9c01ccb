//! The service under load, beside a web server that only parses and echoes.
//!
//! In: release builds. Out: rows of the table. Invariant: both servers have the same client, the same bodies and turns
//! in one run; the service keeps its data in SQLite. Not here: whether its answers are right, but that each text comes
//! back as it was.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use cloakgate_names::{Effort, Preset};
use serde_json::{Value, json};

use super::load::{Connection, Load, run};
use super::subject::{prose, ticket};

/// Connections that are open at once.
const CONNECTIONS: usize = 24;
/// Turns of each server.
const TURNS: usize = 3;
/// Pairs before anything counts.
const WARM_UP: usize = 20;
const PATH: &str = "/mcp";

/// A running server, ended when it is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
    headers: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Rows of pairs of `cloak` and `uncloak`.
///
/// # Errors
/// When a server does not start or an answer is wrong.
pub(super) fn rows(binaries: &Path, folder: &Path, divisor: usize) -> anyhow::Result<Vec<String>> {
    let echo = echo(binaries)?;
    let patterns = service(binaries, folder, Effort::OFF)?;
    let ticket = ticket();
    let pairs = 30_000 / divisor;
    let (bare, ours) = by_turns(&echo, &patterns, pairs, &ticket)?;
    drop(patterns);
    let mut rows = vec![
        row("pairs of 1 KB a second, names off", &bare, &ours),
        format!(
            "| a pair of `cloak` and `uncloak`, names off, p50 and p99 | {:.2} ms, {:.2} ms | {:.2} ms, {:.2} ms | |",
            bare.times.p50(),
            bare.times.p99(),
            ours.times.p50(),
            ours.times.p99()
        ),
    ];
    for effort in [Preset::Fast, Preset::Balanced].map(Effort::from) {
        let reading = service(binaries, folder, effort)?;
        let (bare, ours) = by_turns(&echo, &reading, pairs / 30, &prose(1024, 1))?;
        let what = format!("pairs of 1 KB a second, names {effort}");
        rows.push(row(&what, &bare, &ours));
    }
    Ok(rows)
}

fn row(what: &str, bare: &Load, ours: &Load) -> String {
    let (bare, ours) = (bare.rate, ours.rate);
    format!("| {what} | {bare:.0} | {ours:.0} | {:.2} of the bare server |", ours / bare)
}

/// The service and the bare server, by turns. Every text is another: its number is written in front of it.
fn by_turns(echo: &Server, service: &Server, pairs: usize, text: &str) -> anyhow::Result<(Load, Load)> {
    let each = pairs / CONNECTIONS / TURNS;
    let mut of_echo = connections(echo)?;
    let mut of_service = connections(service)?;
    let message = |number: usize| format!("{number} {text}");
    let echoed = |connection: &mut Connection, number: usize| {
        let (status, body) =
            connection.ask("POST", PATH, &call("cloak", &json!({"message": message(number)})))?;
        anyhow::ensure!(status == 200, "the bare server answered {status}");
        let answer: Value = serde_json::from_slice(&body)?;
        let text = answer.pointer("/params/arguments/message").context("no message")?.clone();
        let arguments = json!({"message": text, "id": "00000000-0000-4000-8000-000000000000"});
        let (status, body) = connection.ask("POST", PATH, &call("uncloak", &arguments))?;
        anyhow::ensure!(status == 200 && !body.is_empty(), "the bare server answered {status}");
        Ok(())
    };
    let cloaked = |connection: &mut Connection, number: usize| {
        let message = message(number);
        let cloaked = tool(connection, "cloak", &json!({"message": message}))?;
        anyhow::ensure!(cloaked.0 != message, "nothing was cloaked");
        let restored = tool(connection, "uncloak", &json!({"message": cloaked.0, "id": cloaked.1}))?;
        anyhow::ensure!(restored.0 == message, "the text did not come back as it was");
        Ok(())
    };
    run(&mut of_echo, WARM_UP.min(each), &echoed)?;
    run(&mut of_service, WARM_UP.min(each), &cloaked)?;
    let mut loads: Option<(Load, Load)> = None;
    for _ in 0..TURNS {
        let turn = (run(&mut of_echo, each, &echoed)?, run(&mut of_service, each, &cloaked)?);
        loads = Some(match loads {
            None => turn,
            Some((bare, ours)) => (bare.and(turn.0), ours.and(turn.1)),
        });
    }
    loads.context("no turns")
}

fn connections(server: &Server) -> anyhow::Result<Vec<Connection>> {
    (0..CONNECTIONS).map(|_| Connection::open(server.address, &server.headers)).collect()
}

fn call(tool: &str, arguments: &Value) -> Vec<u8> {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string().into_bytes()
}

/// Result and id that a tool answers with.
fn tool(connection: &mut Connection, tool: &str, arguments: &Value) -> anyhow::Result<(String, String)> {
    let (status, body) = connection.ask("POST", PATH, &call(tool, arguments))?;
    let answer: Value = serde_json::from_slice(&body).with_context(|| format!("`{tool}`: {status}"))?;
    let field = |name: &str| {
        let value = answer.pointer("/result/structuredContent").and_then(|content| content.get(name));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    field("result")
        .zip(field("id"))
        .with_context(|| format!("`{tool}` was answered with {status} and an error"))
}

fn echo(binaries: &Path) -> anyhow::Result<Server> {
    let mut command = program(binaries, "testkit-http-echo");
    let (child, address) = started(command.arg("127.0.0.1:0"), |line| line.parse().ok())?;
    Ok(Server { child, address, headers: String::new() })
}

/// The service with a new data folder and the settings of a first start, where everything gets a placeholder.
fn service(binaries: &Path, folder: &Path, names: Effort) -> anyhow::Result<Server> {
    let data = folder.join(format!("service-{names}"));
    let config = folder.join(format!("service-{names}.json"));
    let limits = json!({"calls_per_second": 1_000_000, "requests_per_second": 1_000_000});
    let configuration = json!({"listen": "127.0.0.1:0", "names": names.to_string(), "limits": limits});
    std::fs::write(&config, configuration.to_string()).context("cannot write the configuration")?;
    let mut command = program(binaries, "cloakgate");
    command.arg("serve").arg("--data").arg(&data).arg("--config").arg(&config).args(["--log-level", "error"]);
    let (child, (address, key)) = started(&mut command, |line| {
        // `export INC_MCP_URL=http://ADDRESS/mcp INC_MCP_API_KEY=KEY`
        let (url, key) =
            line.trim().strip_prefix("export INC_MCP_URL=http://")?.split_once(" INC_MCP_API_KEY=")?;
        Some((url.strip_suffix(PATH)?.parse().ok()?, key.to_owned()))
    })?;
    Ok(Server { child, address, headers: format!("x-inc-agentcloak-api-key: {key}\r\n") })
}

fn program(binaries: &Path, name: &str) -> Command {
    Command::new(binaries.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// Starts a program and reads its output until `find` has found what to know; what it prints after that is thrown away.
fn started<T>(command: &mut Command, find: impl Fn(&str) -> Option<T>) -> anyhow::Result<(Child, T)> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot start a server")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let mut line = String::new();
    while output.read_line(&mut line)? > 0 {
        if let Some(found) = find(line.trim_end()) {
            std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
            return Ok((child, found));
        }
        line.clear();
    }
    child.kill().ok();
    child.wait().ok();
    anyhow::bail!("a server ended before it was ready")
}
