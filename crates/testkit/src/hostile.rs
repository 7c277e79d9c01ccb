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
//! listed with an empty schema. In raw values `"$id"` and `"$progressToken"` stand for those of the request. A
//! script that is followed live is read anew for each line, so that a test can change it in the middle.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lines::Handler;
use crate::message::{self, Incoming, Params};

const DEFAULT_INITIALIZE: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1.0"}}"#;
/// Lines of a flood are written once there are this many bytes.
const WRITE_BYTES: usize = 64 << 10;
const UNKNOWN_METHOD: &[u8] = br#"{"code":-32601,"message":"method not found"}"#;
const UNKNOWN_TOOL: &[u8] = br#"{"code":-32602,"message":"unknown tool"}"#;

/// What the server does.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    initialize: Option<Box<RawValue>>,
    methods: IndexMap<String, Vec<Step>>,
    tools: IndexMap<String, Vec<Step>>,
}

/// One thing to do; the steps of an entry are done in order.
#[derive(Clone, Debug, Deserialize)]
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
    /// The same with the id at the end of the message.
    OversizedIdLast(usize),
    /// Send a raw message this many times.
    Repeat(usize, Box<RawValue>),
    /// Leave the rest of the steps until the other side answers something.
    AwaitAnswer,
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
    live: Option<PathBuf>,
    received: Option<File>,
    waiting: VecDeque<Rest>,
}

/// Steps that are left until an answer comes.
#[derive(Debug)]
struct Rest {
    steps: Vec<Step>,
    request: Asked,
}

/// What steps use of the request that they belong to.
#[derive(Clone, Debug)]
struct Asked {
    id: Option<Box<RawValue>>,
    progress_token: Option<Box<RawValue>>,
}

impl Hostile {
    /// A server that follows `script` and appends what it is sent to the file `received`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn new(script: Script, received: Option<&Path>) -> io::Result<Self> {
        let received =
            received.map(|path| File::options().create(true).append(true).open(path)).transpose()?;
        Ok(Self { script, live: None, received, waiting: VecDeque::new() })
    }

    /// The same with a script that is read anew for each line.
    ///
    /// # Errors
    /// When the file of what is received cannot be opened.
    pub fn live(script: &Path, received: Option<&Path>) -> io::Result<Self> {
        Ok(Self { live: Some(script.to_owned()), ..Self::new(Script::default(), received)? })
    }

    fn read_again(&mut self) -> io::Result<()> {
        if let Some(file) = &self.live {
            self.script = Script::parse(&std::fs::read_to_string(file)?)?;
        }
        Ok(())
    }

    /// Performs steps up to the next that waits.
    fn follow(&mut self, mut steps: Vec<Step>, request: Asked, out: &mut Vec<u8>) -> io::Result<()> {
        let wait = steps.iter().position(|step| matches!(step, Step::AwaitAnswer));
        let rest = wait.map(|wait| steps.split_off(wait));
        for step in &steps {
            perform(step, &request, out)?;
        }
        if let Some(rest) = rest {
            self.waiting.push_back(Rest { steps: rest.into_iter().skip(1).collect(), request });
        }
        Ok(())
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
        self.read_again()?;
        let Some(method) = incoming.method.as_deref() else {
            return match self.waiting.pop_front() {
                Some(rest) => self.follow(rest.steps, rest.request, out),
                None => Ok(()),
            };
        };
        let params = incoming.params();
        match (self.steps(method, &params).map(<[Step]>::to_vec), incoming.id) {
            (Some(steps), id) => {
                let progress_token = params.meta.get("progressToken").map(|raw| (*raw).to_owned());
                self.follow(steps, Asked { id: id.map(ToOwned::to_owned), progress_token }, out)
            }
            (None, Some(id)) => {
                self.fallback(id, method, out);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}

fn perform(step: &Step, request: &Asked, out: &mut Vec<u8>) -> io::Result<()> {
    match (step, request.id.as_deref()) {
        (Step::Result(raw), Some(id)) => message::result(out, id, filled_in(raw, request).as_bytes()),
        (Step::Error(raw), Some(id)) => message::error(out, id, filled_in(raw, request).as_bytes()),
        (Step::Oversized(bytes), Some(id)) => message::result(out, id, padding(*bytes).as_bytes()),
        (Step::OversizedIdLast(bytes), Some(id)) => {
            writeln!(out, "{{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":{}}}", padding(*bytes), id.get())?;
        }
        (Step::Result(_) | Step::Error(_) | Step::Oversized(_) | Step::OversizedIdLast(_), None)
        | (Step::AwaitAnswer, _) => {}
        (Step::Send(raw), _) => writeln!(out, "{}", filled_in(raw, request))?,
        (Step::Repeat(times, raw), _) => {
            let line = filled_in(raw, request);
            for _ in 0..*times {
                writeln!(out, "{line}")?;
                if out.len() > WRITE_BYTES {
                    write_now(out)?;
                }
            }
        }
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

fn padding(bytes: usize) -> String {
    format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}", "x".repeat(bytes))
}

/// The raw value on one line, with what stands for parts of the request filled in.
fn filled_in(raw: &RawValue, request: &Asked) -> String {
    let mut text = raw.get().replace(['\n', '\r'], " ");
    for (name, part) in [("\"$id\"", &request.id), ("\"$progressToken\"", &request.progress_token)] {
        if let Some(part) = part {
            text = text.replace(name, part.get());
        }
    }
    text
}

fn write_now(out: &mut Vec<u8>) -> io::Result<()> {
    let mut output = io::stdout();
    output.write_all(out)?;
    out.clear();
    output.flush()
}
