//! A server that runs its tools as tasks (revision 2025-11-25), and asks the client to run one for it.
//!
//! In: lines of JSON-RPC. Out: answers, and what a task says on its way. A task moves on when it is asked about: the
//! first `tasks/get` finds it working, the second completed, and `tasks/result` completes it. Invariant: ids of tasks
//! hold an address, as a careless server's may. Each line received goes to a file, as it came.
//!
//! Tools: `export` gives what it was called with, by its schema; `fail` ends in an error; `confirm` asks the person in
//! between; `ask` is no task, but has the client sample as one and answers with what came of it.

#![expect(
    clippy::indexing_slicing,
    reason = "of a value that is no object, or lacks the member, it gives null"
)]

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::lines::Handler;

/// Whose data the tasks are about.
const PERSON: &str = "marie.dubois@example.eu";
const PAGE: usize = 2;
const TIME: &str = "2026-01-02T03:04:05Z";
const RELATED: &str = "io.modelcontextprotocol/related-task";

/// The server.
#[derive(Debug)]
pub struct TaskServer {
    received: Option<File>,
    version: String,
    tasks: IndexMap<String, Task>,
    /// What is answered once the client has answered: by our id of the request.
    waiting: IndexMap<String, Waiting>,
}

#[derive(Debug)]
struct Task {
    tool: String,
    arguments: Value,
    progress: Value,
    status: &'static str,
    looks: u32,
}

/// What an answer of the client is for.
#[derive(Debug)]
enum Waiting {
    /// The answer to `tasks/result` of this request, for this task.
    Confirmation { request: Value, task: String },
    /// The task that the client has begun for the tool call with this id.
    Begun { call: Value },
    /// How far it is.
    State { call: Value, task: String },
    /// What came of it.
    Sampled { call: Value },
}

