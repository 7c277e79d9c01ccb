//! The server that has one of everything: resources, prompts, completion, progress, pictures, structured results.

use std::path::Path;

use serde_json::{Value, json};

use super::{Ask, Runtime, Server, no_environment, nothing_left, nothing_planted};
use crate::acceptance::filters::Filter;
use crate::acceptance::script::{self, Answer, Step};
use crate::acceptance::world::{CARD, EMAIL, IBAN, PERSON, PHONE};

const NAME: &str = "everything";

pub(super) const SERVER: Server = Server {
    name: NAME,
    runtime: Runtime::Node { package: "server-everything" },
    arguments: |_| vec!["stdio".to_owned()],
    environment: no_environment,
    says: |planted| [EMAIL, PHONE, IBAN, CARD, PERSON, BIRTH].contains(&planted.text.as_str()),
    plant: nothing_planted,
    steps,
    asks,
    left: nothing_left,
};

/// Date of birth of the person that fills in the form.
const BIRTH: &str = "1984-03-12";

/// The client lets a model write, shows a form, and has a folder.
fn asks() -> Vec<Ask> {
    let written = json!({
        "role": "assistant",
        "content": {"type": "text", "text": format!("Write to {EMAIL} and pay to {IBAN}.")},
        "model": "acceptance-1",
        "stopReason": "endTurn",
    });
    let form = json!({"name": PERSON, "email": EMAIL, "birthdate": BIRTH, "check": true, "integer": 42});
    let root = json!({"uri": format!("file:///srv/{EMAIL}/letters"), "name": format!("Letters of {EMAIL}")});
    let ask = |method, capability, answer| Ask { method, capability, answer };
    vec![
        ask("sampling/createMessage", ("sampling", json!({})), written),
        ask("elicitation/create", ("elicitation", json!({})), json!({"action": "accept", "content": form})),
        ask("roots/list", ("roots", json!({"listChanged": true})), json!({ "roots": [root] })),
    ]
}

fn steps(_: &Path) -> Vec<Step> {
    let mut steps = vec![script::tools_list(NAME)];
    steps.extend(["resources/list", "prompts/list", "resources/templates/list"].map(list));
    steps.extend(tools());
    steps.extend(resources_and_prompts());
    steps.extend(asking());
    steps.extend(listening());
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
    let prompt = json!({"type": "ref/prompt", "name": "completable-prompt"});
    let template = json!({"type": "ref/resource", "uri": "demo://resource/dynamic/text/{resourceId}"});
    let complete = |reference: &Value, name: &str, value: &str| {
        let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
        script::request(NAME, &format!("completion/complete {name}"), "completion/complete", params)
    };
    vec![
        read("demo://resource/static/document/startup.md"),
        clocked(read("demo://resource/dynamic/text/1")),
        get("simple-prompt", json!({})),
        get("args-prompt", json!({"city": "Lyon", "state": EMAIL})),
        clocked(get("resource-prompt", json!({"resourceType": "Text", "resourceId": "1"}))),
        complete(&prompt, "department", "S"),
        complete(&prompt, "department", EMAIL),
        complete(&template, "resourceId", "1"),
    ]
}

/// The server asks back: a model, a person, and for the folders, before and after these have changed.
fn asking() -> Vec<Step> {
    let changed = "notifications/roots/list_changed";
    vec![
        call("get-roots-list", json!({})),
        call("trigger-sampling-request", json!({"prompt": format!("Answer {EMAIL}"), "maxTokens": 20})),
        call("trigger-elicitation-request", json!({})),
        // By now the client was shown tokens for all that it answers.
        call("trigger-sampling-request", json!({"prompt": format!("Ask {PERSON}"), "maxTokens": 20})),
        call("trigger-elicitation-request", json!({})),
        Step { answer: Answer::Nothing, ..script::request(NAME, changed, changed, json!({})) },
        call("get-roots-list", json!({})),
    ]
}

/// Messages of the log and news of a resource, whose address holds a value.
fn listening() -> Vec<Step> {
    let uri = json!({ "uri": format!("demo://resource/dynamic/text/{EMAIL}") });
    let level = script::request(NAME, "logging/setLevel", "logging/setLevel", json!({"level": "info"}));
    vec![
        Step { answer: Answer::Authored, ..level },
        script::request(NAME, "resources/subscribe", "resources/subscribe", uri.clone()),
        call("toggle-subscriber-updates", json!({})),
        call("toggle-subscriber-updates", json!({})),
        script::request(NAME, "resources/unsubscribe", "resources/unsubscribe", uri),
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
