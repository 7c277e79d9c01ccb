//! The service under load, beside a web server that only parses and echoes.
//!
//! In: release builds. Out: rows of the table. Invariant: both servers have the same client, the same bodies and turns
//! in one run; the service keeps its data in SQLite. Not here: whether its answers are right, but that each text comes
//! back as it was.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::Context;
use cloakgate_names::{Effort, Preset};
use serde_json::json;

use super::load::{Connection, Connections, Load, Pair};
use super::measure::{as_float, processor_seconds};
use super::subject::{prose, ticket};

/// Connections that are open at once.
const CONNECTIONS: usize = 24;
/// Turns of each server.
const TURNS: usize = 3;
/// Pairs before anything counts.
const WARM_UP: usize = 20;
const PATH: &str = "/mcp";

/// A call of a tool, in parts: this, its name, what leads to the message, the message, what follows it, the end.
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""#;
const MESSAGE: &str = r#"","arguments":{"message":""#;
const END: &str = "}}}";
/// What leads to the message in an answer of the bare server.
const MESSAGE_KEY: &str = r#""message":""#;

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

/// What both servers did under the same load.
struct Measured {
    bare: Load,
    ours: Load,
    /// Milliseconds of processor time that the service spent on a pair; `None` where the system does not tell.
    processor: Option<f64>,
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
    let Measured { bare, ours, processor } = by_turns(&echo, &patterns, pairs, &ticket)?;
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
    if let Some(processor) = processor {
        rows.push(format!("| processor time of such a pair, the service alone | | {processor:.3} ms | |"));
    }
    for effort in [Preset::Fast, Preset::Balanced].map(Effort::from) {
        let reading = service(binaries, folder, effort)?;
        let Measured { bare, ours, .. } = by_turns(&echo, &reading, pairs / 30, &prose(1024, 1))?;
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
fn by_turns(echo: &Server, service: &Server, pairs: usize, text: &str) -> anyhow::Result<Measured> {
    let each = pairs / CONNECTIONS / TURNS;
    let mut of_echo = connections(echo)?;
    let mut of_service = connections(service)?;
    let texts = Texts::new(text)?;
    let (echoed, cloaked) = (Echoed(texts.clone()), Cloaked(texts));
    of_echo.run(WARM_UP.min(each), &echoed)?;
    of_service.run(WARM_UP.min(each), &cloaked)?;
    let mut loads: Option<(Load, Load)> = None;
    let mut processor = Some(0.0);
    for _ in 0..TURNS {
        let bare = of_echo.run(each, &echoed)?;
        let before = processor_seconds(service.child.id());
        let ours = of_service.run(each, &cloaked)?;
        let after = processor_seconds(service.child.id());
        let spent = before.zip(after).map(|(before, after)| after - before);
        processor = processor.zip(spent).map(|(all, spent)| all + spent);
        loads = Some(match loads {
            None => (bare, ours),
            Some((bares, all)) => (bares.and(bare), all.and(ours)),
        });
    }
    let (bare, ours) = loads.context("no turns")?;
    let processor = processor.map(|seconds| seconds * 1000.0 / as_float(each * TURNS * CONNECTIONS));
    Ok(Measured { bare, ours, processor })
}

fn connections(server: &Server) -> anyhow::Result<Connections> {
    Connections::open(server.address, PATH, &server.headers, CONNECTIONS)
}

/// Texts of one kind, as they stand in a JSON string.
#[derive(Clone)]
struct Texts(Arc<str>);

impl Texts {
    fn new(text: &str) -> anyhow::Result<Self> {
        let quoted = serde_json::to_string(text)?;
        let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        Ok(Self(inside.context("no string")?.into()))
    }

    fn of(&self, number: usize) -> String {
        format!("{number} {}", self.0)
    }
}

/// A pair of the bare server.
#[derive(Clone)]
struct Echoed(Texts);

impl Pair for Echoed {
    async fn run(&self, connection: &mut Connection, number: usize) -> anyhow::Result<()> {
        let message = self.0.of(number);
        let answer = connection.ask(&[CALL, "cloak", MESSAGE, &message, "\"", END]).await?;
        let echoed = string_after(answer, MESSAGE_KEY).context("no message")?.to_owned();
        let id = r#"","id":"00000000-0000-4000-8000-000000000000""#;
        let answer = connection.ask(&[CALL, "uncloak", MESSAGE, &echoed, id, END]).await?;
        anyhow::ensure!(string_after(answer, MESSAGE_KEY).is_some(), "no message");
        Ok(())
    }
}

/// A pair of the service: the text comes back as it was.
#[derive(Clone)]
struct Cloaked(Texts);

impl Pair for Cloaked {
    async fn run(&self, connection: &mut Connection, number: usize) -> anyhow::Result<()> {
        let message = self.0.of(number);
        let answer = connection.ask(&[CALL, "cloak", MESSAGE, &message, "\"", END]).await?;
        let (cloaked, id) = result(answer)?;
        anyhow::ensure!(!is_same(cloaked, &message), "nothing was cloaked");
        let (cloaked, id) = (cloaked.to_owned(), id.to_owned());
        let parts = [CALL, "uncloak", MESSAGE, &cloaked, r#"","id":""#, &id, "\"", END];
        let (restored, _) = result(connection.ask(&parts).await?)?;
        anyhow::ensure!(is_same(restored, &message), "the text did not come back as it was");
        Ok(())
    }
}

/// Result and id that a tool answers with, as they stand in their strings.
fn result(answer: &str) -> anyhow::Result<(&str, &str)> {
    // Where the same stands in a text, its quotes are escaped.
    let content = answer.split_once(r#""structuredContent":{"#).map(|(_, content)| content);
    let field = |key| content.and_then(|content| string_after(content, key));
    let both = field(r#""result":""#).zip(field(r#","id":""#));
    both.context("a tool answered with an error")
}

/// The inside of the string that begins behind `key`.
fn string_after<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = json.split_once(key)?;
    let mut from = 0;
    loop {
        let at = from + rest.get(from..)?.find(['"', '\\'])?;
        if rest.get(at..)?.starts_with('"') {
            return rest.get(..at);
        }
        // What is escaped begins with one byte.
        from = at + 2;
    }
}

/// Whether two strings of JSON are the same text, however it is escaped.
fn is_same(one: &str, other: &str) -> bool {
    let decoded = |inside: &str| serde_json::from_str::<String>(&format!("\"{inside}\"")).ok();
    one == other || decoded(one).is_some_and(|one| Some(one) == decoded(other))
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

#[cfg(test)]
mod tests {
    use super::{is_same, result, string_after};

    #[test]
    fn strings_end_at_the_quote_that_is_not_escaped() {
        for (json, expected) in [
            (r#"{"a":"b","message":"x"}"#, Some("x")),
            (r#"{"message":"x\"y\\","id":"z"}"#, Some(r#"x\"y\\"#)),
            (r#"{"message":"x\""#, None),
            (r#"{"text":"\"message\":\"no\"","message":"yes"}"#, Some("yes")),
        ] {
            assert_eq!(string_after(json, r#""message":""#), expected, "{json}");
        }
    }

    #[test]
    fn results_are_those_of_the_structured_content() {
        let answer = r#"{"text":"{\"result\":\"no\"}","structuredContent":{"result":"a\nb","id":"7"}}"#;
        assert_eq!(result(answer).unwrap(), (r"a\nb", "7"));
        assert!(result(r#"{"content":[],"isError":true}"#).is_err());
        assert!(is_same(r"a\nb", r"a\u000ab") && !is_same("a", "b"));
    }
}
