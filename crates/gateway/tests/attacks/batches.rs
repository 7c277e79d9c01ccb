//! Messages in lists, as revision 2025-03-26 has them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::claim;
use crate::running::serve_as;
use crate::session::{Session, scene};

const EMAIL: &str = "marie.dubois@example.eu";

fn open(name: &str, revision: &str) -> Session {
    let scene = scene(name, &["a"]).and("call_timeout", json!(1));
    let server = json!({"name": "a", "version": "1"});
    let greeting = json!({"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": server});
    scene.script("a", &json!({"initialize": greeting, "tools": {"act": []}}).to_string());
    let (mut running, answer) = serve_as(&scene, revision);
    assert_eq!(answer.result()["protocolVersion"], revision);
    running.client.set_patience(Duration::from_secs(3));
    Session { scene, running }
}

#[test]
fn what_a_server_says_in_a_list_is_cloaked_and_answers() {
    let mut session = open("batch-down", "2025-03-26");
    let answer = session.does(
        "a",
        &json!([{"send": [
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": EMAIL}},
            {"jsonrpc": "2.0", "id": "$id", "result": {"content": [{"type": "text", "text": EMAIL}]}},
        ]}]),
    );
    assert!(!session.client_saw(EMAIL));
    let token = answer.text().is_some_and(|text| text.starts_with("[EMAIL_0_"));
    claim("a list of a server answers", token, &answer.raw);
}

#[test]
fn each_call_of_a_list_goes_through_the_checkpoint() {
    let mut session = open("batch-up", "2025-03-26");
    let token = session.token("a", "email", EMAIL);
    let call = |id: &str, to: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "a__act", "arguments": {"to": to}}});
    session.scene.script("a", r#"{"tools":{"act":[{"result":{"content":[]}}]}}"#);
    let batch = json!([
        call("good", &token), call("bad", "[EMAIL_7_zzz]"), {"jsonrpc": "2.0", "id": "ping", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/none"},
    ]);
    session.running.client.send_raw(&batch.to_string()).expect("open");
    let answers = session.running.client.wait_for("the answers", Value::is_array);
    let ids = |answers: &Value| {
        let mut ids: Vec<_> =
            answers.as_array().expect("a list").iter().map(|answer| answer["id"].clone()).collect();
        ids.sort_by_key(Value::to_string);
        ids
    };
    let complete = answers.as_ref().is_ok_and(|answers| ids(&answers.message) == ["bad", "good", "ping"]);
    claim(
        "a list of the client is answered by a list",
        complete,
        &answers.as_ref().map(|answers| &answers.raw),
    );
    if complete {
        assert!(session.got("a", EMAIL));
        assert!(!session.scene.received("a").iter().any(|line| line.contains("EMAIL_7")));
    }
}

#[test]
fn other_revisions_have_no_lists() {
    let mut session = open("batch-none", "2025-06-18");
    let batch = json!([{"jsonrpc": "2.0", "id": "ping", "method": "ping"}]);
    session.running.client.send_raw(&batch.to_string()).expect("open");
    let refused = session.running.client.wait_for("an error", |message| message["error"]["code"] == -32600);
    claim("a list is refused where the revision has none", refused.is_ok(), &refused.is_ok());
    assert!(session.running.client.request("ping", &json!({})).expect("an answer").error().is_null());
}
