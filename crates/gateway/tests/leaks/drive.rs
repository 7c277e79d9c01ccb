//! Brings a message to the client, or to the server, in the way of its kind.

use cloakgate_mcp::Part;
use cloakgate_testkit::{LineDirection, Scene};
use serde_json::{Value, json};

use crate::positions::{Position, least_params};
use crate::running::{Running, serve_as, start};
use crate::values::introduction;

/// A gateway with one scripted server `s` behind it.
pub(crate) struct Probe {
    pub(crate) scene: Scene,
    pub(crate) running: Running,
    revision: String,
    task: Option<String>,
    client_task: Option<String>,
}

/// What both sides call their only task.
pub(crate) const TASK: &str = "task-1";

/// Whether values are cloaked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sanitize {
    On,
    Off,
}

/// When the client answers what it is asked.
#[derive(Clone, Copy)]
enum Answers {
    AtOnce,
    /// After what it asked itself was answered.
    AtLast,
}

fn greeting(revision: &str) -> Value {
    json!({
        "protocolVersion": revision,
        "capabilities": {
            "tools": {}, "prompts": {}, "resources": {"subscribe": true}, "completions": {}, "logging": {},
            "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        },
        "serverInfo": {"name": "s", "version": "1"},
    })
}

fn probe_call() -> Value {
    json!({"name": "s__probe", "arguments": {}, "_meta": {"progressToken": "p-1"}})
}

/// A question of the server, by the id `ask`.
pub(crate) fn ask(method: &str) -> Value {
    ask_with(method, least_params(method))
}

/// The same with parameters.
pub(crate) fn ask_with(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"progressToken": "asked"});
    json!({"jsonrpc": "2.0", "id": "ask", "method": method, "params": params})
}

fn scene(name: &str, script: &Value, sanitize: Sanitize) -> Scene {
    Scene::new(name).scripted("s", script).with("sanitize", json!(sanitize == Sanitize::On))
}

/// A handshake alone, with a server that answers it by `step`: what the client received.
pub(crate) fn handshake(name: &str, revision: &str, sanitize: Sanitize, step: &Value) -> Vec<String> {
    let scene = scene(name, &json!({"methods": {"initialize": [step]}}), sanitize);
    let (running, answer) = serve_as(&scene, revision);
    let (mut received, _ended) = running.end();
    received.push(answer.raw);
    received
}

/// The handshake with parameters of the client's own: what the server was sent.
pub(crate) fn greeted_with(name: &str, params: &Value) -> Vec<String> {
    let scene = scene(name, &json!({}), Sanitize::On);
    let mut running = start(&scene, |reader| reader);
    running.client.request("initialize", params).expect("an answer");
    let (_, _ended) = running.end();
    scene.received("s")
}

impl Probe {
    /// Starts a session.
    pub(crate) fn new(name: &str, revision: &str, sanitize: Sanitize) -> Self {
        let scene = scene(name, &json!({"initialize": greeting(revision)}), sanitize);
        let (running, answer) = serve_as(&scene, revision);
        assert!(answer.error().is_null(), "{}", answer.raw);
        Self { scene, running, revision: revision.to_owned(), task: None, client_task: None }
    }

    /// The least parameters of a request of the client, about a task that the server runs where it is about one.
    pub(crate) fn params(&mut self, method: &str) -> Value {
        let mut params = least_params(method);
        if method.starts_with("tasks/") && method != "tasks/list" {
            params["taskId"] = json!(self.task());
        }
        params
    }

    /// What the client calls a task that the server runs.
    pub(crate) fn task(&mut self) -> String {
        if self.task.is_none() {
            let begun = json!({"task": {"taskId": TASK, "status": "working"}});
            self.call(&json!([{ "result": begun }]));
            self.task = self.last_result()["task"]["taskId"].as_str().map(ToOwned::to_owned);
        }
        self.task.clone().expect("a task")
    }

    /// What the server calls a task that the client runs for it.
    pub(crate) fn client_task(&mut self) -> String {
        if self.client_task.is_none() {
            let mut params = least_params("sampling/createMessage");
            params["task"] = json!({"ttl": 1000});
            let asked = ask_with("sampling/createMessage", params);
            self.script(&json!({}), &json!([{"send": asked}, "await_answer", {"result": {"content": []}}]));
            let begun = json!({"result": {"task": {"taskId": TASK, "status": "working"}}});
            self.ask_and_reply("tools/call", &probe_call(), &begun);
            let line = self.scene.wait_received("s", |line| line.contains("\"task\":{"));
            let line: Value = serde_json::from_str(&line).expect("JSON");
            self.client_task = line["result"]["task"]["taskId"].as_str().map(ToOwned::to_owned);
        }
        self.client_task.clone().expect("a task")
    }

