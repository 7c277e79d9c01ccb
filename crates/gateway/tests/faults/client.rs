//! A client that reads late, writes nonsense or leaves in the middle.

use std::io::{self, PipeReader, Read};
use std::sync::{Arc, Condvar, Mutex};

use cloakgate_testkit::Scene;
use serde_json::{Value, json};

use crate::running::{serve_as, start};
use crate::servers::each_answered_once;

/// A reader that waits until it is let go.
struct Gated {
    inner: PipeReader,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Read for Gated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (open, changed) = &*self.gate;
        drop(changed.wait_while(open.lock().expect("no panic"), |open| !*open).expect("no panic"));
        self.inner.read(buffer)
    }
}

fn set(gate: &(Mutex<bool>, Condvar), open: bool) {
    *gate.0.lock().expect("no panic") = open;
    gate.1.notify_all();
}

fn script(steps: &Value) -> Value {
    json!({"tools": {"act": steps}})
}

#[test]
fn a_client_that_reads_late_gets_everything_in_order() {
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x".repeat(2000)}});
    let noisy = script(&json!([{"repeat": [1000, log]}, {"result": {"content": []}}]));
    let scene = Scene::new("slow").scripted("a", &noisy).scripted("b", &noisy).scripted("c", &noisy);
    let gate = Arc::new((Mutex::new(true), Condvar::new()));
    let held = Arc::clone(&gate);
    let mut running = start(&scene, move |inner| Gated { inner, gate: held });
    running.client.initialize().expect("an answer");
    running.client.request("ping", &json!({})).expect("an answer");
    set(&gate, false);
    let ids: Vec<_> = ["a", "b", "c", "a"]
        .iter()
        .map(|server| {
            let params = json!({"name": format!("{server}__act"), "arguments": {}});
            running.client.start("tools/call", &params).expect("open")
        })
        .collect();
    // The servers are asked although nobody reads their answers.
    for server in ["a", "b", "c"] {
        scene.wait_received(server, |line| line.contains("tools/call"));
    }
    set(&gate, true);
    for id in ids {
        assert!(running.client.answer(id).expect("an answer").error().is_null());
    }
    let (received, ended) = running.end();
    ended.expect("served");
    assert_eq!(received.iter().filter(|line| line.contains("notifications/message")).count(), 4000);
    each_answered_once(&received, 6);
}

#[test]
fn a_client_that_writes_nonsense_is_answered_and_served_on() {
    let fine = script(&json!([{"result": {"content": [{"type": "text", "text": "fine"}]}}]));
    let scene = Scene::new("nonsense").scripted("a", &fine);
    let (mut running, _) = serve_as(&scene, "2025-06-18");
    for line in [
        "",
        "\r",
        "{",
        "nonsense",
        "[]",
        "[1]",
        "null",
        "\u{feff}",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":5}"#,
        r#"{"jsonrpc":"2.0","id":"y","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"z","method":"no/such","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/none"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}"#,
    ] {
        running.client.send_raw(line).expect("open");
        assert_eq!(running.client.call("a__act", &json!({})).expect(line).text(), Some("fine"), "{line}");
    }
    let deep = format!("{}1{}", "[".repeat(2000), "]".repeat(2000));
    running
        .client
        .send_raw(&format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{{"name":"a__act","arguments":{{"x":{deep}}}}}}}"#))
        .expect("open");
    let answer = running.client.wait_for("deep", |message| message["id"] == "deep").expect("an answer");
    assert!(!answer.error().is_null(), "{}", answer.raw);
    let wrong = running.client.wait_for("z", |message| message["id"] == "z").expect("an answer");
    assert_eq!(wrong.error()["code"], -32601);
    running.end().1.expect("served");
}

#[test]
fn a_client_that_leaves_in_the_middle_ends_the_gateway() {
    let scene = Scene::new("leaves").scripted("a", &script(&json!([]))).scripted("b", &script(&json!([])));
    let (mut running, _) = serve_as(&scene, "2025-06-18");
    for server in ["a", "b"] {
        let params = json!({"name": format!("{server}__act"), "arguments": {}});
        running.client.start("tools/call", &params).expect("open");
        scene.wait_received(server, |line| line.contains("tools/call"));
    }
    // What is under way has a while to end, then it is given up.
    running.end().1.expect("served");
}
