//! The scripted client against the fake servers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;
use std::time::{Duration, Instant};

use cloakgate_testkit::{ClientError, LineDirection, ScriptedClient};
use serde_json::json;

fn echo() -> ScriptedClient {
    ScriptedClient::spawn(Command::new(env!("CARGO_BIN_EXE_testkit-echo"))).expect("the server starts")
}

struct Scripted {
    folder: std::path::PathBuf,
    client: ScriptedClient,
}

impl Scripted {
    fn new(name: &str, script: &serde_json::Value) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-testkit-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        std::fs::write(folder.join("script.json"), script.to_string()).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_testkit-hostile"));
        command.arg("--script").arg(folder.join("script.json"));
        command.arg("--received").arg(folder.join("received"));
        Self { folder, client: ScriptedClient::spawn(command).expect("the server starts") }
    }

    fn received(&self) -> String {
        std::fs::read_to_string(self.folder.join("received")).expect("a file")
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).expect("our own folder");
    }
}

#[test]
fn the_echo_server_answers_every_method_it_has() {
    let mut client = echo();
    let answer = client.initialize().expect("an answer");
    assert_eq!(answer.result()["protocolVersion"], "2025-11-25");
    assert_eq!(
        client.call("echo", &json!({"text": "a \"b\" é"})).expect("an answer").text(),
        Some("a \"b\" é")
    );
    let rows = client.call("rows", &json!({"count": 3})).expect("an answer");
    assert_eq!(rows.result()["structuredContent"]["rows"].as_array().map(Vec::len), Some(3));
    assert!(rows.raw.contains("\"amount\":1.10"), "numbers are written as they are: {}", rows.raw);
    let copy: serde_json::Value = serde_json::from_str(rows.text().expect("a text")).expect("JSON");
    assert_eq!(copy, rows.result()["structuredContent"]);
    assert_eq!(client.call("fail", &json!({})).expect("an answer").error()["code"], -32050);
    assert_eq!(client.call("gone", &json!({})).expect("an answer").error()["code"], -32602);
    for (method, params, member) in [
        ("tools/list", json!({}), "tools"),
        ("resources/list", json!({}), "resources"),
        ("resources/templates/list", json!({}), "resourceTemplates"),
        ("resources/read", json!({"uri": "note://welcome"}), "contents"),
        ("prompts/list", json!({}), "prompts"),
        ("prompts/get", json!({"name": "greet", "arguments": {"who": "Marie"}}), "messages"),
        ("completion/complete", json!({}), "completion"),
    ] {
        let answer = client.request(method, &params).expect(method);
        assert!(answer.result().get(member).is_some(), "{method}: {}", answer.raw);
    }
    assert_eq!(
        client.request("ping", &json!({})).expect("an answer").raw,
        "{\"jsonrpc\":\"2.0\",\"id\":13,\"result\":{}}"
    );
    assert_eq!(client.request("tasks/list", &json!({})).expect("an answer").error()["code"], -32601);
    let (transcript, status) = client.close().expect("an end");
    assert!(status.expect("a process").success());
    assert_eq!(transcript.iter().filter(|line| line.direction == LineDirection::Received).count(), 14);
}

#[test]
fn pipelined_calls_are_answered_in_order() {
    let mut client = echo();
    client.initialize().expect("an answer");
    let ids: Vec<u64> = (0..2000)
        .map(|number| {
            client.start("tools/call", &json!({"name": "echo", "arguments": {"text": number.to_string()}}))
        })
        .collect::<Result<_, _>>()
        .expect("the server reads");
    for (number, id) in ids.into_iter().enumerate() {
        assert_eq!(client.answer(id).expect("an answer").text(), Some(number.to_string().as_str()));
    }
}

#[test]
fn a_raw_result_is_given_byte_for_byte() {
    let file = std::env::temp_dir().join(format!("cloakgate-testkit-raw-{}.json", std::process::id()));
    std::fs::write(&file, "{\"b\":1.10, \"a\":1e400}\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_testkit-echo"));
    command.arg("--raw").arg(&file);
    let mut client = ScriptedClient::spawn(command).expect("the server starts");
    client.send_raw("{\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"raw\"}}").expect("sent");
    client.set_patience(Duration::from_millis(500));
    // The line is no JSON that fits a double, so nobody claims it; the transcript has it.
    assert!(matches!(client.wait_for("nothing", |_| false), Err(ClientError::Late { .. })));
    assert_eq!(
        client.transcript().last().expect("a line").text,
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{\"b\":1.10, \"a\":1e400}}"
    );
    std::fs::remove_file(&file).expect("our own file");
}

