//! Tools that run as tasks of their server (revision 2025-11-25).

use cloakgate_testkit::{Answer, LineDirection};
use serde_json::{Value, json};

use crate::harness::{Running, Setup};

const NEWEST: &str = "2025-11-25";
const RELATED: &str = "io.modelcontextprotocol/related-task";

fn begin(running: &mut Running, tool: &str, arguments: &Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments, "task": {"ttl": 60000}, "_meta": {"progressToken": "p"}});
    running.client.request("tools/call", &params).expect("an answer")
}

fn id_of(answer: &Answer) -> String {
    let id = answer.result()["task"]["taskId"].as_str().unwrap_or_else(|| panic!("no task: {}", answer.raw));
    assert!(id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    id.to_owned()
}

fn about(running: &mut Running, method: &str, id: &str) -> Answer {
    running.client.request(method, &json!({"taskId": id})).expect("an answer")
}

fn told(running: &mut Running, method: &str) -> Value {
    running.client.wait_for(method, |message| message["method"] == method).expect("a notification").message
}

fn assert_nothing_shown(running: &Running) {
    for line in running.client.transcript().iter().filter(|line| line.direction == LineDirection::Received) {
        assert!(!line.text.contains("marie"), "{}", line.text);
    }
}

#[test]
fn all_that_is_said_of_a_task_is_cloaked_and_its_result_by_its_tools_rules() {
    let setup = Setup::new("task").tasks("s", NEWEST);
    let mut running = setup.serve();
    let plain = running.client.call("s__export", &json!({})).expect("an answer");
    let token = plain.result()["structuredContent"]["owner"].as_str().expect("text").to_owned();
    let begun = begin(&mut running, "s__export", &json!({"to": token}));
    let id = id_of(&begun);
    assert_eq!(begun.result()["task"]["statusMessage"], format!("working for {token}"));
    assert!(setup.wait_received("s", "60000").contains(r#"{"to":"marie.dubois@example.eu"}"#));
    let state = told(&mut running, "notifications/tasks/status");
    assert_eq!(state["params"], begun.result()["task"]);
    for status in ["working", "completed"] {
        let answer = about(&mut running, "tasks/get", &id);
        assert_eq!((&answer.result()["status"], &answer.result()["taskId"]), (&json!(status), &json!(id)));
        let progress = told(&mut running, "notifications/progress");
        assert_eq!(progress["params"]["progressToken"], "p");
        assert_eq!(progress["params"]["message"], format!("row of {token}"));
    }
    assert!(setup.wait_received("s", "tasks/get").contains(r##""taskId":"marie.dubois@example.eu#1""##));
    let result = about(&mut running, "tasks/result", &id);
    assert_eq!(result.result()["structuredContent"], json!({"owner": token, "count": 2}));
    assert_eq!(result.text(), Some(format!("of {token}, for {{\"to\":\"{token}\"}}").as_str()));
    assert_eq!(result.result()["_meta"][RELATED]["taskId"], id);
    assert_nothing_shown(&running);
    running.end().expect("served");
}

#[test]
fn the_schema_of_the_tool_holds_for_the_result_of_its_task() {
    const CARD: u64 = 4_111_111_111_111_111;
    let greeting = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}});
    let tool = |name: &str, of: &str| {
        let card = if of == "fixed" { json!({"const": CARD}) } else { json!({ "type": of }) };
        let schema = json!({"type": "object", "properties": {"card": card}});
        json!({"name": name, "inputSchema": {"type": "object"}, "outputSchema": schema})
    };
    let kinds = ["string", "integer", "fixed"];
    let tools: Vec<Value> =
        kinds.iter().flat_map(|of| [tool(of, of), tool(&format!("{of}-task"), of)]).collect();
    let paid = json!([{"result": {"content": [], "structuredContent": { "card": CARD }}}]);
    let mut entries = json!({});
    for of in kinds {
        entries[of] = paid.clone();
        entries[format!("{of}-task")] = json!([{"result": {"task": {"taskId": of, "status": "working"}}}]);
    }
    let setup = Setup::new("task-schema").scripted(
        "s",
        &json!({"initialize": greeting, "tools": entries,
        "methods": {"tools/list": [{"result": {"tools": tools}}], "tasks/result": paid}}),
    );
    let mut running = setup.serve();
    for of in kinds {
        let called = running.client.call(&format!("s__{of}"), &json!({})).expect("an answer");
        let id = id_of(&begin(&mut running, &format!("s__{of}-task"), &json!({})));
        let result = about(&mut running, "tasks/result", &id);
        assert_eq!(result.result(), called.result(), "as for the call itself: {}", result.raw);
        assert!(
            of != "fixed" || result.result()["isError"] == true,
            "nothing else may stand there: {}",
            result.raw
        );
        assert!(!result.raw.contains("4111111111111111"), "{}", result.raw);
    }
    running.end().expect("served");
}

#[test]
fn a_task_outlives_the_process_that_began_it() {
    let greeting = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}});
    let state = json!({"taskId": "7", "status": "working", "statusMessage": "for marie.dubois@example.eu"});
    let setup = Setup::new("task-restart").scripted(
        "s",
        &json!({"initialize": greeting,
        "methods": {"tasks/get": [{"result": state}]},
        "tools": {"work": [{"result": {"task": state}}], "crash": [{"exit": 1}]}}),
    );
    let mut running = setup.serve();
    let id = id_of(&begin(&mut running, "s__work", &json!({})));
    assert_eq!(running.client.call("s__crash", &json!({})).expect("an answer").error()["code"], -32603);
    let answer = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let answer = about(&mut running, "tasks/get", &id);
        answer.error().is_null().then_some(answer)
    });
    assert_eq!(answer.expect("it serves again").result()["taskId"], id);
    assert_nothing_shown(&running);
    running.end().expect("served");
}

