//! Lists of several servers as one.

use serde_json::{Value, json};

use crate::harness::Setup;

#[test]
fn items_keep_their_bytes_but_for_the_name() {
    let item = r#"{"inputSchema":{"type":"object","properties":{"n":{"default":1.10,"enum":["a\/b","marie.dubois@example.eu"]}}}, "name":"a\u0062" , "x":123456789012345678901234567890}"#;
    let setup = Setup::new("bytes").scripted("odd", &Value::Null);
    setup.rewrite("odd", &format!(r#"{{"methods":{{"tools/list":[{{"result":{{"tools":[{item}]}}}}]}}}}"#));
    let mut running = setup.serve();
    let answer = running.client.request("tools/list", &json!({})).expect("an answer");
    assert!(answer.raw.contains(&item.replace(r"a\u0062", "odd__ab")), "{}", answer.raw);
    running.end().expect("served");
}

#[test]
fn every_page_of_every_server_is_listed_in_order() {
    let page = |cursor: Option<&str>, names: &[&str]| {
        let tools: Vec<_> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        match cursor {
            Some(cursor) => json!({"tools": tools, "nextCursor": cursor}),
            None => json!({"tools": tools}),
        }
    };
    // The scripted server gives one page for ever, so its cursor comes twice.
    let endless = json!({"methods": {"tools/list": [{"result": page(Some("more"), &["b", "a"])}]}});
    let fails = json!({"methods": {"tools/list": [{"error": {"code": -32000, "message": "no"}}]}});
    let setup = Setup::new("pages")
        .scripted("two", &endless)
        .scripted("fails", &fails)
        .echo("echo")
        .with("request_timeout", json!(5));
    let mut running = setup.serve();
    let answer = running.client.request("tools/list", &json!({})).expect("an answer");
    let names: Vec<_> = answer.result()["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].clone())
        .collect();
    assert_eq!(
        names,
        ["two__b", "two__a", "two__b", "two__a", "echo__echo", "echo__rows", "echo__fail", "echo__raw"]
    );
    assert!(answer.result().get("nextCursor").is_none());
    assert!(setup.received("two").iter().any(|line| line.contains(r#""params":{"cursor":"more"}"#)));
    let cursor = running.client.request("tools/list", &json!({"cursor": "x"})).expect("an answer");
    assert_eq!(cursor.error()["code"], -32602);
    running.end().expect("served");
}

#[test]
fn a_long_list_is_given_in_pages_with_cursors_of_our_own() {
    let item = |number: usize| json!({"uri": format!("note://{number}"), "name": "n".repeat(40)});
    let script = |next: Value, count: usize| {
        let resources: Vec<_> = (0..count).map(item).collect();
        json!({"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"resources": {}, "tools": {}}, "serverInfo": {"name": "h", "version": "1"}},
            "methods": {"resources/list": [{"result": {"resources": resources, "nextCursor": next}}],
                "tools/list": [{"result": {"tools": []}}]}})
    };
    // The first server's page is full and names another, with a cursor that is empty but there; it says so for ever.
    let setup = Setup::new("cursors")
        .scripted("big", &script(json!(""), 2_000))
        .scripted("small", &script(Value::Null, 3));
    let mut running = setup.serve();
    let client = &mut running.client;
    let page = client.request("resources/list", &json!({"cursor": null})).expect("an answer");
    assert_eq!(page.result()["resources"].as_array().map(Vec::len), Some(2_000));
    let cursor = page.result()["nextCursor"].as_str().expect("a cursor").to_owned();
    assert!(!cursor.contains("big"));
    let wrong = client.request("tools/list", &json!({"cursor": cursor})).expect("an answer");
    assert_eq!(wrong.error()["code"], -32602, "the cursor of another list");
    for bad in ["".to_owned(), "x".to_owned(), cursor.chars().skip(1).collect()] {
        let answer = client.request("resources/list", &json!({"cursor": bad})).expect("an answer");
        assert_eq!(answer.error()["code"], -32602, "{bad}");
    }
    let mut answer = client.request("resources/list", &json!({"cursor": cursor})).expect("an answer");
    assert!(setup.received("big").iter().any(|line| line.contains(r#""params":{"cursor":""}"#)));
    assert_eq!(answer.result()["resources"].as_array().map(Vec::len), Some(2_000));
    setup.rewrite("big", &script(Value::Null, 0).to_string());
    // Its list ends after a restart; the next server follows.
    running.end().expect("served");
    let setup = Setup::new("cursors-end")
        .scripted("big", &script(Value::Null, 2_000))
        .scripted("small", &script(Value::Null, 3));
    let mut running = setup.serve();
    answer = running.client.request("resources/list", &json!({})).expect("an answer");
    let cursor = answer.result()["nextCursor"].clone();
    let last = running.client.request("resources/list", &json!({"cursor": cursor})).expect("an answer");
    assert_eq!(last.result()["resources"].as_array().map(Vec::len), Some(3), "{}", last.raw);
    assert!(last.result().get("nextCursor").is_none());
    running.end().expect("served");
}

#[test]
fn long_names_are_shortened_and_come_back() {
    let long = "a_very_long_name_of_a_tool_that_goes_on.and.on.and.on";
    let setup = Setup::new("names").scripted("s", &json!({"tools": {long: [{"result": {"content": []}}]}}));
    let mut running = setup.serve();
    let answer = running.client.request("tools/list", &json!({})).expect("an answer");
    let name = answer.result()["tools"][0]["name"].as_str().expect("a name").to_owned();
    assert!(name.len() <= 44 && name.starts_with("s__a_very_long"), "{name}");
    let call = running.client.call(&name, &json!({})).expect("an answer");
    assert!(call.error().is_null(), "{}", call.raw);
    assert!(setup.wait_received("s", "tools/call").contains(long));
    running.end().expect("served");

    // A client that remembers the name from an earlier session need not list again.
    let mut running = setup.serve();
    let call = running.client.call(&name, &json!({})).expect("an answer");
    assert!(call.error().is_null(), "{}", call.raw);
    running.end().expect("served");
}

#[test]
fn prompts_are_listed_and_got_by_name() {
    let setup = Setup::new("prompts").echo("one").echo("two");
    let mut running = setup.serve();
    let list = running.client.request("prompts/list", &json!({})).expect("an answer");
    assert_eq!(list.result()["prompts"][2]["name"], "two__greet");
    let got =
        running.client.request("prompts/get", &json!({"name": "two__greet", "arguments": {"who": "Bob"}}));
    assert_eq!(got.expect("an answer").result()["messages"][1]["content"]["text"], "Bob");
    let completed = running.client.request(
        "completion/complete",
        &json!({"ref": {"type": "ref/prompt", "name": "two__greet"}, "argument": {"name": "who", "value": "m"}}),
    );
    let completed = completed.expect("an answer");
    assert!(completed.raw.contains("[EMAIL_0_") && !completed.raw.contains("marie"), "{}", completed.raw);
    running.end().expect("served");
}

#[test]
fn a_server_without_templates_has_an_empty_list_of_them() {
    let script = json!({"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"resources": {}},
        "serverInfo": {"name": "h", "version": "1"}}});
    let setup = Setup::new("no-templates").scripted("s", &script);
    let mut running = setup.serve();
    let answer = running.client.request("resources/templates/list", &json!({})).expect("an answer");
    assert_eq!(answer.result(), &json!({"resourceTemplates": []}), "{}", answer.raw);
    let tools = running.client.request("tools/list", &json!({})).expect("an answer");
    assert_eq!(tools.error()["code"], -32601, "no server has tools");
    running.end().expect("served");
}
