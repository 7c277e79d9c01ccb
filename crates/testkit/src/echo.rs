//! An honest and fast server: echoes, rows, an error, a canned result; two resources, two prompts.
//!
//! In: lines of JSON-RPC. Out: answers in order. It looks at as little of a message as it can, so that what is
//! measured behind a gateway is the gateway.

use std::io::{self, Write};

use serde_json::value::RawValue;

use crate::lines::Handler;
use crate::message::{self, Incoming, Params};

const CAPABILITIES: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}}"#;
const TOOLS: &[u8] = br#"{"tools":[{"name":"echo","description":"Gives the text back.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"rows","description":"Gives many rows.","inputSchema":{"type":"object","properties":{"count":{"type":"integer"}}},"outputSchema":{"type":"object","properties":{"rows":{"type":"array"}}}},{"name":"fail","description":"Fails.","inputSchema":{"type":"object"}},{"name":"raw","description":"Gives a canned result.","inputSchema":{"type":"object"}}]}"#;
const RESOURCES: &[u8] = br#"{"resources":[{"uri":"note://welcome","name":"welcome","mimeType":"text/plain"},{"uri":"note://customers/marie.dubois@example.eu","name":"marie.dubois@example.eu","mimeType":"application/json"}]}"#;
const TEMPLATES: &[u8] = br#"{"resourceTemplates":[{"uriTemplate":"note://{name}","name":"note"}]}"#;
const PROMPTS: &[u8] =
    br#"{"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]},{"name":"summary"}]}"#;
const COMPLETION: &[u8] =
    br#"{"completion":{"values":["marie.dubois@example.eu","welcome"],"hasMore":false}}"#;
const FAILURE: &[u8] = br#"{"code":-32050,"message":"no access for marie.dubois@example.eu","data":{"owner":"marie.dubois@example.eu","retry":false}}"#;
const UNKNOWN_METHOD: &[u8] = br#"{"code":-32601,"message":"method not found"}"#;
const BAD_PARAMS: &[u8] = br#"{"code":-32602,"message":"invalid params"}"#;
const EMPTY: &[u8] = b"{}";
const DEFAULT_ROWS: usize = 100;
const MOST_ROWS: usize = 1_000_000;

/// The server.
#[derive(Debug)]
pub struct Echo {
    raw: Vec<u8>,
}

impl Echo {
    /// A server whose tool `raw` answers with `raw`, one line of JSON, byte for byte.
    #[must_use]
    pub fn new(raw: impl Into<Vec<u8>>) -> Self {
        Self { raw: raw.into() }
    }

    fn call(&self, id: &RawValue, params: &Params<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        match params.name.as_deref() {
            Some("echo") => {
                let Some(text) = params.arguments.get("text") else { return bad(id, out) };
                head(out, id);
                out.extend_from_slice(b"{\"content\":[{\"type\":\"text\",\"text\":");
                // The argument is a JSON string already, so it can stand as it came.
                out.extend_from_slice(text.get().as_bytes());
                out.extend_from_slice(b"}]}");
                tail(out);
            }
            Some("rows") => {
                let count = params.arguments.get("count").and_then(|count| count.get().parse().ok());
                head(out, id);
                rows(out, count.unwrap_or(DEFAULT_ROWS).min(MOST_ROWS))?;
                tail(out);
            }
            Some("fail") => message::error(out, id, FAILURE),
            Some("raw") => message::result(out, id, &self.raw),
            _ => return bad(id, out),
        }
        Ok(())
    }
}

impl Handler for Echo {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let Some(incoming) = Incoming::read(line) else { return Ok(()) };
        let (Some(id), Some(method)) = (incoming.id, incoming.method.as_deref()) else { return Ok(()) };
        let params = incoming.params();
        let answer = match method {
            "tools/call" => return self.call(id, &params, out),
            "initialize" => return initialize(id, &params, out),
            "resources/read" => return read(id, &params, out),
            "prompts/get" => return prompt(id, &params, out),
            "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => EMPTY,
            "tools/list" => TOOLS,
            "resources/list" => RESOURCES,
            "resources/templates/list" => TEMPLATES,
            "prompts/list" => PROMPTS,
            "completion/complete" => COMPLETION,
            _ => {
                message::error(out, id, UNKNOWN_METHOD);
                return Ok(());
            }
        };
        message::result(out, id, answer);
        Ok(())
    }
}

fn initialize(id: &RawValue, params: &Params<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let version = serde_json::to_string(params.protocol_version.as_deref().unwrap_or("2025-06-18"))?;
    head(out, id);
    write!(
        out,
        "{{\"protocolVersion\":{version},\"capabilities\":{CAPABILITIES},\"serverInfo\":{{\"name\":\"echo\",\"version\":\
         \"1.0\"}},\"instructions\":\"Ask marie.dubois@example.eu for access.\"}}"
    )?;
    tail(out);
    Ok(())
}

fn read(id: &RawValue, params: &Params<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let Some(uri) = params.uri.as_deref() else { return bad(id, out) };
    let uri = serde_json::to_string(uri)?;
    head(out, id);
    write!(
        out,
        "{{\"contents\":[{{\"uri\":{uri},\"mimeType\":\"text/plain\",\"text\":\"Write to marie.dubois@example.eu.\"}}]}}"
    )?;
    tail(out);
    Ok(())
}

fn prompt(id: &RawValue, params: &Params<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let who = params.arguments.get("who").map_or("\"nobody\"", |who| who.get());
    head(out, id);
    write!(
        out,
        "{{\"messages\":[{{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":\"Greet this person.\"}}}},\
         {{\"role\":\"user\",\"content\":{{\"type\":\"text\",\"text\":{who}}}}}]}}"
    )?;
    tail(out);
    Ok(())
}

/// Rows of a customer table, each with values that are invented from its number, and the text copy.
fn rows(out: &mut Vec<u8>, count: usize) -> io::Result<()> {
    let mut rows = Vec::with_capacity(count.saturating_mul(100));
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        write!(
            rows,
            "{comma}{{\"id\":{number},\"email\":\"customer{number}@example.org\",\"city\":\"Lyon\",\"amount\":1.10}}"
        )?;
    }
    let rows = String::from_utf8(rows).map_err(io::Error::other)?;
    let text = serde_json::to_string(&format!("{{\"rows\":[{rows}]}}"))?;
    write!(
        out,
        "{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}],\"structuredContent\":{{\"rows\":[{rows}]}}}}"
    )
}

fn bad(id: &RawValue, out: &mut Vec<u8>) -> io::Result<()> {
    message::error(out, id, BAD_PARAMS);
    Ok(())
}

fn head(out: &mut Vec<u8>, id: &RawValue) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.extend_from_slice(id.get().as_bytes());
    out.extend_from_slice(b",\"result\":");
}

fn tail(out: &mut Vec<u8>) {
    out.extend_from_slice(b"}\n");
}
