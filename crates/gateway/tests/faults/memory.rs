//! How much memory a gateway takes when it is flooded. It runs as a process of its own: this test program, started
//! again with a configuration in its environment.

use std::process::Command;

use cloakgate_gateway::config::{Config, Format};
use cloakgate_testkit::{Scene, ScriptedClient};
use serde_json::{Value, json};

const VARIABLE: &str = "CLOAKGATE_FAULTS_CONFIG";
/// Far above what it takes, far below what it is sent.
const MAX_PEAK_KIB: u64 = 100 << 10;

/// The gateway of the test below; nothing at all without its variable.
#[test]
fn gateway_process() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let (config, _) = Config::parse(&text, Format::Json).expect("a configuration");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(cloakgate_gateway::serve_stdio(config)).expect("served");
}

fn peak_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[test]
fn memory_stays_bounded_under_floods_and_answers_that_are_too_long() {
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x".repeat(4000)}});
    let result = json!({"result": {"content": []}});
    let script: Value = json!({"tools": {
        "flood": [{"repeat": [8000, log]}, result],
        "long": [{"oversized": 40 << 20}],
        "late": [{"oversized_id_last": 40 << 20}],
    }});
    let scene = Scene::new("memory")
        .scripted("a", &script)
        .scripted("b", &script)
        .scripted("c", &script)
        .with("max_message_bytes", json!(1 << 20));
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "memory::gateway_process", "--nocapture"]).env(VARIABLE, scene.config());
    let mut client = ScriptedClient::spawn(command).expect("a process");
    client.initialize().expect("an answer");
    let ids: Vec<_> = ["flood", "long", "late", "flood"]
        .iter()
        .flat_map(|tool| ["a", "b", "c"].map(|server| format!("{server}__{tool}")))
        .map(|name| client.start("tools/call", &json!({"name": name, "arguments": {}})).expect("open"))
        .collect();
    for (place, id) in ids.into_iter().enumerate() {
        let answer = client.answer(id).expect("an answer");
        let is_flood = !(3..9).contains(&place);
        assert_eq!(answer.error().is_null(), is_flood, "{}", answer.raw);
    }
    let peak = client.server_id().and_then(peak_kib);
    // Nearly two hundred megabytes were passed on and three hundred thrown away.
    if let Some(peak) = peak {
        println!("peak {peak} KiB");
        assert!(peak < MAX_PEAK_KIB, "{peak} KiB");
    }
    let (_, status) = client.close().expect("it leaves");
    assert!(status.expect("a process").success());
}
