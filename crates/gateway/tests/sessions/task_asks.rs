//! Tasks that the client runs for servers (revision 2025-11-25).

use std::time::Duration;

use cloakgate_testkit::LineDirection;
use serde_json::{Value, json};

use crate::harness::{Running, Setup};

const NEWEST: &str = "2025-11-25";
const RELATED: &str = "io.modelcontextprotocol/related-task";

fn serve(setup: &Setup) -> Running {
    let abilities = json!({"sampling": {}, "elicitation": {}, "tasks": {
        "list": {}, "cancel": {}, "requests": {"sampling": {"createMessage": {}}}}});
    let mut running = setup.start();
    let answer = running.client.initialize_as(NEWEST, &abilities).expect("an answer");
    assert!(answer.error().is_null(), "{}", answer.raw);
    running
}

fn asked(running: &mut Running, method: &str) -> Value {
    running.client.wait_for(method, |message| message["method"] == method).expect("a question").message
}

fn reply(running: &mut Running, question: &Value, result: &Value) {
    let reply = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    running.client.send_raw(&reply.to_string()).expect("open");
}

fn state(id: &str, status: &str, message: &str) -> Value {
    json!({"taskId": id, "status": status, "statusMessage": message, "ttl": 1000,
        "createdAt": "2026-01-02T03:04:05Z", "lastUpdatedAt": "2026-01-02T03:04:05Z"})
}

fn sampling(id: &str) -> Value {
    json!({"send": {"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": {"messages": [],
        "maxTokens": 5, "task": {"ttl": 1000}}}})
}

fn done() -> Value {
    json!({"result": {"content": []}})
}

#[test]
fn a_server_has_the_client_sample_as_a_task() {
    let setup = Setup::new("ask-task").tasks("s", NEWEST);
    let mut running = serve(&setup);
    let call = running.client.start("tools/call", &json!({"name": "s__ask", "arguments": {}})).expect("open");
    let question = asked(&mut running, "sampling/createMessage");
    let text = question["params"]["messages"][0]["content"]["text"].as_str().expect("text");
    let token = text.strip_prefix("Write to ").expect("the words stay").to_owned();
    assert!(token.starts_with("[EMAIL_") && question["params"]["task"] == json!({"ttl": 60000}));
    let waiting = format!("writing to {token}");
    reply(&mut running, &question, &json!({"task": state("client-1", "working", &waiting)}));
    // The server asks about its task, by a name that only it can use.
    let get = asked(&mut running, "tasks/get");
    assert_eq!(get["params"], json!({"taskId": "client-1"}));
    running
        .client
        .notify("notifications/tasks/status", &state("client-1", "working", &waiting))
        .expect("open");
    let progress = json!({"progressToken": question["params"]["_meta"]["progressToken"], "progress": 1, "message": waiting});
    running.client.notify("notifications/progress", &progress).expect("open");
    reply(&mut running, &get, &state("client-1", "completed", &waiting));
    let result = asked(&mut running, "tasks/result");
    assert_eq!(result["params"], json!({"taskId": "client-1"}));
    reply(
        &mut running,
        &result,
        &json!({"role": "assistant", "model": "m", "content": {"type": "text",
        "text": format!("Dear {token}")}, "_meta": {RELATED: {"taskId": "client-1"}}}),
    );
    let answer = running.client.answer(call).expect("an answer");
    assert_eq!(answer.text(), Some(format!("sampled: \"Dear {token}\"").as_str()), "{}", answer.raw);
    let told = setup.wait_received("s", "notifications/progress");
    assert!(
        told.contains(r#""progressToken":"asked""#) && told.contains("writing to marie.dubois@example.eu"),
        "{told}"
    );
    let status = setup.wait_received("s", "notifications/tasks/status");
    assert!(status.contains("writing to marie.dubois@example.eu"), "{status}");
    let received = setup.received("s");
    assert!(
        !received.iter().any(|line| line.contains("client-1") || line.contains("[EMAIL_")),
        "{received:#?}"
    );
    let name = |line: &str, path: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line.pointer(path).and_then(Value::as_str).map(ToOwned::to_owned).expect("a name")
    };
    let begun = setup.wait_received("s", "\"task\":{");
    let related = setup.wait_received("s", "Dear marie.dubois@example.eu");
    let names = [
        name(&begun, "/result/task/taskId"),
        name(&status, "/params/taskId"),
        name(&related, "/result/_meta/io.modelcontextprotocol~1related-task/taskId"),
    ];
    assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
    running.end().expect("served");
}