#[test]
fn the_failure_of_a_task_is_cloaked() {
    let setup = Setup::new("task-failure").tasks("s", NEWEST);
    let mut running = setup.serve();
    let id = id_of(&begin(&mut running, "s__fail", &json!({})));
    let failed = about(&mut running, "tasks/result", &id);
    assert_eq!(failed.error()["code"], -32602, "{}", failed.raw);
    assert!(failed.raw.contains("has no access"), "{}", failed.raw);
    assert_nothing_shown(&running);
    running.end().expect("served");
}

#[test]
fn a_tools_own_settings_hold_for_all_that_is_said_of_its_tasks() {
    let setup = Setup::new("task-settings")
        .tasks("s", NEWEST)
        .upstream("s", "categories", json!({"EMAIL": "off"}))
        .upstream("s", "tools", json!({"export": {"categories": {"EMAIL": "on"}}}));
    let mut running = setup.serve();
    let open = begin(&mut running, "s__fail", &json!({}));
    assert!(open.raw.contains("working for marie.dubois@example.eu"), "{}", open.raw);
    let id = id_of(&begin(&mut running, "s__export", &json!({})));
    let before = running.client.transcript().len();
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert!(about(&mut running, method, &id).error().is_null());
    }
    running.client.request("tasks/list", &json!({})).expect("an answer");
    for line in &running.client.transcript()[before..] {
        assert!(!line.text.contains("marie"), "{}", line.text);
    }
    running.end().expect("served");
}

#[test]
fn a_person_can_be_asked_in_the_middle_of_a_task() {
    let setup = Setup::new("task-input").tasks("s", NEWEST);
    let mut running = setup.start();
    running.client.initialize_as(NEWEST, &json!({"elicitation": {}})).expect("an answer");
    let id = id_of(&begin(&mut running, "s__confirm", &json!({})));
    let asking = running.client.start("tasks/result", &json!({"taskId": id})).expect("open");
    let question = told(&mut running, "elicitation/create");
    assert_eq!(question["params"]["_meta"][RELATED]["taskId"], id);
    let message = question["params"]["message"].as_str().expect("text");
    let token =
        message.strip_prefix("Send to ").and_then(|rest| rest.strip_suffix('?')).expect("the words stay");
    let reply = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept",
        "content": {"to": token}, "_meta": {RELATED: {"taskId": id}}}});
    running.client.send_raw(&reply.to_string()).expect("open");
    let answer = running.client.answer(asking).expect("an answer");
    assert_eq!(answer.text(), Some(format!("sent to \"{token}\"").as_str()), "{}", answer.raw);
    let received = setup.wait_received("s", "accept");
    assert!(received.contains(r#"{"to":"marie.dubois@example.eu"}"#), "{received}");
    assert!(received.contains(r##"{"taskId":"marie.dubois@example.eu#1"}"##), "{received}");
    assert_nothing_shown(&running);
    running.end().expect("served");
}

#[test]
fn tasks_of_all_servers_are_one_list_of_those_that_the_session_has_begun() {
    let stray = json!({"taskId": "marie", "status": "working", "statusMessage": "for marie"});
    let stray = json!([{"result": {"tasks": [stray]}}]);
    let capabilities = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"list": {}}}});
    let setup = Setup::new("task-list").tasks("one", NEWEST).tasks("two", NEWEST).scripted(
        "three",
        &json!({"initialize": capabilities, "methods": {"tasks/list": stray}, "tools": {}}),
    );
    let mut running = setup.serve();
    let tools = ["two__export", "one__export", "one__fail", "one__export"];
    let ids = tools.map(|tool| id_of(&begin(&mut running, tool, &json!({}))));
    let list = running.client.request("tasks/list", &json!({})).expect("an answer");
    let listed: Vec<_> =
        list.result()["tasks"].as_array().expect("a list").iter().map(|task| &task["taskId"]).collect();
    assert_eq!(listed, [&ids[1], &ids[2], &ids[3], &ids[0]], "{}", list.raw);
    assert!(list.result().get("nextCursor").is_none());
    let lost = running.client.request("tasks/list", &json!({"cursor": "2"})).expect("an answer");
    assert_eq!(lost.error()["code"], -32602);
    assert_nothing_shown(&running);
    // Each goes to its own server.
    let count = |name: &str| setup.received(name).iter().filter(|line| line.contains("tasks/get")).count();
    for id in &ids {
        assert!(about(&mut running, "tasks/get", id).error().is_null());
    }
    assert_eq!((count("one"), count("two"), count("three")), (3, 1, 0));
    running.end().expect("served");
}

