//! What was not cloaked leaves byte for byte, in both directions.

use serde_json::json;

use crate::session::Session;

/// Members that a parser and writer of JSON would change.
const UNUSUAL: &str = r#""z":1.10, "a" :1e400,"n":123456789012345678901234567890,"f":-0.0,"e":1E+2,"s":"a\/b\u00e9\u2028","h":"\ud83d","v":null,"":[ ],"o":{ }"#;

#[test]
fn results_keep_what_was_not_cloaked() {
    let mut session = Session::with("fidelity-down", &["a"]);
    for email in ["none", "marie.dubois@example.eu"] {
        let structured = format!(r#"{{{UNUSUAL},"to":"{email}","b":true}}"#);
        let steps =
            format!(r#"[{{"result":{{"content":[],"structuredContent":{structured},"isError":false}}}}]"#);
        session.scene.script("a", &format!(r#"{{"tools":{{"act":{steps}}}}}"#));
        let id = format!("fidelity-{}", email.len());
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{{"name":"a__act","arguments":{{}}}}}}"#
        );
        session.running.client.send_raw(&call).expect("open");
        // No value can hold the answer, so the line is looked for as text.
        let marker = format!(r#""id":"{id}","result""#);
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
        let line = loop {
            session.running.client.request("ping", &json!({})).expect("an answer");
            let lines = session.running.client.transcript();
            if let Some(line) = lines.iter().find(|line| line.text.contains(&marker)) {
                break line.text.clone();
            }
            assert!(std::time::Instant::now() < deadline, "never answered");
        };
        assert!(line.contains(&format!("{{{UNUSUAL},\"to\":\"")), "{line}");
        assert!(line.ends_with(r#","b":true},"isError":false}}"#) && !line.contains('@'), "{line}");
    }
}

#[test]
fn arguments_keep_what_was_not_restored() {
    let mut session = Session::with("fidelity-up", &["a"]);
    let token = session.token("a", "email", "marie.dubois@example.eu");
    for (written, arrives) in [("none", "none"), (token.as_str(), "marie.dubois@example.eu")] {
        let arguments = format!(r#"{{{UNUSUAL},"to":"{written}","b":true}}"#);
        let id = format!("up-{}", written.len());
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{{"name":"a__act","arguments":{arguments}}}}}"#
        );
        session.scene.script("a", r#"{"tools":{"act":[{"result":{"content":[]}}]}}"#);
        session.running.client.send_raw(&call).expect("open");
        let expected = format!(r#"{{{UNUSUAL},"to":"{arrives}","b":true}}"#);
        session.scene.wait_received("a", |line| line.contains(&expected));
    }
}

#[test]
fn ids_of_any_kind_come_back_as_they_were() {
    let mut session = Session::with("fidelity-ids", &["a"]);
    session.scene.script("a", r#"{"tools":{"act":[{"result":{"content":[]}}]}}"#);
    for id in
        ["1", "\"1\"", "\"\"", "\"marie.dubois@example.eu\"", "-7", "12345678901234567890", "\"a\\u0062\""]
    {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"a__act","arguments":{{}}}}}}"#
        );
        session.running.client.send_raw(&call).expect("open");
        let answer = session
            .running
            .client
            .wait_for(id, |message| message["result"].get("content").is_some())
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(answer.raw.contains(&format!(r#""id":{id},"#)), "{}", answer.raw);
    }
}
