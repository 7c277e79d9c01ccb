//! What servers ask the client: sampling, elicitation, roots.

use std::time::Duration;

use cloakgate_testkit::Answer;
use serde_json::{Value, json};

use crate::harness::{Running, Setup};

fn asks(method: &str, id: &Value, params: &Value) -> Value {
    json!({"send": {"jsonrpc": "2.0", "id": id, "method": method, "params": params}})
}

fn done() -> Value {
    json!({"result": {"content": [{"type": "text", "text": "done"}]}})
}

fn abilities() -> Value {
    json!({"sampling": {}, "elicitation": {"form": {}}, "roots": {"listChanged": true}})
}

fn serve(setup: &Setup) -> Running {
    let mut running = setup.start();
    let answer = running.client.initialize_as("2025-11-25", &abilities()).expect("an answer");
    assert!(answer.error().is_null(), "{}", answer.raw);
    running
}

fn asked(running: &mut Running, method: &str) -> Answer {
    running.client.wait_for(method, |message| message["method"] == method).expect("a question")
}

fn say(running: &mut Running, message: &Value) {
    running.client.send_raw(&message.to_string()).expect("open");
}

#[test]
fn a_question_is_cloaked_and_its_answer_restored_under_the_servers_own_id() {
    let sampling = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Write to marie.dubois@example.eu"}}],
        "systemPrompt": "You write for joe.bloggs@example.org", "maxTokens": 100});
    let script =
        json!({"tools": {"work": [asks("sampling/createMessage", &json!("a\"1"), &sampling), done()]}});
    let setup = Setup::new("sampling").scripted("s", &script);
    let mut running = serve(&setup);
    running.client.call("s__work", &json!({})).expect("an answer");
    let question = asked(&mut running, "sampling/createMessage");
    assert!(!question.raw.contains("marie") && !question.raw.contains("bloggs"), "{}", question.raw);
    assert_eq!(question.message["params"]["maxTokens"], 100);
    let text = question.message["params"]["messages"][0]["content"]["text"].as_str().expect("text");
    let token = text.strip_prefix("Write to ").expect("the words stay");
    let id = &question.message["id"];
    say(
        &mut running,
        &json!({"jsonrpc": "2.0", "id": id, "result": {"role": "assistant", "model": "m",
        "content": {"type": "text", "text": format!("Dear {token}")}}}),
    );
    let answer = setup.wait_received("s", "assistant");
    assert!(answer.contains("Dear marie.dubois@example.eu"), "{answer}");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["id"], "a\"1");
    running.end().expect("served");
}

#[test]
fn servers_are_told_what_the_client_declared_and_no_more() {
    let setup = Setup::new("declared").scripted(
        "s",
        &json!({"tools": {"work": [
            asks("elicitation/create", &json!(1), &json!({"message": "?"})),
            asks("roots/list", &json!(2), &json!({})),
            asks("tasks/list", &json!(3), &json!({})),
            asks("vendor/ask", &json!(4), &json!({})),
            done(),
        ]}}),
    );
    let mut running = serve(&setup);
    let greeting = setup.wait_received("s", "\"initialize\"");
    let params =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["params"]["capabilities"].clone();
    assert_eq!(
        params(&greeting),
        json!({"sampling": {}, "elicitation": {"form": {}}, "roots": {"listChanged": true}})
    );
    running.client.call("s__work", &json!({})).expect("an answer");
    asked(&mut running, "elicitation/create");
    asked(&mut running, "roots/list");
    for id in [3, 4] {
        let refused = setup.wait_received("s", &format!("\"id\":{id},\"error\""));
        assert!(refused.contains("-32601"), "{refused}");
    }
    running.end().expect("served");

    // The same server, and a client that can do nothing.
    let mut running = setup.serve();
    running.client.call("s__work", &json!({})).expect("an answer");
    for id in [1, 2] {
        assert!(setup.wait_received("s", &format!("\"id\":{id},\"error\"")).contains("-32601"));
    }
    assert_eq!(
        params(setup.received("s").iter().rfind(|line| line.contains("\"initialize\"")).expect("sent")),
        json!({})
    );
    running.end().expect("served");
}

