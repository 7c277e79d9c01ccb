//! Calls, their errors, and the way of values through both directions.

use serde_json::json;

use crate::harness::Setup;

#[test]
fn a_value_is_cloaked_towards_the_client_and_restored_towards_the_server() {
    let setup = Setup::new("round-trip")
        .echo("echo")
        .scripted("far", &json!({"tools": {"write": [{"result": {"content": []}}]}}));
    let mut running = setup.serve();
    let answer = running.client.call("echo__rows", &json!({"count": 2})).expect("an answer");
    assert!(!answer.raw.contains("@example.org"), "{}", answer.raw);
    let token = answer.result()["structuredContent"]["rows"][0]["email"].as_str().expect("text").to_owned();
    assert!(answer.text().expect("text").contains(&token), "both copies have one token");
    running
        .client
        .call("far__write", &json!({"text": token, "note": format!("to {token}")}))
        .expect("an answer");
    let call = setup.wait_received("far", "tools/call");
    assert!(call.contains(r#""text":"customer0@example.org""#), "{call}");
    assert!(call.contains("to customer0@example.org") && call.contains(r#""name":"write""#), "{call}");
    running.end().expect("served");
}

#[test]
fn errors_of_servers_are_cloaked_with_their_data() {
    let setup = Setup::new("errors").echo("echo");
    let mut running = setup.serve();
    let answer = running.client.call("echo__fail", &json!({})).expect("an answer");
    assert_eq!(answer.error()["code"], -32050);
    assert!(!answer.raw.contains("marie.dubois"), "{}", answer.raw);
    assert_eq!(answer.error()["data"]["retry"], false);
    running.end().expect("served");
}

#[test]
fn requests_that_cannot_be_carried_out_say_so() {
    let setup = Setup::new("refused").echo("echo");
    let mut running = setup.serve();
    let client = &mut running.client;
    for (method, params, code) in [
        ("tools/call", json!({"name": "nobody__x"}), -32602),
        ("tools/call", json!({"name": "plain"}), -32602),
        ("tools/call", json!({}), -32602),
        ("tasks/get", json!({"taskId": "1"}), -32601),
        ("server/discover", json!({}), -32601),
        ("completion/complete", json!({}), -32602),
    ] {
        let answer = client.request(method, &params).expect("an answer");
        assert_eq!(answer.error()["code"], code, "{method} {}", answer.raw);
    }
    let refused = client.call("echo__echo", &json!({"text": "[EMAIL_7_zzz]"})).expect("an answer");
    assert_eq!(refused.result()["isError"], true, "{}", refused.raw);
    assert!(refused.text().expect("text").contains("EMAIL_7"));
    for (line, code) in [
        (
            r#"{"jsonrpc":"2.0","id":901,"method":"tools/call","params":{"name":"echo__echo","arguments":{"text":"a","t\u0065xt":"b"}}}"#,
            -32600,
        ),
        (r#"{"jsonrpc":"2.0","id":901,"method":"ping","method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":901,"method":"ping","params":[]}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":901,"method":"ping",}"#, -32700),
    ] {
        client.send_raw(line).expect("open");
        assert_eq!(client.answer(901).expect("an answer").error()["code"], code, "{line}");
    }
    client.send_raw(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).expect("open");
    client.wait_for("the refusal of a batch", |message| message["id"].is_null()).expect("an answer");
    running.end().expect("served");
}

#[test]
fn ids_come_back_as_they_were_written() {
    let setup = Setup::new("ids").echo("echo");
    let mut running = setup.serve();
    for id in [r#""7""#, "7", "7.0", r#""\u0061""#, "123456789012345678901234567890"] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo__echo","arguments":{{"text":"x"}}}}}}"#
        );
        running.client.send_raw(&line).expect("open");
    }
    let mut ids: Vec<String> = (0..5)
        .map(|_| {
            running
                .client
                .wait_for("an answer", |message| message.get("result").is_some())
                .expect("an answer")
                .raw
        })
        .map(|raw| {
            raw.split("\"id\":")
                .nth(1)
                .and_then(|rest| rest.split(",\"result").next())
                .expect("an id")
                .to_owned()
        })
        .collect();
    ids.sort();
    assert_eq!(ids, [r#""7""#, r#""\u0061""#, "123456789012345678901234567890", "7", "7.0"]);
    running.end().expect("served");
}

#[test]
fn off_means_equal_bytes_but_for_ids_and_names() {
    let result = r#"{"content":[{"type":"text","text":"marie.dubois@example.eu \/ \u00e9","n":1.10}],"x":{"a":1,"b":123456789012345678901234567890}}"#;
    let script = format!(r#"{{"tools":{{"raw":[{{"result":{result}}}]}}}}"#);
    let setup = Setup::new("off").scripted("s", &serde_json::Value::Null).with("sanitize", json!(false));
    setup.rewrite("s", &script);
    let mut running = setup.serve();
    let arguments = r#"{"b":1.10,"a":"[EMAIL_0_zzz] \/","dup":1,"dup":2}"#;
    let line = format!(
        r#"{{"jsonrpc":"2.0", "id":"x","method":"tools/call","params":{{"arguments":{arguments},"name":"s__raw","_meta":{{"k":1e2}}}}}}"#
    );
    running.client.send_raw(&line).expect("open");
    let answer = running.client.wait_for("the answer", |message| message["id"] == "x").expect("an answer");
    assert!(answer.raw.ends_with(&format!("{result}}}")), "{}", answer.raw);
    let received = setup.wait_received("s", "tools/call");
    let sent = line.replace("s__raw", "raw");
    assert_eq!(received.split("\"method\"").nth(1), sent.split("\"method\"").nth(1));
    assert!(
        !setup.received("s").iter().any(|line| line.contains("tools/list")),
        "nothing is asked that the client did not ask"
    );
    running.end().expect("served");
}

#[test]
fn the_log_level_goes_to_every_server_that_logs() {
    let deaf = json!({"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"logging": {}},
        "serverInfo": {"name": "h", "version": "1"}}});
    let setup = Setup::new("levels").scripted("deaf", &deaf).echo("echo");
    let mut running = setup.serve();
    let answer = running.client.request("logging/setLevel", &json!({"level": "debug"})).expect("an answer");
    assert_eq!(answer.result(), &json!({}));
    assert!(setup.wait_received("deaf", "logging/setLevel").contains(r#""level":"debug""#));
    running.end().expect("served");
}

#[test]
fn an_id_may_be_used_again_as_soon_as_it_was_answered() {
    let setup = Setup::new("same-id").echo("echo");
    let mut running = setup.serve();
    let line = r#"{"jsonrpc":"2.0","id":5000,"method":"tools/call","params":{"name":"echo__echo","arguments":{"text":"x"}}}"#;
    for _ in 0..500 {
        running.client.send_raw(line).expect("open");
        assert_eq!(running.client.answer(5000).expect("an answer").text(), Some("x"));
    }
    running.end().expect("served");
}

#[test]
fn each_server_has_its_own_switch() {
    let setup = Setup::new("switch").echo("open").upstream("open", "sanitize", json!(false)).echo("closed");
    let mut running = setup.serve();
    let open =
        running.client.call("open__echo", &json!({"text": "marie.dubois@example.eu"})).expect("an answer");
    assert_eq!(open.text(), Some("marie.dubois@example.eu"));
    let closed =
        running.client.call("closed__echo", &json!({"text": "marie.dubois@example.eu"})).expect("an answer");
    assert!(closed.text().expect("text").starts_with("[EMAIL_0_"), "{}", closed.raw);
    running.end().expect("served");
}
