//! Servers that stop and are started again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Running, Setup};

fn done() -> Value {
    json!({"result": {"content": [{"type": "text", "text": "done"}]}})
}

/// Calls until the server is back.
fn wait_back(running: &mut Running, tool: &str) {
    let before = Instant::now();
    loop {
        let answer = running.client.call(tool, &json!({})).expect("an answer");
        if answer.error().is_null() {
            return;
        }
        assert!(answer.raw.contains("not running"), "{}", answer.raw);
        assert!(before.elapsed() < Duration::from_secs(120), "{}", answer.raw);
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn initialize(capabilities: &Value) -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": {"name": "h", "version": "1"}})
}

#[test]
fn a_server_that_crashed_is_started_again_and_told_what_it_knew() {
    let abilities = json!({"tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true, "listChanged": true}, "logging": {}});
    let script = |tool: &str| {
        json!({
            "initialize": initialize(&abilities),
            "tools": {tool: [done()], "crash": [{"exit": 1}]},
            "methods": {"resources/list": [{"result": {"resources": [{"uri": "note://marie.dubois@example.eu", "name": "n"}]}}],
                "resources/subscribe": [{"result": {}}], "logging/setLevel": [{"result": {}}]},
        })
    };
    let setup = Setup::new("restart").scripted("s", &script("old")).echo("echo");
    let mut running = setup.serve();
    let client = &mut running.client;
    let listed = client.request("resources/list", &json!({})).expect("an answer");
    let resources = listed.result()["resources"].as_array().expect("a list").clone();
    let uri = resources
        .iter()
        .find(|item| item["uri"].as_str().is_some_and(|uri| uri.contains("EMAIL_0")))
        .expect("cloaked")["uri"]
        .clone();
    client.request("resources/subscribe", &json!({"uri": uri})).expect("an answer");
    client.request("logging/setLevel", &json!({"level": "debug"})).expect("an answer");
    client.request("tools/list", &json!({})).expect("an answer");
    setup.rewrite("s", &script("new").to_string());
    assert_eq!(client.call("s__crash", &json!({})).expect("an answer").error()["code"], -32603);
    let named = client.call("s__old", &json!({})).expect("an answer");
    // On a busy machine it may be back by now, and has no such tool any more.
    let gone = named.raw.contains("`s`") && named.raw.contains("not running");
    assert!(gone || named.error()["code"] == -32602, "{}", named.raw);
    assert_eq!(client.call("echo__echo", &json!({"text": "x"})).expect("an answer").text(), Some("x"));
    wait_back(&mut running, "s__new");
    for list in ["tools", "resources"] {
        let method = format!("notifications/{list}/list_changed");
        running.client.wait_for(&method, |message| message["method"] == method.as_str()).expect("told");
    }
    let told = running.client.transcript().iter().any(|line| line.text.contains("prompts/list_changed"));
    assert!(!told, "the client was not told that it would be");
    for _ in 0..100 {
        let received = setup.received("s");
        let again =
            received.split(|line| line.contains("\"initialize\"")).nth(2).expect("a second handshake");
        let has = |part: &str| again.iter().any(|line| line.contains(part));
        if has("note://marie.dubois@example.eu") && has("logging/setLevel") {
            assert!(
                again.first().is_some_and(|line| line.contains("notifications/initialized")),
                "{again:?}"
            );
            return running.end().expect("served");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the server was not told again: {:?}", setup.received("s"));
}

#[test]
fn a_server_that_failed_at_the_start_joins_later() {
    let setup = Setup::new("late")
        .scripted("s", &json!({"methods": {"initialize": [{"exit": 3}]}}))
        .scripted("other", &json!({"initialize": initialize(&json!({"tools": {"listChanged": true}})), "tools": {"a": [done()]}}));
    let mut running = setup.serve();
    setup.rewrite("s", &json!({"tools": {"late": [done()]}}).to_string());
    wait_back(&mut running, "s__late");
    running
        .client
        .wait_for("list_changed", |message| message["method"] == "notifications/tools/list_changed")
        .expect("told");
    let tools = running.client.request("tools/list", &json!({})).expect("an answer");
    assert_eq!(tools.result()["tools"].as_array().map(Vec::len), Some(2), "{}", tools.raw);
    running.end().expect("served");
}

#[test]
fn the_end_of_a_server_calls_off_what_it_asked() {
    let setup = Setup::new("asker-dies").scripted(
        "s",
        &json!({"tools": {"work": [
        {"send": {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}}, {"sleep_ms": 100}, {"exit": 1}]}}),
    );
    let mut running = setup.start();
    running.client.initialize_as("2025-06-18", &json!({"roots": {}})).expect("an answer");
    let call = running.client.call("s__work", &json!({})).expect("an answer");
    assert_eq!(call.error()["code"], -32603);
    let question =
        running.client.wait_for("roots", |message| message["method"] == "roots/list").expect("asked");
    let off = running.client.wait_for("cancelled", |message| message["method"] == "notifications/cancelled");
    assert_eq!(off.expect("told").message["params"]["requestId"], question.message["id"]);
    let id = &question.message["id"];
    running
        .client
        .send_raw(&json!({"jsonrpc": "2.0", "id": id, "result": {"roots": []}}).to_string())
        .expect("open");
    running.client.request("ping", &json!({})).expect("an answer");
    running.end().expect("served");
}

#[test]
fn a_server_of_another_version_is_named() {
    let foreign = json!({"initialize": {"protocolVersion": "1999-01-01", "capabilities": {"tools": {}}}, "tools": {"a": [done()]}});
    let setup = Setup::new("foreign").scripted("s", &foreign).echo("echo");
    let mut running = setup.serve();
    let answer = running.client.call("s__a", &json!({})).expect("an answer");
    assert!(answer.raw.contains("`s`") && answer.raw.contains("protocol version"), "{}", answer.raw);
    running.end().expect("served");

    let setup = setup.with("allow_unknown_protocol_version", json!(true));
    let mut running = setup.serve();
    assert_eq!(running.client.call("s__a", &json!({})).expect("an answer").text(), Some("done"));
    running.end().expect("served");
}