impl TaskServer {
    /// A server that says it speaks `version` and appends what it is sent to the file `received`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn new(version: &str, received: Option<&Path>) -> io::Result<Self> {
        let received =
            received.map(|path| File::options().create(true).append(true).open(path)).transpose()?;
        let (tasks, waiting) = (IndexMap::new(), IndexMap::new());
        Ok(Self { received, version: version.to_owned(), tasks, waiting })
    }

    fn greeting(&self) -> Value {
        json!({
            "protocolVersion": self.version,
            "capabilities": {"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}},
            "serverInfo": {"name": "tasks", "version": "1.0"},
        })
    }

    fn request(&mut self, method: &str, id: &Value, params: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        match method {
            "initialize" => answer(out, id, &self.greeting()),
            "ping" => answer(out, id, &json!({})),
            "tools/list" => answer(out, id, &tools()),
            "tools/call" => self.call(id, params, out),
            "tasks/list" => answer(out, id, &self.list(params)),
            "tasks/get" | "tasks/result" | "tasks/cancel" => {
                let name = params["taskId"].as_str().unwrap_or_default().to_owned();
                if !self.tasks.contains_key(&name) {
                    return refuse(out, id, &format!("no task {name}"));
                }
                match method {
                    "tasks/get" => self.look(&name, id, out),
                    "tasks/result" => self.finish(&name, id, out),
                    _ => {
                        self.set(&name, "cancelled");
                        answer(out, id, &self.state(&name))
                    }
                }
            }
            _ => say(
                out,
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "method not found"}}),
            ),
        }
    }

    fn call(&mut self, id: &Value, params: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        let tool = params["name"].as_str().unwrap_or_default();
        if tool == "ask" {
            let asked = json!({"messages": [{"role": "user", "content": {"type": "text", "text": format!("Write to {PERSON}")}}],
                "maxTokens": 10, "task": {"ttl": 60000}, "_meta": {"progressToken": "asked"}});
            let waiting = Waiting::Begun { call: id.clone() };
            return self.ask("sampling/createMessage", &asked, waiting, out);
        }
        let task = Task {
            tool: tool.to_owned(),
            arguments: params["arguments"].clone(),
            progress: params["_meta"]["progressToken"].clone(),
            status: "working",
            looks: 0,
        };
        if !params["task"].is_object() {
            return match outcome(&task, &json!({})) {
                Ok(result) => answer(out, id, &result),
                Err(text) => refuse(out, id, &text),
            };
        }
        let name = format!("{PERSON}#{}", self.tasks.len() + 1);
        self.tasks.insert(name.clone(), task);
        answer(out, id, &json!({"task": self.state(&name)}))?;
        self.tell(&name, out)
    }

    fn set(&mut self, name: &str, status: &'static str) {
        if let Some(task) = self.tasks.get_mut(name) {
            task.status = status;
        }
    }

    fn state(&self, name: &str) -> Value {
        let status = self.tasks.get(name).map_or("failed", |task| task.status);
        json!({"taskId": name, "status": status, "statusMessage": format!("{status} for {PERSON}"),
            "createdAt": TIME, "lastUpdatedAt": TIME, "ttl": 60000, "pollInterval": 10})
    }

    fn tell(&self, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
        let state = self.state(name);
        say(out, &json!({"jsonrpc": "2.0", "method": "notifications/tasks/status", "params": state}))
    }

    fn look(&mut self, name: &str, id: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(task) = self.tasks.get_mut(name) else { return Ok(()) };
        task.looks += 1;
        if task.status == "working" {
            if !task.progress.is_null() {
                let params = json!({"progressToken": task.progress, "progress": task.looks, "message": format!("row of {PERSON}")});
                say(out, &json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))?;
            }
            if task.looks > 1 {
                task.status = "completed";
                self.tell(name, out)?;
            }
        }
        answer(out, id, &self.state(name))
    }

    fn finish(&mut self, name: &str, id: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        let is_open =
            self.tasks.get(name).is_some_and(|task| task.tool == "confirm" && task.status == "working");
        if is_open {
            self.set(name, "input_required");
            self.tell(name, out)?;
            let asked = json!({"message": format!("Send to {PERSON}?"), "_meta": {RELATED: {"taskId": name}},
                "requestedSchema": {"type": "object", "properties": {"to": {"type": "string"}}}});
            let waiting = Waiting::Confirmation { request: id.clone(), task: name.to_owned() };
            return self.ask("elicitation/create", &asked, waiting, out);
        }
        self.give(name, id, &json!({}), out)
    }

    /// Answers `tasks/result`.
    fn give(&mut self, name: &str, id: &Value, confirmed: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        if self.tasks.get(name).is_some_and(|task| task.status != "cancelled") {
            self.set(name, "completed");
        }
        self.tell(name, out)?;
        let Some(task) = self.tasks.get(name) else { return Ok(()) };
        match outcome(task, confirmed) {
            Ok(mut result) => {
                result["_meta"] = json!({RELATED: {"taskId": name}});
                answer(out, id, &result)
            }
            Err(text) => refuse(out, id, &text),
        }
    }

    fn list(&self, params: &Value) -> Value {
        let from = params["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let names: Vec<&String> = self.tasks.keys().skip(from).collect();
        let tasks: Vec<Value> = names.iter().take(PAGE).map(|name| self.state(name)).collect();
        let mut page = json!({"tasks": tasks});
        if names.len() > PAGE {
            page["nextCursor"] = json!((from + PAGE).to_string());
        }
        page
    }

    fn ask(&mut self, method: &str, params: &Value, waiting: Waiting, out: &mut Vec<u8>) -> io::Result<()> {
        let id = format!("ask-{}", self.waiting.len() + 1);
        say(out, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        self.waiting.insert(id, waiting);
        Ok(())
    }

    /// Goes on with what the client has answered.
    fn answered(&mut self, id: &str, message: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        let result = &message["result"];
        let waiting = self.waiting.get(id);
        match waiting {
            Some(Waiting::Confirmation { request, task }) => {
                let (request, task) = (request.clone(), task.clone());
                self.give(&task, &request, &result["content"], out)
            }
            Some(Waiting::Begun { call }) => {
                let (call, task) =
                    (call.clone(), result["task"]["taskId"].as_str().unwrap_or_default().to_owned());
                if task.is_empty() {
                    return answer(out, &call, &text(&format!("no task: {message}")));
                }
                let params = json!({"taskId": task});
                self.ask("tasks/get", &params, Waiting::State { call, task }, out)
            }
            Some(Waiting::State { call, task }) => {
                let (call, params) = (call.clone(), json!({"taskId": task}));
                self.ask("tasks/result", &params, Waiting::Sampled { call }, out)
            }
            Some(Waiting::Sampled { call }) => {
                let call = call.clone();
                answer(out, &call, &text(&format!("sampled: {}", result["content"]["text"])))
            }
            None => Ok(()),
        }
    }
}

impl Handler for TaskServer {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        if let Some(received) = &mut self.received {
            received.write_all(line)?;
            received.write_all(b"\n")?;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return Ok(()) };
        let id = &message["id"];
        match message["method"].as_str() {
            Some(method) if !id.is_null() => self.request(method, id, &message["params"], out),
            Some(_) => Ok(()),
            None => self.answered(id.as_str().unwrap_or_default(), &message, out),
        }
    }
}

fn tools() -> Value {
    let tool = |name: &str, support: &str| json!({"name": name, "inputSchema": {"type": "object"}, "execution": {"taskSupport": support}});
    let mut export = tool("export", "optional");
    export["outputSchema"] = json!({"type": "object", "properties": {"owner": {"type": "string"}}});
    json!({"tools": [export, tool("fail", "optional"), tool("confirm", "required"), tool("ask", "forbidden")]})
}

/// What a task comes to.
fn outcome(task: &Task, confirmed: &Value) -> Result<Value, String> {
    match task.tool.as_str() {
        "export" => Ok(json!({
            "content": [{"type": "text", "text": format!("of {PERSON}, for {}", task.arguments)}],
            "structuredContent": {"owner": PERSON, "count": 2},
        })),
        "confirm" => Ok(text(&format!("sent to {}", confirmed["to"]))),
        "fail" => Err(format!("{PERSON} has no access")),
        _ => Err("unknown tool".to_owned()),
    }
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn say(out: &mut Vec<u8>, message: &Value) -> io::Result<()> {
    writeln!(out, "{message}")
}

fn answer(out: &mut Vec<u8>, id: &Value, result: &Value) -> io::Result<()> {
    say(out, &json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn refuse(out: &mut Vec<u8>, id: &Value, text: &str) -> io::Result<()> {
    say(out, &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": text}}))
}
