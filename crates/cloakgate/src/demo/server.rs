//! The sample server: an MCP server over stdio with customers, a mail, a log, and a folder of notes.
//!
//! In: one message a line. Out: one answer a line, and in its folder the notes that it was told to write and a
//! record of the calls that it got, so that the demo can show the far side.
//! Invariant: it writes nowhere but into its folder. Not here: anything of the gateway.

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

use super::sample;

/// Calls and answers, one JSON object a line.
pub(super) const RECORD: &str = "calls.jsonl";
/// Folder of the notes.
pub(super) const NOTES: &str = "notes";

const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// Serves until the input ends.
///
/// # Errors
/// When the folder, the input or the output cannot be used.
pub(crate) fn run(folder: &Path) -> anyhow::Result<()> {
    let server = Server { folder: folder.to_owned() };
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("cannot read the input")?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        if let Some(answer) = server.answer(&message)? {
            writeln!(output, "{answer}").and_then(|()| output.flush()).context("cannot write an answer")?;
        }
    }
    Ok(())
}

struct Server {
    folder: PathBuf,
}

impl Server {
    fn answer(&self, message: &Value) -> anyhow::Result<Option<Value>> {
        let Some(id) = message.get("id") else { return Ok(None) };
        let params = message.get("params").cloned().unwrap_or_default();
        let outcome = match message.get("method").and_then(Value::as_str).unwrap_or_default() {
            "initialize" => Ok(handshake(&params)),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": tools() })),
            "tools/call" => self.call(&params)?,
            _ => Err((METHOD_NOT_FOUND, "no such method")),
        };
        Ok(Some(match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, text)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
            }
        }))
    }

    fn call(&self, params: &Value) -> anyhow::Result<Result<Value, (i32, &'static str)>> {
        let arguments = params.get("arguments").cloned().unwrap_or_default();
        let tool = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let result = match tool {
            "list_customers" => {
                let rows = json!({"customers": sample::customers()});
                json!({"content": [text(&rows.to_string())], "structuredContent": rows})
            }
            "read_mail" => json!({"content": [text(sample::MAIL)]}),
            "read_log" => json!({"content": [text(sample::LOG)]}),
            "write_note" => match self.write_note(&arguments)? {
                Some(name) => json!({"content": [text(&format!("wrote {name}"))]}),
                None => return Ok(Err((INVALID_PARAMS, "a note needs a plain file name and a text"))),
            },
            _ => return Ok(Err((INVALID_PARAMS, "no such tool"))),
        };
        self.record(&json!({"tool": tool, "arguments": arguments, "result": result}))?;
        Ok(Ok(result))
    }

    fn write_note(&self, arguments: &Value) -> anyhow::Result<Option<String>> {
        let field = |name| arguments.get(name).and_then(Value::as_str);
        let (Some(name), Some(content)) = (field("name"), field("text")) else { return Ok(None) };
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', ':']) {
            return Ok(None);
        }
        let notes = self.folder.join(NOTES);
        std::fs::create_dir_all(&notes).context("cannot make the folder of the notes")?;
        std::fs::write(notes.join(name), content).context("cannot write the note")?;
        Ok(Some(name.to_owned()))
    }

    fn record(&self, call: &Value) -> anyhow::Result<()> {
        let file = self.folder.join(RECORD);
        let mut file =
            OpenOptions::new().create(true).append(true).open(file).context("cannot open the record")?;
        writeln!(file, "{call}").context("cannot write the record")
    }
}

fn handshake(params: &Value) -> Value {
    json!({
        "protocolVersion": params.get("protocolVersion"),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "sample", "version": env!("CARGO_PKG_VERSION")},
    })
}

fn tools() -> Value {
    let no_arguments = json!({"type": "object", "properties": {}});
    let note = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
        "required": ["name", "text"],
    });
    json!([
        {"name": "list_customers", "description": "All customers", "inputSchema": no_arguments},
        {"name": "read_mail", "description": "The newest mail", "inputSchema": no_arguments},
        {"name": "read_log", "description": "The last lines of the log", "inputSchema": no_arguments},
        {"name": "write_note", "description": "Write a note into the folder of notes", "inputSchema": note},
    ])
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{NOTES, Server};

    #[test]
    fn a_note_stays_in_its_folder() {
        let folder = std::env::temp_dir().join(format!("cloakgate-sample-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let server = Server { folder: folder.clone() };
        for (name, written) in
            [("a.md", true), ("../a.md", false), ("/a.md", false), ("", false), ("..", false)]
        {
            let wrote = server.write_note(&json!({"name": name, "text": "b"})).unwrap();
            assert_eq!(wrote.is_some(), written, "{name}");
        }
        assert_eq!(std::fs::read_to_string(folder.join(NOTES).join("a.md")).unwrap(), "b");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_request_is_answered() {
        let server = Server { folder: std::env::temp_dir() };
        let answer = |message| server.answer(&message).unwrap();
        assert!(answer(json!({"method": "notifications/initialized"})).is_none());
        for method in ["initialize", "ping", "tools/list", "tools/call", "resources/list"] {
            let answer = answer(json!({"id": "1", "method": method})).unwrap();
            assert_eq!(answer["id"], json!("1"), "{method}");
        }
    }
}