#[test]
fn a_token_that_may_not_go_to_the_asker_becomes_an_error_for_it() {
    let ask = asks(
        "elicitation/create",
        &json!(7),
        &json!({"message": "which?", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}),
    );
    let setup = Setup::new("scope")
        .with("token_scope", json!("upstream"))
        .echo("owner")
        .scripted("asker", &json!({"tools": {"work": [ask, done()]}}));
    let mut running = serve(&setup);
    let echoed =
        running.client.call("owner__echo", &json!({"text": "marie.dubois@example.eu"})).expect("an answer");
    let rows = running.client.call("owner__rows", &json!({"count": 1})).expect("an answer");
    assert!(echoed.error().is_null());
    let token = rows.result()["structuredContent"]["rows"][0]["email"].as_str().expect("text").to_owned();
    running.client.call("asker__work", &json!({})).expect("an answer");
    let question = asked(&mut running, "elicitation/create");
    say(
        &mut running,
        &json!({"jsonrpc": "2.0", "id": question.message["id"],
        "result": {"action": "accept", "content": {"a": token}}}),
    );
    let answer = setup.wait_received("asker", "\"id\":7");
    assert!(
        answer.contains("\"error\"") && !answer.contains("customer0") && !answer.contains("EMAIL"),
        "{answer}"
    );
    running.end().expect("served");
}

#[test]
fn errors_of_the_client_reach_the_asker_and_unreadable_answers_end_the_question() {
    let ask = |id: &str| asks("roots/list", &json!(id), &json!({}));
    let setup = Setup::new("client-errors")
        .with("max_message_bytes", json!(100_000))
        .scripted("s", &json!({"tools": {"work": [ask("q1"), ask("q2"), ask("q3"), ask("q4"), done()]}}));
    let mut running = serve(&setup);
    running.client.call("s__work", &json!({})).expect("an answer");
    let ids: Vec<Value> = (0..4).map(|_| asked(&mut running, "roots/list").message["id"].clone()).collect();
    say(
        &mut running,
        &json!({"jsonrpc": "2.0", "id": ids[0], "error": {"code": -1, "message": "the user said no"}}),
    );
    say(
        &mut running,
        &json!({"jsonrpc": "2.0", "id": ids[1], "result": {"roots": [{"uri": "x".repeat(200_000)}]}}),
    );
    running
        .client
        .send_raw(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{]}}}}", ids[2]))
        .expect("open");
    let root = json!({"uri": "file:///work", "name": "work"});
    say(&mut running, &json!({"jsonrpc": "2.0", "id": ids[3], "result": {"roots": [root]}}));
    for (id, part) in [
        ("q1", "the user said no"),
        ("q2", "cannot be read"),
        ("q3", "cannot be read"),
        ("q4", "file:///work"),
    ] {
        let answer = setup.wait_received("s", &format!("\"id\":\"{id}\""));
        assert!(answer.contains(part), "{answer}");
    }
    // An answer to what was answered already goes nowhere.
    say(&mut running, &json!({"jsonrpc": "2.0", "id": ids[3], "result": {"roots": []}}));
    running.client.request("ping", &json!({})).expect("an answer");
    assert_eq!(setup.received("s").iter().filter(|line| line.contains("\"q4\"")).count(), 1);
    running.end().expect("served");
}

#[test]
fn questions_of_several_servers_do_not_meet_and_are_called_off_by_their_own() {
    let ask = asks(
        "sampling/createMessage",
        &json!(1),
        &json!({"messages": [], "maxTokens": 1, "_meta": {"progressToken": "t"}}),
    );
    let cancel = json!({"send": {"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1, "reason": "marie.dubois@example.eu has left"}}});
    let setup = Setup::new("two-askers")
        .scripted("one", &json!({"tools": {"work": [ask, done()]}}))
        .scripted("two", &json!({"tools": {"work": [ask, done()], "off": [cancel, done()]}}));
    let mut running = serve(&setup);
    running.client.call("one__work", &json!({})).expect("an answer");
    let first = asked(&mut running, "sampling/createMessage").message;
    running.client.call("two__work", &json!({})).expect("an answer");
    let second = asked(&mut running, "sampling/createMessage").message;
    assert_ne!(first["id"], second["id"]);
    let token = &first["params"]["_meta"]["progressToken"];
    assert!(token.is_string() && token != "t", "{token}");
    say(
        &mut running,
        &json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 0.5}}),
    );
    assert!(setup.wait_received("one", "notifications/progress").contains(r#""progressToken":"t""#));
    running.client.call("two__off", &json!({})).expect("an answer");
    let off = asked(&mut running, "notifications/cancelled");
    assert_eq!(off.message["params"]["requestId"], second["id"]);
    assert!(!off.raw.contains("marie"), "{}", off.raw);
    for id in [&first["id"], &second["id"]] {
        say(
            &mut running,
            &json!({"jsonrpc": "2.0", "id": id, "result": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "x"}}}),
        );
    }
    setup.wait_received("one", "assistant");
    assert!(!setup.received("two").iter().any(|line| line.contains("assistant")), "it was called off");
    assert!(!setup.received("two").iter().any(|line| line.contains("progress\"")));
    running.end().expect("served");
}

