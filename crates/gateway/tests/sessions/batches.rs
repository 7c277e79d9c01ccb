//! Batches, which one revision has.

use serde_json::{Value, json};

use crate::harness::{Running, Setup};

fn serve(setup: &Setup, version: &str) -> Running {
    let mut running = setup.start();
    running.client.initialize_as(version, &json!({"roots": {}})).expect("an answer");
    running
}

fn call(id: i32, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo__echo", "arguments": {"text": text}}})
}

#[test]
fn the_answers_of_a_batch_leave_together() {
    let setup = Setup::new("batch").echo("echo");
    let mut running = serve(&setup, "2025-03-26");
    let initialize = json!({"jsonrpc": "2.0", "id": 14, "method": "initialize", "params": {}});
    let batch = json!([call(11, "marie.dubois@example.eu"), {"jsonrpc": "2.0", "id": 12, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
        {"jsonrpc": "2.0", "id": 13, "method": "vendor/x"}, initialize, 5]);
    running.client.send_raw(&batch.to_string()).expect("open");
    let answers = running.client.wait_for("the answers", Value::is_array).expect("an answer");
    let answers = answers.message.as_array().expect("an array").clone();
    assert_eq!(answers.len(), 5, "{answers:?}");
    let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).expect("an answer");
    assert!(
        of(json!(11))["result"]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("[EMAIL_0_"))
    );
    assert_eq!(of(json!(12))["result"], json!({}));
    assert_eq!(of(json!(13))["error"]["code"], -32601);
    assert_eq!(of(json!(14))["error"]["code"], -32600);
    assert_eq!(of(Value::Null)["error"]["code"], -32600);
    // Notifications alone are not answered.
    running.client.send_raw(r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#).expect("open");
    running.client.request("ping", &json!({})).expect("an answer");
    for bad in ["[]".to_owned(), format!("[{}]", vec!["{}"; 257].join(","))] {
        running.client.send_raw(&bad).expect("open");
        let refused =
            running.client.wait_for("a refusal", |message| message["id"].is_null()).expect("an answer");
        assert_eq!(refused.error()["code"], -32600, "{}", refused.raw);
    }
    running.end().expect("served");
}

#[test]
fn other_revisions_have_no_batches() {
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let setup = Setup::new(&format!("no-batch-{version}")).echo("echo");
        let mut running = serve(&setup, version);
        running.client.send_raw(&json!([call(1, "x")]).to_string()).expect("open");
        let refused =
            running.client.wait_for("a refusal", |message| message["id"].is_null()).expect("an answer");
        assert_eq!(refused.error()["code"], -32600, "{}", refused.raw);
        running.end().expect("served");
    }
}

#[test]
fn a_request_that_is_called_off_leaves_the_batch() {
    let setup = Setup::new("batch-off").echo("echo").scripted("s", &json!({"tools": {"wait": []}}));
    let mut running = serve(&setup, "2025-03-26");
    let wait = json!({"jsonrpc": "2.0", "id": "w", "method": "tools/call", "params": {"name": "s__wait", "arguments": {}}});
    running.client.send_raw(&json!([wait, call(2, "x")]).to_string()).expect("open");
    setup.wait_received("s", "tools/call");
    running.client.notify("notifications/cancelled", &json!({"requestId": "w"})).expect("open");
    let answers = running.client.wait_for("the answers", Value::is_array).expect("an answer").message;
    assert_eq!(answers.as_array().map(Vec::len), Some(1), "{answers}");
    running.end().expect("served");
}

#[test]
fn a_batch_of_a_server_is_taken_as_its_messages() {
    let setup = Setup::new("server-batch").scripted("s", &json!({"tools": {"work": [{"send": [
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "marie.dubois@example.eu"}},
        {"jsonrpc": "2.0", "id": 5, "method": "roots/list"},
        {"jsonrpc": "2.0", "id": "$id", "result": {"content": [{"type": "text", "text": "done"}]}},
    ]}]}}));
    let mut running = serve(&setup, "2025-03-26");
    assert_eq!(running.client.call("s__work", &json!({})).expect("an answer").text(), Some("done"));
    let log = running.client.wait_for("the log", |message| message["method"] == "notifications/message");
    assert!(!log.expect("told").raw.contains("marie"));
    running.client.wait_for("the question", |message| message["method"] == "roots/list").expect("asked");
    running.end().expect("served");
}

#[test]
fn a_batch_waits_for_the_handshake() {
    let slow = json!({"methods": {"initialize": [{"sleep_ms": 300}, {"result": {"protocolVersion": "2025-03-26",
        "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}}]}, "tools": {"a": [{"result": {"content": []}}]}});
    let setup = Setup::new("batch-early").scripted("s", &slow);
    let mut running = setup.start();
    running
        .client
        .start("initialize", &json!({"protocolVersion": "2025-03-26", "capabilities": {}}))
        .expect("open");
    running.client.send_raw(r#"[{"jsonrpc":"2.0","id":50,"method":"tools/list"}]"#).expect("open");
    let answers = running.client.wait_for("the answers", Value::is_array).expect("an answer").message;
    assert_eq!(answers[0]["result"]["tools"][0]["name"], "s__a", "{answers}");
    running.end().expect("served");
}
