//! The handshake with several servers, good and bad.

use cloakgate_gateway::GatewayError;
use serde_json::json;

use crate::harness::Setup;

#[test]
fn abilities_are_merged_and_instructions_are_cloaked() {
    let quiet = json!({"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "h", "version": "1"}, "instructions": "Call +44 20 7946 0958 first."}});
    let setup = Setup::new("merged").echo("echo").scripted("quiet", &quiet);
    let mut running = setup.start();
    let answer = running.client.initialize().expect("an answer");
    let result = answer.result();
    assert_eq!(result["serverInfo"]["name"], "cloakgate");
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["capabilities"]["tools"], json!({"listChanged": true}));
    assert_eq!(result["capabilities"]["resources"], json!({"subscribe": true}));
    assert!(result["capabilities"].get("logging").is_some());
    let instructions = result["instructions"].as_str().expect("text");
    assert!(instructions.starts_with("echo:\nAsk [EMAIL_0_"), "{instructions}");
    assert!(instructions.contains("\n\nquiet:\nCall [PHONE_0_"), "{instructions}");
    assert!(!answer.raw.contains("marie.dubois") && !answer.raw.contains("7946"));
    let greeting = setup.wait_received("quiet", "\"initialize\"");
    assert!(greeting.contains(r#""capabilities":{}"#) && greeting.contains("testkit"), "{greeting}");
    setup.wait_received("quiet", "notifications/initialized");
    running.end().expect("served");
}

#[test]
fn versions_are_answered_with_what_is_known() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let setup = Setup::new(&format!("version-{asked}")).echo("echo");
        let mut running = setup.start();
        let answer = running.client.initialize_as(asked, &json!({"sampling": {}})).expect("an answer");
        assert_eq!(answer.result()["protocolVersion"], answered, "{asked}");
        running.end().expect("served");
    }
}

#[test]
fn a_server_that_fails_leaves_the_others_serving() {
    let refuses = json!({"methods": {"initialize": [{"error": {"code": -32602, "message": "no"}}]}});
    let foreign = json!({"initialize": {"protocolVersion": "1999-01-01", "capabilities": {}}});
    let leaves = json!({"methods": {"initialize": [{"exit": 3}]}});
    let silent = json!({"methods": {"initialize": []}});
    let setup = Setup::new("failing")
        .scripted("refuses", &refuses)
        .scripted("foreign", &foreign)
        .scripted("leaves", &leaves)
        .scripted("silent", &silent)
        .upstream("silent", "startup_timeout", json!(1))
        .upstream("absent", "command", json!("/nonexistent/cloakgate-server"))
        .echo("echo");
    let mut running = setup.serve();
    let tools = running.client.request("tools/list", &json!({})).expect("an answer");
    assert_eq!(tools.result()["tools"].as_array().map(Vec::len), Some(4));
    let call = running.client.call("silent__x", &json!({})).expect("an answer");
    assert_eq!(call.error()["code"], -32603);
    assert!(
        !setup.received("silent").iter().any(|line| line.contains("cancelled")),
        "never for the handshake"
    );
    running.end().expect("served");
}

#[test]
fn without_a_server_the_handshake_fails_and_so_does_the_gateway() {
    let setup = Setup::new("nobody").upstream("absent", "command", json!("/nonexistent/cloakgate-server"));
    let mut running = setup.start();
    let answer = running.client.initialize().expect("an answer");
    assert_eq!(answer.error()["code"], -32603);
    assert!(matches!(running.end(), Err(GatewayError::NoUpstream)));
}

#[test]
fn messages_that_do_not_wait_for_the_handshake_are_served_after_it() {
    let slow = json!({"methods": {"initialize": [{"sleep_ms": 300}, {"result": {"protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}}]},
        "tools": {"a": [{"result": {"content": []}}]}});
    let setup = Setup::new("pipelined").scripted("slow", &slow);
    let mut running = setup.start();
    let client = &mut running.client;
    let early = client.request("tools/list", &json!({})).expect("an answer");
    assert_eq!(early.error()["code"], -32600, "before initialize");
    let init = client.start(
        "initialize",
        &json!({"protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}}),
    );
    client.notify("notifications/initialized", &json!({})).expect("open");
    let list = client.start("tools/list", &json!({})).expect("open");
    let ping = client.start("ping", &json!({})).expect("open");
    client.answer(ping).expect("an answer");
    assert!(
        !client.transcript().iter().any(|line| line.text.contains("protocolVersion\":\"2025-06-18\",\"cap")
            && line.text.contains("serverInfo")),
        "the handshake is still under way"
    );
    client.answer(init.expect("open")).expect("an answer");
    let list = client.answer(list).expect("an answer");
    assert_eq!(list.result()["tools"][0]["name"], "slow__a");
    let second = client.request("initialize", &json!({"protocolVersion": "2025-06-18"})).expect("an answer");
    assert_eq!(second.error()["code"], -32600);
    running.end().expect("served");
    let received = setup.received("slow");
    let at = |part: &str| received.iter().position(|line| line.contains(part)).expect("sent");
    assert!(at("notifications/initialized") < at("tools/list"));
}

#[test]
fn more_than_may_wait_for_the_handshake_waits_in_the_pipe() {
    let slow = json!({"methods": {"initialize": [{"sleep_ms": 500}, {"result": {"protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}}]}});
    let setup = Setup::new("held").scripted("slow", &slow);
    let mut running = setup.start();
    let client = &mut running.client;
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}});
    let mut ids = vec![client.start("initialize", &params).expect("open")];
    ids.extend((0..1500).map(|_| client.start("vendor/unknown", &json!({})).expect("open")));
    for id in ids {
        client.answer(id).expect("an answer");
    }
    running.end().expect("served");
}
