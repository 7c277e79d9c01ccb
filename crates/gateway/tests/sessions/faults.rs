//! Servers that crash, stall, send too much or send nonsense: every request is answered all the same.

use std::time::Duration;

use serde_json::json;

use crate::harness::Setup;

#[test]
fn a_crash_in_the_middle_answers_all_that_was_under_way() {
    let script = json!({"tools": {"wait": [], "crash": [{"exit": 1}]}});
    let setup = Setup::new("crash").scripted("s", &script).echo("echo");
    let mut running = setup.serve();
    let client = &mut running.client;
    let waiting: Vec<_> = (0..5)
        .map(|_| client.start("tools/call", &json!({"name": "s__wait", "arguments": {}})).expect("open"))
        .collect();
    let crash = client.start("tools/call", &json!({"name": "s__crash", "arguments": {}})).expect("open");
    for id in waiting.into_iter().chain([crash]) {
        let answer = client.answer(id).expect("an answer");
        assert_eq!(answer.error()["code"], -32603, "{}", answer.raw);
        assert!(answer.raw.contains("`s`"));
    }
    assert_eq!(
        client.call("s__wait", &json!({})).expect("an answer").error()["code"],
        -32603,
        "later calls too"
    );
    assert_eq!(client.call("echo__echo", &json!({"text": "x"})).expect("an answer").text(), Some("x"));
    running.end().expect("served");
}

#[test]
fn a_call_that_takes_too_long_is_answered_and_called_off() {
    let setup = Setup::new("deadline").scripted("s", &json!({"tools": {"wait": []}})).upstream(
        "s",
        "call_timeout",
        json!(1),
    );
    let mut running = setup.serve();
    let answer = running.client.call("s__wait", &json!({})).expect("an answer");
    assert_eq!(answer.error()["code"], -32603, "{}", answer.raw);
    let call: serde_json::Value =
        serde_json::from_str(&setup.wait_received("s", "tools/call")).expect("JSON");
    let off: serde_json::Value = serde_json::from_str(&setup.wait_received("s", "cancelled")).expect("JSON");
    assert_eq!(off["params"]["requestId"], call["id"]);
    running.end().expect("served");
}

#[test]
fn a_tool_may_take_longer_or_shorter_than_its_server() {
    let slow = json!([{"sleep_ms": 1300}, {"result": {"content": [{"type": "text", "text": "late"}]}}]);
    let setup = Setup::new("tool-deadline")
        .scripted("s", &json!({"tools": {"patient": slow, "hasty": []}}))
        .upstream("s", "call_timeout", json!(1))
        .upstream(
            "s",
            "tools",
            json!({"patient": {"call_timeout": "20s"}, "hasty": {"call_timeout": "100ms"}}),
        );
    let mut running = setup.serve();
    let begun = std::time::Instant::now();
    let hasty = running.client.call("s__hasty", &json!({})).expect("an answer");
    assert_eq!(hasty.error()["code"], -32603, "{}", hasty.raw);
    assert!(begun.elapsed() < Duration::from_secs(1));
    let patient = running.client.call("s__patient", &json!({})).expect("an answer");
    assert_eq!(patient.text(), Some("late"), "{}", patient.raw);
    running.end().expect("served");
}

#[test]
fn a_call_that_is_called_off_is_not_answered_and_its_server_is_told() {
    let late = json!([{"sleep_ms": 400}, {"result": {"content": [{"type": "text", "text": "late"}]}}]);
    let setup = Setup::new("cancel")
        .scripted("s", &json!({"tools": {"slow": late, "quick": [{"result": {"content": []}}]}}));
    let mut running = setup.serve();
    running.client.request("tools/list", &json!({})).expect("an answer");
    let slow =
        running.client.start("tools/call", &json!({"name": "s__slow", "arguments": {}})).expect("open");
    setup.wait_received("s", "\"slow\"");
    running
        .client
        .notify("notifications/cancelled", &json!({"requestId": slow, "reason": "no longer needed"}))
        .expect("open");
    let quick = running.client.call("s__quick", &json!({})).expect("an answer");
    assert!(quick.error().is_null());
    let call: serde_json::Value = serde_json::from_str(&setup.wait_received("s", "\"slow\"")).expect("JSON");
    let off: serde_json::Value = serde_json::from_str(&setup.wait_received("s", "cancelled")).expect("JSON");
    assert_eq!(off["params"], json!({"requestId": call["id"], "reason": "no longer needed"}));
    running.client.set_patience(Duration::from_millis(300));
    assert!(running.client.answer(slow).is_err(), "an answer to what was called off");
    running.end().expect("served");
}

#[test]
fn an_answer_that_is_too_long_or_unreadable_ends_its_request() {
    let script = json!({"tools": {
        "long": [{"oversized": 200_000}],
        "broken": [{"line": "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"x\":}}"}],
        "banner": [{"line": "starting up"}, {"line": ""}, {"result": {"content": []}}],
    }});
    let setup = Setup::new("unreadable").scripted("s", &script).with("max_message_bytes", json!(100_000));
    let mut running = setup.serve();
    // Ids towards the server: 1 handshake, 2 list, 3 the first call.
    let broken = running.client.call("s__broken", &json!({})).expect("an answer");
    assert_eq!(broken.error()["code"], -32603, "{}", broken.raw);
    let long = running.client.call("s__long", &json!({})).expect("an answer");
    assert_eq!(long.error()["code"], -32603, "{}", long.raw);
    let banner = running.client.call("s__banner", &json!({})).expect("an answer");
    assert!(banner.error().is_null(), "{}", banner.raw);
    let text = "x".repeat(200_000);
    let long = running.client.call("s__banner", &json!({"text": text})).expect("an answer");
    assert_eq!(long.error()["code"], -32600, "{}", long.raw);
    running.end().expect("served");
}

#[test]
fn questions_that_the_client_cannot_answer_are_not_passed_on() {
    let script = json!({"tools": {"ask": [
        {"send": {"jsonrpc": "2.0", "id": "p", "method": "ping"}},
        {"send": {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {"messages": []}}},
        {"result": {"content": []}},
    ]}});
    let setup = Setup::new("questions").scripted("s", &script);
    let mut running = setup.serve();
    running.client.call("s__ask", &json!({})).expect("an answer");
    assert!(setup.wait_received("s", r#""id":"p""#).contains(r#""result":{}"#));
    assert!(setup.wait_received("s", "-32601").contains(r#""id":1,"#));
    assert!(!running.client.transcript().iter().any(|line| line.text.contains("sampling")));
    running.end().expect("served");
}

#[test]
fn more_than_may_be_under_way_waits_in_the_pipe_and_is_answered() {
    let setup = Setup::new("flood").scripted("s", &json!({"tools": {"wait": []}})).upstream(
        "s",
        "call_timeout",
        json!(1),
    );
    let mut running = setup.serve();
    let params = json!({"name": "s__wait", "arguments": {}});
    let client = &mut running.client;
    let ids: Vec<_> = (0..4200).map(|_| client.start("tools/call", &params).expect("open")).collect();
    for id in ids {
        assert_eq!(client.answer(id).expect("an answer").error()["code"], -32603);
    }
    running.end().expect("served");
}