#[test]
fn a_question_that_is_not_answered_in_time_ends_for_both() {
    let setup = Setup::new("ask-deadline")
        .scripted("s", &json!({"tools": {"work": [asks("roots/list", &json!(9), &json!({})), done()]}}))
        .upstream("s", "call_timeout", json!(1));
    let mut running = serve(&setup);
    running.client.call("s__work", &json!({})).expect("an answer");
    let question = asked(&mut running, "roots/list").message;
    assert!(setup.wait_received("s", "\"id\":9").contains("in time"));
    assert_eq!(asked(&mut running, "notifications/cancelled").message["params"]["requestId"], question["id"]);
    running.end().expect("served");
}

#[test]
fn what_was_said_before_a_question_leaves_before_it() {
    let filler = "plain words ".repeat(20_000);
    let setup = Setup::new("ask-order").scripted("s", &json!({"tools": {"work": [
        {"send": {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": filler}}},
        asks("roots/list", &json!(9), &json!({})),
        done(),
    ]}}));
    let mut running = serve(&setup);
    running.client.call("s__work", &json!({})).expect("an answer");
    let place = |part: &str| {
        let transcript = running.client.transcript();
        transcript.iter().position(|line| line.text.contains(part)).expect("it came")
    };
    assert!(place("notifications/message") < place("roots/list"));
    assert!(place("roots/list") < place("\"done\""));
    running.end().expect("served");
}

#[test]
fn a_question_that_is_too_long_is_refused_and_ends_nothing_else() {
    // The server's own request has the id of ours that waits: ids of the two sides are not to be mixed up.
    let long = "x".repeat(200_000);
    let setup = Setup::new("long-question").with("max_message_bytes", json!(100_000)).scripted("s", &json!({"tools": {
        "work": [{"line": format!("{{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\",\"x\":\"{long}\"}}")}, done()]}}));
    let mut running = serve(&setup);
    running.client.set_patience(Duration::from_secs(5));
    let answer = running.client.call("s__work", &json!({})).expect("an answer");
    assert_eq!(answer.text(), Some("done"), "{}", answer.raw);
    assert!(setup.wait_received("s", "\"error\"").contains("longer than"));
    running.end().expect("served");
}

#[test]
fn a_person_reads_real_values_only_where_the_configuration_says_so() {
    for (setting, shown) in [("cloak", false), ("real", true)] {
        let ask =
            asks("elicitation/create", &json!(7), &json!({"message": "send to marie.dubois@example.eu?"}));
        let setup = Setup::new(&format!("person-{setting}"))
            .with("person_text", json!(setting))
            .scripted("s", &json!({"tools": {"work": [ask, done()]}}));
        let mut running = serve(&setup);
        running.client.call("s__work", &json!({})).expect("an answer");
        let question = asked(&mut running, "elicitation/create");
        assert_eq!(question.raw.contains("marie.dubois@example.eu"), shown, "{}", question.raw);
        running.end().expect("served");
    }
}

#[test]
fn unknown_methods_go_to_the_only_server_where_the_configuration_says_so() {
    let answer = json!([{"result": {"owner": "paul.martin@example.eu"}}]);
    let script = json!({"methods": {"vendor/lookup": answer}});
    let plain = Setup::new("unknown-refused").scripted("s", &script);
    let mut running = serve(&plain);
    let refused = running.client.request("vendor/lookup", &json!({})).expect("an answer");
    assert_eq!(refused.error()["code"], -32601);
    running.end().expect("served");

    let setup =
        Setup::new("unknown-forwarded").with("unknown_methods", json!("forward")).scripted("s", &script);
    let mut running = serve(&setup);
    let first = running.client.request("vendor/lookup", &json!({"q": "x"})).expect("an answer");
    let token = first.result()["owner"].as_str().expect("text").to_owned();
    assert!(token.starts_with("[EMAIL_0_"), "{}", first.raw);
    running.client.request("vendor/lookup", &json!({"deep": [{"mail": token}]})).expect("an answer");
    let received = setup.wait_received("s", "deep");
    assert!(received.contains(r#"{"deep":[{"mail":"paul.martin@example.eu"}]}"#), "{received}");
    running.end().expect("served");
}
