//! Progress, and changes of lists.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Setup;

fn progress(token: &Value, progress: i32) -> Value {
    json!({"send": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": progress}}})
}

#[test]
fn progress_is_passed_on_under_the_clients_own_name_while_its_request_is_open() {
    let done = json!({"result": {"content": []}});
    let script = json!({"tools": {
        "work": [progress(&json!("$progressToken"), 1), done, progress(&json!("$progressToken"), 2)],
        // Tokens of requests that are not open, or that have none.
        "guess": [progress(&json!("tok"), 3), progress(&json!(1), 4), progress(&json!("$id"), 5), done],
    }});
    let setup = Setup::new("progress").scripted("s", &script);
    let mut running = setup.serve();
    for token in [json!("tok"), json!(1), json!(7.5)] {
        let params = json!({"name": "s__work", "arguments": {}, "_meta": {"progressToken": token}});
        running.client.request("tools/call", &params).expect("an answer");
        let told =
            running.client.wait_for("progress", |message| message["method"] == "notifications/progress");
        assert_eq!(told.expect("told").message["params"], json!({"progressToken": token, "progress": 1}));
    }
    running.client.call("s__guess", &json!({})).expect("an answer");
    running.client.set_patience(Duration::from_millis(200));
    let more = running.client.wait_for("progress", |message| message["method"] == "notifications/progress");
    assert!(more.is_err(), "{more:?}");
    let sent: Vec<Value> = setup
        .received("s")
        .iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["params"]["name"] == "work")
        .collect();
    assert_eq!(sent.len(), 3);
    for (call, quoted) in sent.iter().zip([true, false, false]) {
        let (id, token) = (&call["id"], &call["params"]["_meta"]["progressToken"]);
        let expected = if quoted { json!(id.to_string()) } else { id.clone() };
        assert_eq!(*token, expected);
    }
    running.end().expect("served");
}

#[test]
fn changes_of_lists_are_told_once_for_all_and_the_lists_are_asked_for_again() {
    let changed = json!({"send": {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}});
    let mut steps = vec![changed; 50];
    steps.push(json!({"result": {"content": []}}));
    let abilities = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}}, "serverInfo": {"name": "h", "version": "1"}});
    let script = json!({"initialize": abilities, "tools": {"change": steps}});
    let setup = Setup::new("changes").scripted("one", &script).scripted("two", &script);
    let mut running = setup.serve();
    let client = &mut running.client;
    client.request("tools/list", &json!({})).expect("an answer");
    for upstream in ["one", "two"] {
        client
            .start("tools/call", &json!({"name": format!("{upstream}__change"), "arguments": {}}))
            .expect("open");
    }
    client
        .wait_for("the change", |message| message["method"] == "notifications/tools/list_changed")
        .expect("told");
    client.set_patience(Duration::from_millis(400));
    let again = client.wait_for("another", |message| message["method"] == "notifications/tools/list_changed");
    assert!(again.is_err(), "one for all: {again:?}");
    client.set_patience(Duration::from_secs(120));
    let lists = |name: &str| setup.received(name).iter().filter(|line| line.contains("tools/list\"")).count();
    let before = lists("one");
    client.call("one__change", &json!({})).expect("an answer");
    assert_eq!(lists("one"), before + 1, "the schemas are asked for again");
    running.end().expect("served");
}

#[test]
fn a_notification_whose_method_cannot_be_one_is_dropped_and_others_go_on() {
    let note = |method: &str| json!({"send": {"jsonrpc": "2.0", "method": method, "params": {}}});
    let steps = [
        note("notifications/jane.leak@example.eu"),
        note("jane.leak@example.eu"),
        note("notifications/4111111111111111"),
        note("notifications/vendor/changed"),
        json!({"result": {"content": []}}),
    ];
    let setup = Setup::new("misnamed").scripted("s", &json!({"tools": {"tell": steps}}));
    let mut running = setup.serve();
    running.client.call("s__tell", &json!({})).expect("an answer");
    let heard: Vec<String> = running.client.transcript().iter().map(|line| line.text.clone()).collect();
    assert!(heard.iter().any(|line| line.contains("notifications/vendor/changed")), "{heard:?}");
    assert!(!heard.iter().any(|line| line.contains("jane.leak") || line.contains("4111")), "{heard:?}");
    running.end().expect("served");
}
