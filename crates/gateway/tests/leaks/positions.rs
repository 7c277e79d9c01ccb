//! The list of positions, and messages with a value at one of them.

use std::collections::BTreeMap;

use cloakgate_cloak::Treatment;
use cloakgate_mcp::{Direction, Part, Revision};
use serde_json::{Value, json};

use crate::drive::TASK;

const PUBLISHED: &str = include_str!("../../../mcp/tests/string_paths.txt");
const LISTED: &str = include_str!("positions.txt");

/// One string of the published schemas.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) line: &'static str,
    pub(crate) revision: &'static str,
    pub(crate) method: &'static str,
    pub(crate) part: Part,
    pub(crate) direction: Direction,
    pub(crate) path: Vec<String>,
}

/// What is known to happen at a position where a value does not leave as the rule says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Listed {
    /// The value passes: the table makes the position exact or scans it only.
    Passes,
    /// A token arrives as it is: what stands there is no text that a model writes.
    Untouched,
    /// The value does not arrive even without cloaking: the gateway writes this part of the message itself.
    Authored,
}

/// All positions of revisions with a handshake, in one direction.
pub(crate) fn published(revision: &str, direction: Direction) -> Vec<Position> {
    let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    let positions = lines.map(|line| {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("five words a line");
        let (revision, method, part, way, path) = (word(), word(), word(), word(), word());
        let part = match part {
            "params" => Part::Params,
            "result" => Part::Result,
            "error" => Part::Error,
            _ => Part::Notification,
        };
        let direction = if way == "up" { Direction::Up } else { Direction::Down };
        let path = path.split('/').skip(1).map(|step| step.replace("~1", "/")).collect();
        Position { line, revision, method, part, direction, path }
    });
    positions.filter(|position| position.revision == revision && position.direction == direction).collect()
}

/// Where the schemas have objects and lists: the beginnings of all positions, as positions themselves.
pub(crate) fn containers(revision: &str) -> Vec<Position> {
    let mut containers: Vec<Position> = Vec::new();
    for position in published(revision, Direction::Down) {
        for length in 2..position.path.len() {
            let container = Position { path: position.path[..length].to_vec(), ..position.clone() };
            // The step before tells the kind of a block; the block itself was had without it.
            let is_kind = container.path.last().is_some_and(|step| step.starts_with("type="));
            let is_new = !containers.iter().any(|known| known.names() == container.names());
            if !is_kind && is_new {
                containers.push(container);
            }
        }
    }
    containers
}

/// The committed list of positions with something to be said about them.
pub(crate) fn listed() -> BTreeMap<&'static str, Listed> {
    let lines = LISTED.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let words = [Listed::Passes, Listed::Untouched, Listed::Authored];
    lines
        .map(|line| {
            let (line, word) = line.rsplit_once(' ').expect("a position and a word");
            (line, words.into_iter().find(|listed| listed.word() == word).expect("a known word"))
        })
        .collect()
}

impl Listed {
    /// How the list says it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Untouched => "untouched",
            Self::Authored => "authored",
        }
    }
}

impl Position {
    /// Whether its message speaks of a task that must be there first.
    pub(crate) fn is_about_tasks(&self) -> bool {
        self.method.contains("tasks/")
    }

    /// What tells it from others of its revision.
    pub(crate) fn names(&self) -> (&'static str, Part, &[String]) {
        (self.method, self.part, &self.path)
    }

    /// What the table decides.
    pub(crate) fn treatment(&self) -> Option<Treatment> {
        let steps: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let revision: Revision = self.revision.parse().expect("a revision");
        cloakgate_mcp::decided(revision, self.method, self.part, self.direction, &steps)
    }

    /// The value of `params`, `result` or `error` of a small message that has `leaf` at the position; free keys
    /// are called `member`.
    pub(crate) fn body(&self, member: &str, leaf: &Value) -> Value {
        let mut message = json!({});
        let root = self.path.first().expect("a step").as_str();
        message[root] = skeleton(self.method, self.part);
        let steps: Vec<&str> = self.path.iter().map(String::as_str).collect();
        put(&mut message, &steps, member, leaf);
        message[root].take()
    }
}

