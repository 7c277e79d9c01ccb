//! A server that does what a script says, however ill-mannered, and writes down what it was sent.
//!
//! In: a script (JSON) and lines of JSON-RPC. Out: the steps of the matching entry; each line received goes to
//! a file, as it came, so that a test can look at what the far side got.
//!
//! The script:
//!
//! ```json
//! {
//!   "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}},
//!   "methods": {"resources/list": [{"result": {"resources": []}}]},
//!   "tools": {"read": [{"send": {"jsonrpc": "2.0", "method": "notifications/message"}}, {"result": {"content": []}}]}
//! }
//! ```
//!
//! `tools` are the entries for `tools/call`, by name of the tool; unless `methods` has a `tools/list`, they are
//! listed with an empty schema. In raw values `"$id"` and `"$progressToken"` stand for those of the request.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lines::Handler;
use crate::message::{self, Incoming, Params};

const DEFAULT_INITIALIZE: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1.0"}}"#;
const UNKNOWN_METHOD: &[u8] = br#"{"code":-32601,"message":"method not found"}"#;
const UNKNOWN_TOOL: &[u8] = br#"{"code":-32602,"message":"unknown tool"}"#;

/// What the server does.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    initialize: Option<Box<RawValue>>,
    methods: IndexMap<String, Vec<Step>>,
    tools: IndexMap<String, Vec<Step>>,
}

/// One thing to do; the steps of an entry are done in order.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    /// Answer with this raw result.
    Result(Box<RawValue>),
    /// Answer with this raw error.
    Error(Box<RawValue>),
    /// Send this raw message.
    Send(Box<RawValue>),
    /// Write this text as a line, whatever it is.
    Line(String),
    /// Write this text without a line end.
    Half(String),
    /// Answer with a result that is padded to this many bytes.
    Oversized(usize),
    /// Wait, after what is there was written.
    SleepMs(u64),
    /// Write to the error output.
    Complain(String),
    /// End with this exit code.
    Exit(i32),
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// When the text is no script.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// The server.
#[derive(Debug)]
pub struct Hostile {
    script: Script,
    received: Option<File>,
}

impl Hostile {
    /// A server that follows `script` and appends what it is sent to the file `received`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn new(script: Script, received: Option<&Path>) -> io::Result<Self> {
        let received =
            received.map(|path| File::options().create(true).append(true).open(path)).transpose()?;
        Ok(Self { script, received })
    }

    fn steps(&self, method: &str, params: &Params<'_>) -> Option<&[Step]> {
        let tool = (method == "tools/call")
            .then(|| params.name.as_deref().and_then(|name| self.script.tools.get(name)));
        tool.flatten().or_else(|| self.script.methods.get(method)).map(Vec::as_slice)
    }

    /// What is answered to methods that the script does not speak of.
    fn fallback(&self, id: &RawValue, method: &str, out: &mut Vec<u8>) {
        match method {
            "initialize" => {
                let answer = self.script.initialize.as_ref().map_or(DEFAULT_INITIALIZE, |raw| raw.get());
                message::result(out, id, answer.as_bytes());
            }
            "ping" => message::result(out, id, b"{}"),
            "tools/list" => {
                let tools: Vec<_> = self
                    .script
                    .tools
                    .keys()
                    .map(|name| serde_json::json!({"name": name, "inputSchema": {"type": "object"}}))
                    .collect();
                message::result(out, id, serde_json::json!({ "tools": tools }).to_string().as_bytes());
            }
            "tools/call" => message::error(out, id, UNKNOWN_TOOL),
            _ => message::error(out, id, UNKNOWN_METHOD),
        }
    }
}

impl Handler for Hostile {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        if let Some(received) = &mut self.received {
            received.write_all(line)?;
            received.write_all(b"\n")?;
        }
        let Some(incoming) = Incoming::read(line) else { return Ok(()) };
        let Some(method) = incoming.method.as_deref() else { return Ok(()) };
        let params = incoming.params();
        match (self.steps(method, &params), incoming.id) {
            (Some(steps), id) => steps.iter().try_for_each(|step| perform(step, id, &params, out)),
            (None, Some(id)) => {
                self.fallback(id, method, out);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}

fn perform(step: &Step, id: Option<&RawValue>, params: &Params<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let filled = |raw: &RawValue| filled_in(raw, id, params);
    match (step, id) {
        (Step::Result(raw), Some(id)) => message::result(out, id, filled(raw).as_bytes()),
        (Step::Error(raw), Some(id)) => message::error(out, id, filled(raw).as_bytes()),
        (Step::Oversized(bytes), Some(id)) => {
            let padding = "x".repeat(*bytes);
            message::result(
                out,
                id,
                format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{padding}\"}}]}}").as_bytes(),
            );
        }
        (Step::Result(_) | Step::Error(_) | Step::Oversized(_), None) => {}
        (Step::Send(raw), _) => writeln!(out, "{}", filled(raw))?,
        (Step::Line(text), _) => writeln!(out, "{text}")?,
        (Step::Half(text), _) => write!(out, "{text}")?,
        (Step::SleepMs(milliseconds), _) => {
            write_now(out)?;
            std::thread::sleep(Duration::from_millis(*milliseconds));
        }
        (Step::Complain(text), _) => writeln!(io::stderr(), "{text}")?,
        (Step::Exit(code), _) => {
            write_now(out)?;
            std::process::exit(*code);
        }
    }
    Ok(())
}

/// The raw value on one line, with what stands for parts of the request filled in.
fn filled_in(raw: &RawValue, id: Option<&RawValue>, params: &Params<'_>) -> String {
    let mut text = raw.get().replace(['\n', '\r'], " ");
    if let Some(id) = id {
        text = text.replace("\"$id\"", id.get());
    }
    if let Some(token) = params.meta.get("progressToken") {
        text = text.replace("\"$progressToken\"", token.get());
    }
    text
}

fn write_now(out: &mut Vec<u8>) -> io::Result<()> {
    let mut output = io::stdout();
    output.write_all(out)?;
    out.clear();
    output.flush()
}