#[test]
fn a_server_hears_of_its_own_tasks_only() {
    let about = |method: &str, id: &str| json!({"send": {"jsonrpc": "2.0", "id": method, "method": method, "params": {"taskId": id}}});
    let list = json!({"send": {"jsonrpc": "2.0", "id": "list", "method": "tasks/list", "params": {}}});
    let lost =
        json!({"send": {"jsonrpc": "2.0", "id": "lost", "method": "tasks/list", "params": {"cursor": "x"}}});
    let work = json!([sampling("q"), "await_answer", list, lost, "await_answer", done()]);
    let setup = Setup::new("ask-own")
        .scripted("one", &json!({"tools": {"work": work}}))
        .scripted("two", &json!({"tools": {"work": [sampling("q"), "await_answer", done()], "pry": [
            about("tasks/get", "client-1"), about("tasks/result", "00ff"), about("tasks/cancel", "client-2"), done()]}}));
    let mut running = serve(&setup);
    let calls = ["one__work", "two__work"].map(|tool| {
        let call = running.client.start("tools/call", &json!({"name": tool, "arguments": {}})).expect("open");
        let question = asked(&mut running, "sampling/createMessage");
        let id = if tool == "one__work" { "client-1" } else { "client-2" };
        reply(&mut running, &question, &json!({"task": state(id, "working", "x")}));
        call
    });
    let question = asked(&mut running, "tasks/list");
    assert_eq!(question["params"], json!({}));
    let tasks = ["client-2", "client-1", "client-3"].map(|id| state(id, "working", &format!("for {id}")));
    reply(&mut running, &question, &json!({"tasks": tasks, "nextCursor": "more"}));
    for call in calls {
        running.client.answer(call).expect("an answer");
    }
    let listed: Value = serde_json::from_str(&setup.wait_received("one", "\"tasks\":[")).expect("JSON");
    let tasks = listed["result"]["tasks"].as_array().expect("a list");
    assert_eq!(tasks.len(), 1, "{listed}");
    assert_eq!(tasks[0]["statusMessage"], "for client-1");
    assert!(!listed.to_string().contains("more") && listed["result"]["nextCursor"].is_string());
    assert!(setup.wait_received("one", "\"lost\"").contains("unknown cursor"));
    running.client.call("two__pry", &json!({})).expect("an answer");
    for id in ["tasks/get", "tasks/result", "tasks/cancel"] {
        let refused = setup.wait_received("two", &format!("\"id\":\"{id}\""));
        assert!(refused.contains("-32602") && refused.contains("unknown task"), "{refused}");
    }
    running.end().expect("served");
}

#[test]
fn a_question_that_is_called_off_has_its_task_cancelled() {
    let off = |id: &str| json!({"send": {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}});
    let setup = Setup::new("ask-off")
        .scripted("s", &json!({"tools": {
            "early": [sampling("a"), off("a"), done()], "late": [sampling("b"), "await_answer", off("b"), done()],
            "slow": [sampling("c"), done()]}}))
        .upstream("s", "call_timeout", json!(1));
    let mut running = serve(&setup);
    for (tool, id) in [("s__early", "client-a"), ("s__late", "client-b"), ("s__slow", "client-c")] {
        let call = running.client.start("tools/call", &json!({"name": tool, "arguments": {}})).expect("open");
        let question = asked(&mut running, "sampling/createMessage");
        match tool {
            "s__early" => drop(running.client.answer(call).expect("an answer")),
            "s__slow" => drop(setup.wait_received("s", "in time")),
            _ => {}
        }
        std::thread::sleep(Duration::from_millis(100));
        reply(&mut running, &question, &json!({"task": state(id, "working", "x")}));
        let cancel = asked(&mut running, "tasks/cancel");
        assert_eq!(cancel["params"], json!({"taskId": id}));
        reply(&mut running, &cancel, &state(id, "cancelled", "x"));
    }
    let received = setup.received("s");
    assert!(
        !received.iter().any(|line| line.contains("client-") || line.contains("\"id\":\"a\"")),
        "{received:#?}"
    );
    let mut heard =
        running.client.transcript().iter().filter(|line| line.direction == LineDirection::Received);
    assert!(!heard.any(|line| line.text.contains("notifications/cancelled")));
    running.end().expect("served");
}

#[test]
fn a_question_that_the_client_does_not_run_as_a_task_is_asked_as_any_other() {
    let ask = json!({"send": {"jsonrpc": "2.0", "id": 5, "method": "elicitation/create", "params": {"message": "?",
        "requestedSchema": {"type": "object", "properties": {}}, "task": {"ttl": 9}}}});
    let off =
        json!({"send": {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}});
    let setup = Setup::new("ask-plain").scripted("s", &json!({"tools": {"work": [ask, off, done()]}}));
    let mut running = serve(&setup);
    running.client.call("s__work", &json!({})).expect("an answer");
    let question = asked(&mut running, "elicitation/create");
    assert_eq!(asked(&mut running, "notifications/cancelled")["params"]["requestId"], question["id"]);
    running.end().expect("served");
}