#[test]
fn the_hostile_server_follows_its_script() {
    let script = json!({
        "methods": {"resources/list": [{"result": {"resources": []}}]},
        "tools": {
            "noisy": [
                {"complain": "help"},
                {"line": "not json"},
                {"send": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "$progressToken"}}},
                {"result": {"for": "$id"}},
            ],
            "fail": [{"error": {"code": 1, "message": "no"}}],
            "big": [{"oversized": 100_000}],
            "slow": [{"send": {"early": true}}, {"sleep_ms": 300}, {"result": {}}],
            "silent": [],
            "dies": [{"half": "{\"jsonrpc\""}, {"exit": 3}],
        },
    });
    let mut scripted = Scripted::new("script", &script);
    let client = &mut scripted.client;
    client.initialize().expect("an answer");
    let tools = client.request("tools/list", &json!({})).expect("an answer");
    assert_eq!(tools.result()["tools"][0]["name"], "big");
    let meta = json!({"name": "noisy", "_meta": {"progressToken": "p-1"}});
    assert_eq!(client.request("tools/call", &meta).expect("an answer").result()["for"], 3);
    let progress = client.wait_for("progress", |message| message["method"] == "notifications/progress");
    assert_eq!(progress.expect("progress").message["params"]["progressToken"], "p-1");
    assert!(client.transcript().iter().any(|line| line.text == "not json"));
    assert_eq!(client.call("fail", &json!({})).expect("an answer").error()["message"], "no");
    assert!(client.call("big", &json!({})).expect("an answer").raw.len() > 100_000);
    let start = Instant::now();
    let slow = client.start("tools/call", &json!({"name": "slow"})).expect("sent");
    client.wait_for("the early word", |message| message.get("early").is_some()).expect("early");
    assert!(start.elapsed() < Duration::from_millis(250));
    client.answer(slow).expect("an answer");
    assert!(client.request("resources/list", &json!({})).expect("an answer").result().is_object());
    assert_eq!(client.request("prompts/list", &json!({})).expect("an answer").error()["code"], -32601);
    let silent = client.start("tools/call", &json!({"name": "silent"})).expect("sent");
    client.request("ping", &json!({})).expect("an answer");
    client.set_patience(Duration::from_millis(50));
    assert!(matches!(client.answer(silent), Err(ClientError::Late { .. })));
    client.set_patience(Duration::from_secs(5));
    let dies = client.start("tools/call", &json!({"name": "dies"})).expect("sent");
    let error = client.answer(dies).expect_err("the server is gone").to_string();
    assert!(error.contains("help"), "its last words are shown: {error}");
    assert!(scripted.received().contains("{\"id\":3,\"jsonrpc\":\"2.0\",\"method\":\"tools/call\""));
}

#[test]
fn a_client_can_speak_over_any_streams() {
    let (input, to_server) = std::io::pipe().expect("a pipe");
    let (from_server, output) = std::io::pipe().expect("a pipe");
    let server = std::thread::spawn(move || {
        cloakgate_testkit::serve_lines(input, output, &mut cloakgate_testkit::Echo::new("{}"))
    });
    let mut client = ScriptedClient::over(from_server, to_server);
    assert_eq!(client.call("raw", &json!({})).expect("an answer").result(), &json!({}));
    let (transcript, status) = client.close().expect("an end");
    assert_eq!((transcript.len(), status), (2, None));
    server.join().expect("no panic").expect("no error");
}

#[test]
fn the_server_of_tasks_runs_them_and_asks_for_one() {
    let mut client =
        ScriptedClient::spawn(Command::new(env!("CARGO_BIN_EXE_testkit-tasks"))).expect("it starts");
    let about = |client: &mut ScriptedClient, method: &str, id: &str| {
        client.request(method, &json!({"taskId": id})).expect("an answer")
    };
    let greeting = client.initialize().expect("an answer");
    assert!(greeting.result()["capabilities"]["tasks"]["list"].is_object());
    for tool in ["export", "fail", "export"] {
        let params = json!({"name": tool, "arguments": {"to": 1}, "task": {}});
        let begun = client.request("tools/call", &params).expect("an answer");
        assert_eq!(begun.result()["task"]["status"], "working");
    }
    let first = "marie.dubois@example.eu#1";
    let states = [(); 2].map(|()| about(&mut client, "tasks/get", first).result()["status"].clone());
    assert_eq!(states, ["working", "completed"]);
    let result = about(&mut client, "tasks/result", first);
    assert_eq!(result.text(), Some("of marie.dubois@example.eu, for {\"to\":1}"));
    assert_eq!(about(&mut client, "tasks/result", "marie.dubois@example.eu#2").error()["code"], -32602);
    assert_eq!(
        about(&mut client, "tasks/cancel", "marie.dubois@example.eu#3").result()["status"],
        "cancelled"
    );
    assert_eq!(about(&mut client, "tasks/get", "gone").error()["message"], "no task gone");
    let page = client.request("tasks/list", &json!({})).expect("an answer");
    assert_eq!(page.result()["tasks"].as_array().map(Vec::len), Some(2));
    let page =
        client.request("tasks/list", &json!({"cursor": page.result()["nextCursor"]})).expect("an answer");
    assert_eq!(page.result()["tasks"].as_array().map(Vec::len), Some(1));
    let call = client.start("tools/call", &json!({"name": "ask", "arguments": {}})).expect("sent");
    for result in [
        json!({"task": {"taskId": "c", "status": "working"}}),
        json!({"taskId": "c", "status": "completed"}),
        json!({"content": {"type": "text", "text": "Dear"}}),
    ] {
        let asked = client
            .wait_for("a question", |message| message.get("method").is_some() && message.get("id").is_some());
        let reply =
            json!({"jsonrpc": "2.0", "id": asked.expect("a question").message["id"], "result": result});
        client.send_raw(&reply.to_string()).expect("sent");
    }
    assert_eq!(client.answer(call).expect("an answer").text(), Some("sampled: \"Dear\""));
}