#[test]
fn a_task_of_another_session_is_unknown() {
    let setup = Setup::new("task-foreign").tasks("s", NEWEST);
    let mut running = setup.serve();
    let foreign = id_of(&begin(&mut running, "s__export", &json!({})));
    running.end().expect("served");
    let mut running = setup.serve();
    id_of(&begin(&mut running, "s__export", &json!({})));
    let before = setup.received("s").len();
    for id in [foreign.as_str(), "marie.dubois@example.eu#1", "", "00ff"] {
        for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
            let refused = about(&mut running, method, id);
            assert_eq!(refused.error()["code"], -32602, "{}", refused.raw);
            assert!(refused.raw.contains("unknown task"), "{}", refused.raw);
        }
    }
    assert!(!setup.received("s")[before..].iter().any(|line| line.contains("tasks/")));
    running.end().expect("served");
}

#[test]
fn a_task_is_cancelled_where_its_server_can_and_refused_by_name_where_not() {
    let deaf = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}});
    let task = json!({"task": {"taskId": "7", "status": "working"}});
    let plain = json!({"tools": {"work": [{"result": {"content": []}}]}});
    let setup = Setup::new("task-cancel")
        .tasks("s", NEWEST)
        .scripted("deaf", &json!({"initialize": deaf, "tools": {"work": [{"result": task}]}}))
        .scripted("plain", &plain);
    let mut running = setup.serve();
    let id = id_of(&begin(&mut running, "s__export", &json!({})));
    let cancelled = about(&mut running, "tasks/cancel", &id);
    assert_eq!(cancelled.result()["status"], "cancelled", "{}", cancelled.raw);
    let id = id_of(&begin(&mut running, "deaf__work", &json!({})));
    for refused in [about(&mut running, "tasks/cancel", &id), begin(&mut running, "plain__work", &json!({}))]
    {
        assert_eq!(refused.error()["code"], -32601, "{}", refused.raw);
        assert!(refused.raw.contains("`deaf`") || refused.raw.contains("`plain`"), "{}", refused.raw);
    }
    running.end().expect("served");
}

