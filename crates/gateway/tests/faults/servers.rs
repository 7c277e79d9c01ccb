//! One of three servers misbehaves while all three are called.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use cloakgate_testkit::{Answer, HOSTILE, Scene, program};
use serde_json::{Value, json};

use crate::claim;
use crate::running::{Running, serve_as};

const REVISION: &str = "2025-06-18";
/// Calls to each server in a round.
const CALLS: usize = 4;

/// What has to come of the calls to the server that misbehaves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Outcome {
    Answered,
    Failed,
}

/// What a server does that works.
fn works() -> Value {
    json!([{"result": {"content": [{"type": "text", "text": "fine"}]}}])
}

fn script(steps: &Value) -> Value {
    json!({"tools": {"act": steps}})
}

fn scene(name: &str, steps: &Value) -> Scene {
    patient_scene(name, steps, 1)
}

fn patient_scene(name: &str, steps: &Value, call_timeout: u32) -> Scene {
    Scene::new(name)
        .scripted("a", &script(steps))
        .and("call_timeout", json!(call_timeout))
        .scripted("b", &script(&works()))
        .scripted("c", &script(&works()))
        .with("max_message_bytes", json!(100_000))
}

/// Calls the servers in turn, all at once, with `ping` in between; gives the answers of each.
fn round(running: &mut Running, servers: &[&str]) -> HashMap<String, Vec<Answer>> {
    let client = &mut running.client;
    let mut open = Vec::new();
    for _ in 0..CALLS {
        for server in servers {
            let params = json!({"name": format!("{server}__act"), "arguments": {}});
            open.push(((*server).to_owned(), client.start("tools/call", &params).expect("open")));
        }
        open.push(("ping".to_owned(), client.start("ping", &json!({})).expect("open")));
    }
    let mut answers: HashMap<String, Vec<Answer>> = HashMap::new();
    for (server, id) in open {
        let answer = client.answer(id).unwrap_or_else(|error| panic!("{server}: {error}"));
        answers.entry(server).or_default().push(answer);
    }
    answers
}

/// Every request has one answer, whatever else came.
pub(crate) fn each_answered_once(received: &[String], asked: u64) {
    let mut answers: HashMap<u64, usize> = HashMap::new();
    for line in received {
        let Ok(message) = serde_json::from_str::<Value>(line) else { panic!("no message: {line}") };
        if message.get("method").is_none() {
            *answers.entry(message["id"].as_u64().expect("our ids are numbers")).or_default() += 1;
        }
    }
    let wrong: Vec<_> = (1..=asked).filter(|id| answers.get(id) != Some(&1)).collect();
    assert!(wrong.is_empty(), "not answered once: {wrong:?}");
    assert_eq!(answers.len() as u64, asked, "answers to nothing");
}

fn suffers(name: &str, scene: &Scene, expected: Outcome) {
    let (mut running, answer) = serve_as(scene, REVISION);
    assert!(answer.error().is_null(), "{name}: {}", answer.raw);
    let mut asked = 1;
    for servers in [&["a", "b", "c"][..], &["c", "b"]] {
        let answers = round(&mut running, servers);
        asked += ((servers.len() + 1) * CALLS) as u64;
        for (server, answers) in answers {
            for answer in answers {
                let is_error = !answer.error().is_null();
                match (server.as_str(), expected) {
                    ("a", Outcome::Failed) => {
                        assert!(is_error && answer.raw.contains("`a`"), "{name}: {}", answer.raw);
                    }
                    ("ping", _) => assert!(!is_error, "{name}: {}", answer.raw),
                    _ => assert_eq!(answer.text(), Some("fine"), "{name}, {server}: {}", answer.raw),
                }
            }
        }
    }
    let (received, ended) = running.end();
    ended.unwrap_or_else(|error| panic!("{name}: {error}"));
    each_answered_once(&received, asked);
}

fn log(data: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": data}})
}

