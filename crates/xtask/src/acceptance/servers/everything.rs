//! The server that has one of everything: resources, prompts, completion, progress, pictures, structured results.

use std::path::Path;

use serde_json::{Value, json};

use super::{Runtime, Server, no_environment, nothing_left, nothing_planted};
use crate::acceptance::filters::Filter;
use crate::acceptance::script::{self, Answer, Step};
use crate::acceptance::world::{CARD, EMAIL, IBAN, PHONE};

const NAME: &str = "everything";

pub(super) const SERVER: Server = Server {
    name: NAME,
    runtime: Runtime::Node { package: "server-everything" },
    arguments: |_| vec!["stdio".to_owned()],
    environment: no_environment,
    says: |planted| [EMAIL, PHONE, IBAN, CARD].contains(&planted.text.as_str()),
    plant: nothing_planted,
    steps,
    left: nothing_left,
};

fn steps(_: &Path) -> Vec<Step> {
    let mut steps = vec![script::tools_list(NAME)];
    steps.extend(["resources/list", "prompts/list", "resources/templates/list"].map(list));
    steps.extend(tools());
    steps.extend(resources_and_prompts());
    steps
}

fn list(method: &'static str) -> Step {
    Step { answer: Answer::Authored, ..script::request(NAME, method, method, json!({})) }
}

fn tools() -> Vec<Step> {
    let slow = json!({
        "name": "trigger-long-running-operation",
        "arguments": {"duration": 1, "steps": 3},
        "_meta": {"progressToken": "slow-1"},
    });
    vec![
        call("echo", json!({"message": format!("Write to {EMAIL} or call {PHONE}")})),
        // By now the client was shown a token for it.
        call("echo", json!({"message": format!("{EMAIL}, {IBAN} and {CARD}")})),
        call("echo", json!({ "message": 7 })),
        call("get-sum", json!({"a": 2, "b": 3})),
        call("get-structured-content", json!({"location": "New York"})),
        call("get-structured-content", json!({ "location": EMAIL })),
        call("get-tiny-image", json!({})),
        call("get-annotated-message", json!({"messageType": "success", "includeImage": true})),
        call("get-resource-links", json!({ "count": 2 })),
        clocked(call("get-resource-reference", json!({"resourceType": "Text", "resourceId": 1}))),
        script::request(NAME, "a long operation with progress", "tools/call", slow),
    ]
}

fn resources_and_prompts() -> Vec<Step> {
    let get = |name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        script::request(NAME, &format!("prompts/get {name}"), "prompts/get", params)
    };
    let complete = json!({
        "ref": {"type": "ref/prompt", "name": "completable-prompt"},
        "argument": {"name": "department", "value": "S"},
    });
    vec![
        read("demo://resource/static/document/startup.md"),
        clocked(read("demo://resource/dynamic/text/1")),
        get("simple-prompt", json!({})),
        get("args-prompt", json!({"city": "Lyon", "state": EMAIL})),
        clocked(get("resource-prompt", json!({"resourceType": "Text", "resourceId": "1"}))),
        script::request(NAME, "completion/complete", "completion/complete", complete),
    ]
}

fn read(uri: &str) -> Step {
    script::request(NAME, &format!("resources/read {uri}"), "resources/read", json!({ "uri": uri }))
}

fn call(tool: &str, arguments: Value) -> Step {
    script::tool_call(NAME, tool, arguments)
}

fn clocked(step: Step) -> Step {
    Step { filter: Filter::Clock, ..step }
}
