//! The real program between a scripted client and fake servers, over real pipes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use cloakgate_testkit::{ECHO, HOSTILE, Program, ScriptedClient, program};
use serde_json::{Value, json};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-run-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    fn write(&self, name: &str, text: &Value) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text.to_string()).expect("a file");
        path
    }

    fn gateway(&self, config: &Value) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cloakgate"));
        command.arg("--config").arg(self.write("config.json", config)).current_dir(&self.0);
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("our own folder");
    }
}

fn path(wanted: Program) -> PathBuf {
    program(wanted).expect("the testkit builds")
}

#[test]
fn a_value_goes_round_and_the_program_ends_with_its_client() {
    let folder = Folder::new("round");
    let config = json!({"names": "off", "upstreams": {"echo": {"command": path(ECHO)}}});
    let mut client = ScriptedClient::spawn(folder.gateway(&config)).expect("the gateway starts");
    client.initialize().expect("an answer");
    let answer =
        client.call("echo__echo", &json!({"text": "write to marie.dubois@example.eu"})).expect("an answer");
    let text = answer.text().expect("a text");
    assert!(text.starts_with("write to [EMAIL_0_"), "{text}");
    let start = Instant::now();
    let (transcript, status) = client.close().expect("an end");
    assert!(status.expect("a process").success());
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(transcript.len() >= 3);
}

#[cfg(unix)]
#[test]
fn clients_that_give_sockets_are_served_and_their_sockets_end_the_program() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let folder = Folder::new("sockets");
    let config = json!({"names": "off", "upstreams": {"echo": {"command": path(ECHO)}}});
    let (ours_in, theirs_in) = UnixStream::pair().expect("sockets");
    let (ours_out, theirs_out) = UnixStream::pair().expect("sockets");
    let mut child = folder
        .gateway(&config)
        .stdin(OwnedFd::from(theirs_in))
        .stdout(OwnedFd::from(theirs_out))
        .stderr(Stdio::null())
        .spawn()
        .expect("the gateway starts");
    let mut client = ScriptedClient::over(ours_out, ours_in);
    client.initialize().expect("an answer");
    let big = "x".repeat(1_000_000);
    assert_eq!(
        client.call("echo__echo", &json!({"text": big})).expect("an answer").text(),
        Some(big.as_str())
    );
    client.close().expect("an end");
    assert!(child.wait().expect("a process").success());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_program_and_its_servers() {
    let folder = Folder::new("signal");
    let received = folder.0.join("received");
    let script = folder.write("script.json", &json!({}));
    let arguments = json!(["--script", script, "--received", received]);
    // A shell between them, as npx would be: the server is a grandchild.
    let line = format!("{} \"$@\"; exit $?", path(HOSTILE).display());
    let config = json!({"names": "off", "upstreams": {"far": {"command": "sh", "args": ["-c", line, "sh", arguments[0], arguments[1], arguments[2], arguments[3]]}}});
    let mut client = ScriptedClient::spawn(folder.gateway(&config)).expect("the gateway starts");
    client.initialize().expect("an answer");
    assert!(std::fs::read_to_string(&received).expect("a file").contains("\"initialize\""));
    let id = client.server_id().expect("a process").to_string();
    let pattern = received.display().to_string();
    assert!(is_running(&pattern), "the server runs");
    let start = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    let (_, status) = client.close().expect("an end");
    assert!(status.expect("a process").success(), "asked to stop is no failure");
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    while is_running(&pattern) {
        assert!(start.elapsed() < Duration::from_secs(8), "the server is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// True when a process other than this one has `pattern` in its command line.
#[cfg(unix)]
fn is_running(pattern: &str) -> bool {
    let list = Command::new("ps").args(["-A", "-o", "args="]).output().expect("ps");
    String::from_utf8_lossy(&list.stdout).contains(pattern)
}

#[test]
fn a_gateway_without_a_server_ends_with_one() {
    let folder = Folder::new("none");
    let config = json!({"names": "off", "upstreams": {"gone": {"command": "no-such-program-here"}}});
    let Output { status, stderr, .. } =
        folder.gateway(&config).stdin(Stdio::null()).output().expect("the gateway runs");
    // Without a client's handshake there is nothing to fail at.
    assert!(status.code() == Some(0) || status.code() == Some(1), "{status}");
    let mut client = ScriptedClient::spawn(folder.gateway(&config)).expect("the gateway starts");
    let answer = client.initialize().expect("an answer");
    assert!(answer.error().is_object(), "{}", answer.raw);
    let (_, status) = client.close().expect("an end");
    assert_eq!(status.expect("a process").code(), Some(1), "{}", String::from_utf8_lossy(&stderr));
}

#[test]
fn check_tries_each_server_by_itself() {
    let folder = Folder::new("check");
    let config = json!({"names": "off", "upstreams": {
        "echo": {"command": path(ECHO)},
        "gone": {"command": "no-such-program-here"},
    }});
    let Output { status, stdout, stderr } = folder.gateway(&config).arg("--check").output().expect("it runs");
    let said = String::from_utf8(stdout).expect("text");
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("echo serves 4 tools, 2 prompts, 2 resources"), "{said}");
    assert!(said.contains("gone does not serve"), "{said}");
    let log = String::from_utf8(stderr).expect("text");
    assert!(log.contains("`no-such-program-here` was not found"), "{log}");
    assert!(!log.contains('\u{1b}'), "no colours without a terminal: {log}");
}