    /// Puts a script in force.
    pub(crate) fn script(&self, methods: &Value, probe: &Value) {
        let script =
            json!({"initialize": greeting(&self.revision), "methods": methods, "tools": {"probe": probe}});
        self.scene.script("s", &script.to_string());
    }

    /// Lets the server show every value, with what each needs to be found. Gives what the client got.
    pub(crate) fn introduce(&mut self) -> Value {
        self.call(&json!([{"result": {"content": [], "structuredContent": introduction()}}]));
        self.last_result()["structuredContent"].take()
    }

    /// Calls the tool `probe`, which does `steps`; gives all lines that the client received on it.
    pub(crate) fn call(&mut self, steps: &Value) -> Vec<String> {
        self.script(&json!({}), steps);
        self.ask("tools/call", &probe_call())
    }

    /// The same with steps that are no value: a key twice, escapes as they are.
    pub(crate) fn call_raw(&mut self, steps: &str) -> Vec<String> {
        let greeting = greeting(&self.revision);
        self.scene.script("s", &format!(r#"{{"initialize":{greeting},"tools":{{"probe":{steps}}}}}"#));
        self.ask("tools/call", &probe_call())
    }

    /// Asks and answers what is asked back, with `{}`; gives all lines that the client received.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Vec<String> {
        self.ask_and_reply(method, params, &json!({"result": {}}))
    }

    /// The same with an answer of the client's own to what is asked back.
    pub(crate) fn ask_and_reply(&mut self, method: &str, params: &Value, reply: &Value) -> Vec<String> {
        self.exchange(method, params, (reply, Answers::AtOnce))
    }

    /// The same with a client that answers what is asked back at once or at last.
    fn exchange(&mut self, method: &str, params: &Value, (reply, answers): (&Value, Answers)) -> Vec<String> {
        let client = &mut self.running.client;
        let before = client.transcript().len();
        let mut late = Vec::new();
        let id = client.start(method, params).expect("open");
        loop {
            let next = client.wait_for(method, |message| {
                let has_id = message.get("id").is_some();
                has_id && (message.get("method").is_some() || message["id"] == id)
            });
            let message = next.expect("an answer").message;
            if message.get("method").is_none() {
                break;
            }
            let mut answer = reply.clone();
            answer["jsonrpc"] = json!("2.0");
            answer["id"] = message["id"].clone();
            match answers {
                Answers::AtOnce => client.send_raw(&answer.to_string()).expect("open"),
                Answers::AtLast => late.push(answer),
            }
        }
        for answer in late {
            client.send_raw(&answer.to_string()).expect("open");
        }
        let lines = &client.transcript()[before..];
        let received = lines.iter().filter(|line| line.direction == LineDirection::Received);
        received.map(|line| line.text.clone()).collect()
    }

    /// The result of the answer that came last.
    pub(crate) fn last_result(&self) -> Value {
        let mut lines = self.running.client.transcript().iter().rev();
        let last = lines.find_map(|line| {
            let mut message: Value = serde_json::from_str(&line.text).ok()?;
            (line.direction == LineDirection::Received).then(|| message["result"].take())
        });
        last.unwrap_or_default()
    }

    /// Lets the server say `body` as what the position's message is; gives all lines that the client received.
    pub(crate) fn down(&mut self, position: &Position, body: &Value) -> Vec<String> {
        let (method, result) = (position.method, json!({"result": {"content": []}}));
        if position.is_about_tasks() {
            self.task();
        }
        match position.part {
            // A server calls off what it asked itself. A client that has answered by then never hears of it.
            Part::Notification if method == "notifications/cancelled" => {
                let off = json!({"jsonrpc": "2.0", "method": method, "params": body});
                let steps = json!([{"send": ask("sampling/createMessage")}, {"send": off}, result]);
                self.script(&json!({}), &steps);
                self.exchange("tools/call", &probe_call(), (&json!({"result": {}}), Answers::AtLast))
            }
            Part::Notification => {
                self.call(&json!([{"send": {"jsonrpc": "2.0", "method": method, "params": body}}, result]))
            }
            Part::Params => self.call(&json!([
                {"send": {"jsonrpc": "2.0", "id": "ask", "method": method, "params": body}}, "await_answer", result
            ])),
            Part::Result | Part::Error => {
                let outcome = if position.part == Part::Result { "result" } else { "error" };
                if method == "tools/call" {
                    return self.call(&json!([{outcome: body}]));
                }
                self.script(&json!({method: [{outcome: body}]}), &json!([result]));
                let params = self.params(method);
                self.ask(method, &params)
            }
        }
    }
}
