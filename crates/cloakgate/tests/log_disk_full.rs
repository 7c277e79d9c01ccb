//! A log that cannot be written never stops an answer.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use cloakgate_testkit::{ECHO, ScriptedClient, program};
use serde_json::json;

#[test]
fn answers_go_on_while_the_disk_of_the_log_is_full() {
    let config = json!({"upstreams": {
        "echo": {"command": program(ECHO).expect("the testkit builds")},
        "absent": {"command": "/nonexistent/server"},
    }});
    let file = std::env::temp_dir().join(format!("cloakgate-log-{}.json", std::process::id()));
    std::fs::write(&file, config.to_string()).expect("a file");
    // Every write to this device fails as on a full disk.
    let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cloakgate"))
        .args(["gateway", "--log-level", "debug", "--config"])
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(full)
        .spawn()
        .expect("the gateway starts");
    let mut client = ScriptedClient::over(child.stdout.take().unwrap(), child.stdin.take().unwrap());
    client.initialize().expect("an answer");
    for _ in 0..3 {
        let answer =
            client.call("echo__echo", &json!({"text": "to marie.dubois@example.eu"})).expect("an answer");
        assert!(answer.text().is_some_and(|text| text.starts_with("to [EMAIL_")), "{}", answer.raw);
    }
    drop(client);
    assert!(child.wait().expect("an end").success());
    std::fs::remove_file(&file).expect("our own file");
}