#[test]
fn a_call_that_is_called_off_has_its_task_cancelled_and_never_the_call() {
    let greeting = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"cancel": {}, "requests": {"tools": {"call": {}}}}}});
    let task = |id: &str| json!({"result": {"task": {"taskId": id, "status": "working"}}});
    let setup = Setup::new("task-off")
        .scripted("s", &json!({"initialize": greeting, "methods": {"tasks/cancel": [{"result": {}}]}, "tools": {
            "early": [{"sleep_ms": 300}, task("a")], "late": [task("b")], "slow": [{"sleep_ms": 700}, task("c")]}}))
        .upstream("s", "tools", json!({"slow": {"call_timeout": "200ms"}}));
    let mut running = setup.serve();
    running.client.request("tools/list", &json!({})).expect("an answer");
    let params = |tool: &str| json!({"name": tool, "arguments": {}, "task": {}});
    let early = running.client.start("tools/call", &params("s__early")).expect("open");
    setup.wait_received("s", "\"early\"");
    running.client.notify("notifications/cancelled", &json!({"requestId": early})).expect("open");
    setup.wait_received("s", r#""method":"tasks/cancel","params":{"taskId":"a"}"#);
    // It was answered, and the client did not know yet.
    let late = running.client.start("tools/call", &params("s__late")).expect("open");
    running.client.answer(late).expect("an answer");
    running.client.notify("notifications/cancelled", &json!({"requestId": late})).expect("open");
    setup.wait_received("s", r#""method":"tasks/cancel","params":{"taskId":"b"}"#);
    // Nobody waits that long.
    let slow = running.client.request("tools/call", &params("s__slow")).expect("an answer");
    assert_eq!(slow.error()["code"], -32603, "{}", slow.raw);
    setup.wait_received("s", r#""method":"tasks/cancel","params":{"taskId":"c"}"#);
    assert!(!setup.received("s").iter().any(|line| line.contains("notifications/cancelled")));
    let answers = running.client.transcript().iter().filter(|line| line.text.contains("\"taskId\":"));
    assert_eq!(answers.filter(|line| line.direction == LineDirection::Received).count(), 1);
    running.end().expect("served");
}

#[test]
fn a_task_that_cannot_be_told_of_is_cancelled() {
    let greeting = json!({"protocolVersion": NEWEST, "serverInfo": {"name": "h", "version": "1"},
        "capabilities": {"tools": {}, "tasks": {"cancel": {}, "requests": {"tools": {"call": {}}}}}});
    let task = json!({"taskId": "7", "status": "working", "statusMessage": "x".repeat(200)});
    let setup = Setup::new("task-untold")
        .with("detection", json!({"max_input_length": 100}))
        .scripted("s", &json!({"initialize": greeting, "tools": {"work": [{"result": {"task": task}}]}}));
    let mut running = setup.serve();
    let refused = begin(&mut running, "s__work", &json!({}));
    assert_eq!(refused.result()["isError"], true, "{}", refused.raw);
    setup.wait_received("s", r#""method":"tasks/cancel","params":{"taskId":"7"}"#);
    running.end().expect("served");
}

#[test]
fn tasks_are_advertised_and_taken_in_their_revision_only() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST] {
        let setup = Setup::new(&format!("task-{revision}")).tasks("s", revision);
        let mut running = setup.start();
        let abilities = json!({"sampling": {}, "tasks": {"list": {}}});
        let greeting = running.client.initialize_as(revision, &abilities).expect("an answer");
        let has_tasks = revision == NEWEST;
        let tasks = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
        let expected = has_tasks.then_some(&tasks);
        assert_eq!(greeting.result()["capabilities"].get("tasks"), expected, "{}", greeting.raw);
        assert_eq!(setup.wait_received("s", "initialize").contains("\"tasks\""), has_tasks);
        for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] {
            let answer = about(&mut running, method, "7");
            let refused = answer.error()["message"].as_str().unwrap_or_default();
            let by_name = format!("`{method}` is of protocol version {NEWEST}");
            assert_eq!(refused.starts_with(&by_name), !has_tasks, "{}", answer.raw);
        }
        running.end().expect("served");
    }
}

#[test]
fn a_server_of_an_earlier_revision_has_no_tasks_beside_one_that_has() {
    let setup = Setup::new("task-mixed").tasks("new", NEWEST).tasks("old", "2025-06-18");
    let mut running = setup.serve();
    id_of(&begin(&mut running, "new__export", &json!({})));
    let refused = begin(&mut running, "old__export", &json!({}));
    assert_eq!(refused.error()["code"], -32601, "{}", refused.raw);
    running.end().expect("served");
}

#[test]
fn without_cloaking_only_the_ids_of_tasks_differ() {
    let setup = Setup::new("task-clear").with("sanitize", json!(false)).tasks("s", NEWEST);
    let mut running = setup.serve();
    let begun = begin(&mut running, "s__export", &json!({"to": "joe"}));
    let id = id_of(&begun);
    assert_eq!(begun.result()["task"]["statusMessage"], "working for marie.dubois@example.eu");
    let result = about(&mut running, "tasks/result", &id);
    assert_eq!(result.result()["structuredContent"]["owner"], "marie.dubois@example.eu");
    assert_eq!(result.result()["_meta"][RELATED]["taskId"], id);
    running.end().expect("served");
}
