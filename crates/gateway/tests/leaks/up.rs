//! A token at every position towards a server: restored where the table says so, untouched everywhere else.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use cloakgate_cloak::Treatment;
use cloakgate_mcp::{Direction, Part};
use serde_json::{Value, json};

use crate::drive::{Probe, Sanitize, ask, ask_with, greeted_with};
use crate::positions::{Listed, Position, least_params, listed, published};
use crate::values::EMAIL;

/// How long a notification may be under way that may not be passed on at all.
const PATIENCE: Duration = Duration::from_millis(150);

/// What the server was sent with the token, or what became of it, at its position.
fn arrived(probe: &mut Probe, position: &Position, token: &str) -> Option<String> {
    // Names of tools and prompts have to lead to a server.
    let is_name = position.path.last().is_some_and(|step| step == "name") && position.path.len() == 2;
    let leaf = if is_name { format!("s__{token}") } else { token.to_owned() };
    let body = position.body("note", &json!(leaf));
    let method = position.method;
    if position.is_about_tasks() {
        probe.client_task();
        probe.task();
    }
    let before = probe.scene.received("s").len();
    let done = json!([{"result": {"content": []}}]);
    match position.part {
        _ if method == "initialize" => {
            let name = format!("greet-{}", position.revision);
            return greeted_with(&name, &body).into_iter().find(|line| line.contains(&leaf));
        }
        Part::Params => {
            let mut body = body;
            if position.is_about_tasks() && position.path.last().is_some_and(|step| step != "taskId") {
                body["taskId"] = json!(probe.task());
            }
            let result = json!([{"result": {}}]);
            probe.script(&json!({method: result}), &done);
            probe.ask(method, &body);
        }
        Part::Notification => {
            let line = notified(probe, position, body, before)?;
            return (line.contains(token) || EMAIL.watch().sees(&line)).then_some(line);
        }
        Part::Result | Part::Error => {
            let outcome = if position.part == Part::Result { "result" } else { "error" };
            let question = question(probe, position);
            probe.script(&json!({}), &json!([{"send": question}, "await_answer", done[0]]));
            probe.ask_and_reply("tools/call", &least_params("tools/call"), &json!({outcome: body}));
        }
    }
    find(probe, before, token)
}

/// What the server asks so that the client answers with the position's message.
fn question(probe: &mut Probe, position: &Position) -> Value {
    let mut params = least_params(position.method);
    if position.is_about_tasks() && position.method != "tasks/list" {
        params["taskId"] = json!(probe.client_task());
    }
    if position.path.get(1).is_some_and(|step| step == "task") {
        params["task"] = json!({"ttl": 1000});
    }
    ask_with(position.method, params)
}

/// The newest line to the server that has the token, or the value.
fn find(probe: &Probe, before: usize, token: &str) -> Option<String> {
    let watch = EMAIL.watch();
    let lines = probe.scene.received("s").split_off(before);
    lines.into_iter().rev().find(|line| line.contains(token) || watch.sees(line))
}

fn notified(probe: &mut Probe, position: &Position, mut body: Value, before: usize) -> Option<String> {
    let is_token = |value: &Value| value.as_str().is_some_and(|text| text.starts_with('['));
    if position.method == "notifications/cancelled" && !is_token(&body["requestId"]) {
        probe.script(&json!({}), &json!([]));
        let open = probe.running.client.start("tools/call", &least_params("tools/call")).expect("open");
        let is_call = |lines: &[String]| lines.iter().skip(before).any(|line| line.contains("tools/call"));
        let deadline = Instant::now() + Duration::from_secs(120);
        while !is_call(&probe.scene.received("s")) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        body["requestId"] = json!(open);
    }
    if position.is_about_tasks() {
        probe.client_task();
    }
    if position.method == "notifications/progress" && !is_token(&body["progressToken"]) {
        return progressed(probe, body, before);
    }
    probe.running.client.notify(position.method, &body).expect("open");
    passed_on(probe, position.method, before)
}

/// The client tells how far it is with what the server asked.
fn progressed(probe: &mut Probe, mut body: Value, before: usize) -> Option<String> {
    let method = "sampling/createMessage";
    probe.script(&json!({}), &json!([{"send": ask(method)}, "await_answer", {"result": {"content": []}}]));
    let client = &mut probe.running.client;
    let open = client.start("tools/call", &least_params("tools/call")).expect("open");
    let asked = client.wait_for(method, |message| message["method"] == method).expect("a question").message;
    body["progressToken"] = asked["params"]["_meta"]["progressToken"].clone();
    client.notify("notifications/progress", &body).expect("open");
    let line = passed_on(probe, "notifications/progress", before);
    let client = &mut probe.running.client;
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {}});
    client.send_raw(&reply.to_string()).expect("open");
    client.answer(open).expect("an answer");
    line
}

/// The line that passed a notification on, if one comes.
fn passed_on(probe: &Probe, method: &str, before: usize) -> Option<String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let lines = probe.scene.received("s").split_off(before);
        let line = lines.into_iter().find(|line| line.contains(method));
        if line.is_some() || Instant::now() > deadline {
            return line;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn look_through(revision: &str) {
    let mut probe = Probe::new(&format!("up-{revision}"), revision, Sanitize::On);
    let token = probe.introduce()["e-mail"].as_str().expect("a token").to_owned();
    assert!(token.starts_with("[EMAIL_"), "{token}");
    let watch = EMAIL.watch();
    let mut observed = BTreeMap::new();
    for position in published(revision, Direction::Up) {
        let treatment = position.treatment();
        let Some(line) = arrived(&mut probe, &position, &token) else {
            observed.insert(position.line, Listed::Authored);
            continue;
        };
        if watch.sees(&line) {
            assert_eq!(treatment, Some(Treatment::Restore), "{}: {line}", position.line);
            assert!(!line.contains(&token), "{}: {line}", position.line);
        } else {
            assert!(line.contains(&token), "{}: {line}", position.line);
            observed.insert(position.line, Listed::Untouched);
        }
    }
    let committed: BTreeMap<_, _> = listed()
        .into_iter()
        .filter(|(line, _)| line.starts_with(revision) && line.contains(" up "))
        .collect();
    if observed != committed {
        let text: String =
            observed.iter().map(|(line, listed)| format!("{line} {}\n", listed.word())).collect();
        panic!("positions.txt should say, for {revision} up:\n{text}");
    }
}

#[test]
fn tokens_are_restored_where_they_may_be_in_2024_11_05() {
    look_through("2024-11-05");
}

#[test]
fn tokens_are_restored_where_they_may_be_in_2025_03_26() {
    look_through("2025-03-26");
}

#[test]
fn tokens_are_restored_where_they_may_be_in_2025_06_18() {
    look_through("2025-06-18");
}

#[test]
fn tokens_are_restored_where_they_may_be_in_2025_11_25() {
    look_through("2025-11-25");
}
