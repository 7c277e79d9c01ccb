//! A session with scripted servers that do what a test says, call by call.

use cloakgate_testkit::{Answer, LineDirection, Scene, Watch};
use serde_json::{Value, json};

use crate::running::{Running, serve_as};

const REVISION: &str = "2025-06-18";

/// A gateway, its client and scripted servers, each with the tool `act`.
pub(crate) struct Session {
    pub(crate) scene: Scene,
    pub(crate) running: Running,
}

fn script(steps: &Value) -> String {
    json!({"tools": {"act": steps}}).to_string()
}

/// A scene with servers that are called `a`, `b` and so on.
pub(crate) fn scene(name: &str, servers: &[&str]) -> Scene {
    let add = |scene: Scene, server: &&str| scene.scripted(server, &json!({"tools": {"act": []}}));
    servers.iter().fold(Scene::new(name), add)
}

impl Session {
    /// Starts a scene.
    pub(crate) fn open(scene: Scene) -> Self {
        let (running, answer) = serve_as(&scene, REVISION);
        assert!(answer.error().is_null(), "{}", answer.raw);
        Self { scene, running }
    }

    /// Servers that are called `a`, `b` and so on, with nothing set.
    pub(crate) fn with(name: &str, servers: &[&str]) -> Self {
        Self::open(scene(name, servers))
    }

    /// Calls a server's tool, which does `steps`.
    pub(crate) fn does(&mut self, server: &str, steps: &Value) -> Answer {
        self.scene.script(server, &script(steps));
        self.running.client.call(&format!("{server}__act"), &json!({})).expect("an answer")
    }

    /// A server answers with a text; gives what the model sees.
    pub(crate) fn says(&mut self, server: &str, text: &str) -> String {
        let answer = self.does(server, &json!([{"result": {"content": [{"type": "text", "text": text}]}}]));
        answer.text().unwrap_or_else(|| panic!("{}", answer.raw)).to_owned()
    }

    /// A server answers with structured content; gives what the model sees.
    pub(crate) fn shows(&mut self, server: &str, structured: &Value) -> Value {
        let answer =
            self.does(server, &json!([{"result": {"content": [], "structuredContent": structured}}]));
        assert!(answer.error().is_null(), "{}", answer.raw);
        answer.result()["structuredContent"].clone()
    }

    /// The token for a value that a server shows under a key.
    pub(crate) fn token(&mut self, server: &str, key: &str, value: &str) -> String {
        let token = self.shows(server, &json!({key: value}))[key].as_str().expect("a text").to_owned();
        assert!(token.starts_with('[') && token != value, "{key}: {value} was not cloaked: {token}");
        token
    }

    /// The model calls a server's tool: the arguments that the server got, or the error that the model got.
    pub(crate) fn sends(&mut self, server: &str, arguments: &Value) -> Result<Value, Answer> {
        self.sends_raw(server, &arguments.to_string())
    }

    /// The same with arguments that are no value: a key twice, numbers as they are.
    pub(crate) fn sends_raw(&mut self, server: &str, arguments: &str) -> Result<Value, Answer> {
        self.scene.script(server, &script(&json!([{"result": {"content": []}}])));
        let before = self.scene.received(server).len();
        let client = &mut self.running.client;
        let id = format!("raw-{}", client.transcript().len());
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{{"name":"{server}__act","arguments":{arguments}}}}}"#
        );
        client.send_raw(&call).expect("open");
        let answer = client.wait_for("a call", |message| message["id"] == json!(id)).expect("an answer");
        if !answer.error().is_null() || answer.result()["isError"] == true {
            let lines = self.scene.received(server).split_off(before);
            assert!(
                !lines.iter().any(|line| line.contains("tools/call")),
                "refused and passed on: {lines:?}"
            );
            return Err(answer);
        }
        let lines = self.scene.received(server).split_off(before);
        let call = lines.iter().find(|line| line.contains("tools/call")).expect("a call");
        let mut call: Value = serde_json::from_str(call).expect("JSON");
        Ok(call["params"]["arguments"].take())
    }

    /// True when a server was ever sent a value.
    pub(crate) fn got(&self, server: &str, value: &str) -> bool {
        let watch = Watch::new(value);
        self.scene.received(server).iter().any(|line| watch.sees(line))
    }

    /// True when the client ever received a value.
    pub(crate) fn client_saw(&self, value: &str) -> bool {
        let watch = Watch::new(value);
        let lines = self.running.client.transcript().iter();
        lines.filter(|line| line.direction == LineDirection::Received).any(|line| watch.sees(&line.text))
    }
}
