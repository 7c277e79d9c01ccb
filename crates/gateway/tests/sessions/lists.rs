//! Lists of several servers as one.

use serde_json::json;

use crate::harness::Setup;

#[test]
fn items_keep_their_bytes_but_for_the_name() {
    let item = r#"{"inputSchema":{"type":"object","properties":{"n":{"default":1.10,"enum":["a\/b","marie.dubois@example.eu"]}}}, "name":"a\u0062" , "x":123456789012345678901234567890}"#;
    let setup = Setup::new("bytes").scripted("odd", &serde_json::Value::Null);
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