#[test]
fn a_crash_before_during_or_after_an_answer_costs_its_own_calls_only() {
    let fine = works()[0].clone();
    for (name, steps) in [
        ("crash-before", json!([{"exit": 1}])),
        (
            "crash-during",
            json!([{"half": "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":"}, {"exit": 1}]),
        ),
        ("crash-noisily", json!([{"complain": "x".repeat(300_000)}, {"line": "Traceback:"}, {"exit": 2}])),
    ] {
        suffers(name, &scene(name, &steps), Outcome::Failed);
    }
    // The first is answered; what was under way behind it is not lost either.
    let name = "crash-after";
    let scene = scene(name, &json!([fine, {"exit": 0}]));
    let (mut running, _) = serve_as(&scene, REVISION);
    let answers = round(&mut running, &["a", "b", "c"]);
    assert_eq!(answers["a"][0].text(), Some("fine"), "{}", answers["a"][0].raw);
    assert!(answers["a"][1..].iter().all(|answer| !answer.error().is_null()));
    let (received, ended) = running.end();
    ended.expect("served");
    each_answered_once(&received, 1 + 4 * CALLS as u64);
}

#[test]
fn a_stall_ends_at_its_deadline() {
    suffers("stall", &scene("stall", &json!([])), Outcome::Failed);
    let half = json!([{"half": "{\"jsonrpc\":\"2.0\",\"id\":"}]);
    suffers("stall-half", &scene("stall-half", &half), Outcome::Failed);
}

#[test]
fn a_flood_of_notifications_passes() {
    let flood = json!([{"repeat": [3000, log(&json!("to marie.dubois@example.eu"))]}, works()[0]]);
    suffers("flood", &patient_scene("flood", &flood, 60), Outcome::Answered);
    let unknown = json!({"jsonrpc": "2.0", "method": "notifications/vendor"});
    let flood = json!([{"repeat": [3000, unknown]}, works()[0]]);
    suffers("flood-unknown", &patient_scene("flood-unknown", &flood, 60), Outcome::Answered);
}

#[test]
fn a_flood_of_questions_costs_its_own_server_at_most() {
    let ask = json!({"jsonrpc": "2.0", "id": "x", "method": "vendor/ask", "params": {}});
    let name = "flood-questions";
    let scene = scene(name, &json!([{"repeat": [20_000, ask]}, works()[0]]));
    let (mut running, _) = serve_as(&scene, REVISION);
    let answers = round(&mut running, &["a", "b", "c"]);
    for answer in answers["b"].iter().chain(&answers["c"]) {
        assert_eq!(answer.text(), Some("fine"), "{}", answer.raw);
    }
    let (received, ended) = running.end();
    ended.expect("served");
    each_answered_once(&received, 1 + 4 * CALLS as u64);
}

#[test]
fn an_answer_that_is_too_long_becomes_an_error_wherever_its_id_stands() {
    suffers("long", &scene("long", &json!([{"oversized": 300_000}])), Outcome::Failed);
    suffers(
        "long-id-last",
        &scene("long-id-last", &json!([{"oversized_id_last": 300_000}])),
        Outcome::Failed,
    );
}

#[test]
fn garbage_and_half_lines_are_passed_over() {
    let fine = works()[0].clone();
    let (head, tail) =
        (r#"{"jsonrpc":"2.0","method":"notifications/message","#, r#""params":{"level":"info","data":1}}"#);
    for (name, steps) in [
        ("banner", json!([{"line": "Server v1 is listening"}, {"line": ""}, {"line": "\r"}, fine])),
        (
            "no-json",
            json!([{"line": "{not json"}, {"line": "[1,2"}, {"line": "\"text\""}, {"line": "12"}, {"line": "null"}, fine]),
        ),
        (
            "control",
            json!([{"line": "\u{0}\u{1}\u{1b}[31mred\u{1b}[0m"}, {"line": "\u{feff}"}, {"line": "\u{2028}"}, fine]),
        ),
        (
            "no-message",
            json!([{"line": "{}"}, {"line": r#"{"jsonrpc":"1.0"}"#}, {"line": r#"{"id":null}"#}, fine]),
        ),
        ("halves", json!([{"half": head}, {"sleep_ms": 20}, {"line": tail}, fine])),
        (
            "nobodys",
            json!([{"send": {"jsonrpc": "2.0", "id": 99_999, "result": {}}}, {"send": {"jsonrpc": "2.0", "id": "x", "result": {}}}, fine]),
        ),
        ("twice", json!([fine, fine])),
        ("long-banner", json!([{"line": "x".repeat(300_000)}, fine])),
        ("complaints", json!([{"complain": "x".repeat(300_000)}, {"complain": "\u{1b}[2J"}, fine])),
    ] {
        suffers(name, &scene(name, &steps), Outcome::Answered);
    }
}

#[test]
fn a_pipe_that_is_closed_or_read_no_more_costs_its_own_calls_only() {
    let server = program(HOSTILE).expect("the testkit builds");
    let server = server.display();
    for (name, command) in [
        // Its output ends after the handshake and the list.
        ("closed-output", format!("{server} | sed -u 2q")),
        // It leaves with the handshake.
        ("closed-at-once", format!("{server} | sed -u 1q")),
        // Nobody reads what it is told after the handshake.
        ("deaf", format!("sed -u 2q | {server}; sleep 60")),
    ] {
        let shell = json!({"command": "sh", "args": ["-c", command], "call_timeout": 1});
        let scene = Scene::new(name)
            .server("a", shell)
            .scripted("b", &script(&works()))
            .scripted("c", &script(&works()))
            .with("request_timeout", json!(1));
        suffers(name, &scene, Outcome::Failed);
    }
}

#[test]
fn a_server_that_never_starts_leaves_the_others_serving() {
    for (name, command) in [("leaves", "true"), ("mute", "sleep")] {
        let scene = Scene::new(name)
            .server("a", json!({"command": command, "args": ["30"], "startup_timeout": 1}))
            .scripted("b", &script(&works()))
            .scripted("c", &script(&works()));
        suffers(name, &scene, Outcome::Failed);
    }
}

#[test]
fn a_server_that_cannot_be_started_is_named() {
    let missing = json!({"command": "/nonexistent/server"});
    let scene = Scene::new("missing").server("a", missing).scripted("b", &script(&works()));
    let (mut running, _) = serve_as(&scene, REVISION);
    let answers = round(&mut running, &["a", "b"]);
    assert!(answers["b"].iter().all(|answer| answer.text() == Some("fine")));
    assert!(answers["a"].iter().all(|answer| !answer.error().is_null()));
    let named = answers["a"].iter().all(|answer| answer.raw.contains("`a`"));
    claim("a server that cannot be started is named", named, &answers["a"]);
    running.end().1.expect("served");
}

#[test]
fn a_server_that_crashed_comes_back() {
    let scene = scene("restart", &json!([{"exit": 1}]));
    let (mut running, _) = serve_as(&scene, REVISION);
    round(&mut running, &["a"]);
    scene.script("a", &script(&works()).to_string());
    let deadline = Instant::now() + Duration::from_secs(4);
    let back = loop {
        let answer = running.client.call("a__act", &json!({})).expect("an answer");
        if answer.text() == Some("fine") || Instant::now() > deadline {
            break answer;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    claim("a crashed server comes back", back.text() == Some("fine"), &back.raw);
    running.end().1.expect("served");
}