/// The parameters that a request of the method needs at least.
pub(crate) fn least_params(method: &str) -> Value {
    skeleton(method, Part::Params)
}

fn put(at: &mut Value, steps: &[&str], member: &str, leaf: &Value) {
    let Some((step, rest)) = steps.split_first() else {
        at.clone_from(leaf);
        return;
    };
    if *step == "[]" {
        if at.as_array().is_none_or(Vec::is_empty) {
            *at = json!([null]);
        }
        return put(&mut at[0], rest, member, leaf);
    }
    if !at.is_object() {
        *at = json!({});
    }
    match step.strip_prefix("type=") {
        Some(kind) => {
            at["type"] = json!(kind);
            put(at, rest, member, leaf);
        }
        None if *step == "*" => put(&mut at[member], rest, member, leaf),
        None => put(&mut at[*step], rest, member, leaf),
    }
}

fn state() -> Value {
    json!({"taskId": TASK, "status": "working"})
}

/// The least that a message of its kind needs.
fn skeleton(method: &str, part: Part) -> Value {
    let uri = "note://welcome";
    match (method, part) {
        (_, Part::Error) => json!({"code": -32000, "message": "it failed"}),
        ("initialize", Part::Result) => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}
        }),
        ("tools/list", Part::Result) => {
            json!({"tools": [{"name": "probe", "inputSchema": {"type": "object"}}]})
        }
        ("prompts/list", Part::Result) => json!({"prompts": [{"name": "probe"}]}),
        ("resources/list", Part::Result) => json!({"resources": [{"uri": uri, "name": "welcome"}]}),
        ("resources/templates/list", Part::Result) => {
            json!({"resourceTemplates": [{"uriTemplate": "note://{name}", "name": "notes"}]})
        }
        ("tools/call" | "tasks/result", Part::Result) => json!({"content": []}),
        ("prompts/get", Part::Result) => json!({"messages": [{"role": "user", "content": null}]}),
        ("resources/read", Part::Result) => json!({"contents": [{"uri": uri}]}),
        ("completion/complete", Part::Result) => json!({"completion": {"values": []}}),
        ("sampling/createMessage", Part::Result) => {
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "t"}})
        }
        ("elicitation/create", Part::Result) => json!({"action": "accept"}),
        ("roots/list", Part::Result) => json!({"roots": []}),
        ("initialize", Part::Params) => json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}
        }),
        ("tools/call" | "prompts/get", Part::Params) => json!({"name": "s__probe", "arguments": {}}),
        ("resources/read" | "resources/subscribe" | "resources/unsubscribe", Part::Params) => {
            json!({"uri": uri})
        }
        ("completion/complete", Part::Params) => {
            json!({"ref": {"type": "ref/prompt", "name": "s__probe"}, "argument": {"name": "who", "value": "M"}})
        }
        ("logging/setLevel", Part::Params) => json!({"level": "info"}),
        ("sampling/createMessage", Part::Params) => {
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "t"}}], "maxTokens": 5})
        }
        ("elicitation/create", Part::Params) => {
            json!({"message": "which?", "requestedSchema": {"type": "object", "properties": {}}})
        }
        ("tasks/get" | "tasks/cancel", Part::Result) | ("notifications/tasks/status", _) => state(),
        ("tasks/list", Part::Result) => json!({"tasks": [state()]}),
        ("notifications/message", _) => json!({"level": "info", "data": "d"}),
        ("notifications/progress", _) => json!({"progressToken": "$progressToken", "progress": 1}),
        ("notifications/cancelled", _) => json!({"requestId": "ask"}),
        ("notifications/resources/updated", _) => json!({"uri": uri}),
        _ => json!({}),
    }
}
