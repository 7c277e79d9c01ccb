//! Real child processes at the other end of real pipes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use bytes::Bytes;
use cloakgate_cloak::Restored;
use cloakgate_wire::{Child, ChildSpec, Frame, Inherit, SpawnError};

fn shell(script: &str) -> ChildSpec {
    let mut spec = ChildSpec::new("shell".parse().expect("a name"), "sh");
    spec.args = vec!["-c".into(), script.into()];
    spec
}

async fn only_message(spec: &ChildSpec) -> String {
    let mut child = Child::spawn(spec).expect("a shell");
    match child.reader.next().await.expect("a pipe") {
        Some(Frame::Message(message)) => String::from_utf8(message.to_vec()).expect("text"),
        other => panic!("{other:?}"),
    }
}

fn alive(id: &str) -> bool {
    std::process::Command::new("kill")
        .args(["-0", id])
        .stderr(std::process::Stdio::null())
        .status()
        .expect("kill")
        .success()
}

async fn wait_until_gone(id: &str) {
    let start = Instant::now();
    while alive(id) {
        assert!(start.elapsed() < Duration::from_secs(5), "still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_is_sent_comes_back_from_cat_and_end_of_input_ends_it() {
    let mut child = Child::spawn(&ChildSpec::new("cat".parse().unwrap(), "cat")).expect("cat");
    for length in [0usize, 10, 20_000, 3_000_000] {
        let text = format!("{{\"a\":\"{}\"}}", "x".repeat(length));
        let message = Restored::authored(text.clone());
        // Written and read at once: neither side's pipe holds three megabytes.
        let (sent, frame) = tokio::join!(child.writer.send(&message), child.reader.next());
        sent.expect("cat reads");
        assert_eq!(frame.expect("cat writes"), Some(Frame::Message(Bytes::from(text))));
    }
    let start = Instant::now();
    assert!(child.shutdown().await.expect("cat ends").success());
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_child_gets_its_variables_and_no_others() {
    let variables = "printf '{\"%s\"}\\n' \"$GIVEN|$HOME|$CARGO_PKG_NAME|$CARGO\"";
    let mut spec = shell(variables);
    spec.env = vec![("GIVEN".into(), "given".into()), ("HOME".into(), "/nowhere".into())];
    assert_eq!(only_message(&spec).await, "{\"given|/nowhere||\"}");

    spec.inherit = Inherit::Names(vec!["CARGO_PKG_NAME".into()]);
    assert_eq!(only_message(&spec).await, "{\"given|/nowhere|cloakgate-wire|\"}");

    spec.inherit = Inherit::All;
    assert!(!only_message(&spec).await.ends_with("|\"}"));
    assert!(!format!("{spec:?}").contains("given|"), "values of variables are not shown");
}

#[tokio::test]
async fn a_child_starts_in_its_folder() {
    let folder = std::env::temp_dir().canonicalize().expect("a temporary folder");
    let mut spec = shell("printf '{\"%s\"}\\n' \"$(pwd -P)\"");
    spec.cwd = Some(folder.clone());
    assert_eq!(only_message(&spec).await, format!("{{\"{}\"}}", folder.display()));
}

#[tokio::test]
async fn a_missing_folder_and_a_missing_program_are_told_apart() {
    let mut spec = ChildSpec::new("gone".parse().unwrap(), "no-such-program-here");
    assert!(matches!(Child::spawn(&spec), Err(SpawnError::NotFound { .. })));
    spec.cwd = Some("/no/such/folder".into());
    assert!(matches!(Child::spawn(&spec), Err(SpawnError::Folder { .. })));
}

#[tokio::test]
async fn a_child_that_floods_its_error_output_is_not_held_up() {
    let spec = shell("head -c 4000000 /dev/zero | tr '\\0' 'e' >&2; echo '{\"done\":1}'");
    assert_eq!(only_message(&spec).await, "{\"done\":1}");
}

#[tokio::test]
async fn error_output_is_logged_at_debug_only_and_cleaned() {
    for (level, expected) in [(tracing::Level::INFO, ""), (tracing::Level::DEBUG, "hunter22 [31m")] {
        let log = Log::default();
        let subscriber =
            tracing_subscriber::fmt().with_max_level(level).with_ansi(false).with_writer(log.clone());
        let guard = tracing::subscriber::set_default(subscriber.finish());
        let mut child = Child::spawn(&shell("printf 'hunter22\\t\\033[31m\\n' >&2")).expect("a shell");
        assert_eq!(child.reader.next().await.expect("a pipe"), None);
        child.shutdown().await.expect("an end");
        drop(guard);
        let text = String::from_utf8(log.0.lock().expect("no panic").clone()).expect("text");
        assert!(!text.contains('\u{1b}') && text.is_empty() == expected.is_empty(), "{text}");
        assert!(text.replace("  ", " ").contains(expected), "{text}");
    }
}

/// Log lines in memory.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn a_child_that_writes_while_it_is_closed_still_ends_by_itself() {
    let spec = shell("head -c 2000000 /dev/zero | tr '\\0' 'x'; exit 7");
    let child = Child::spawn(&spec).expect("a shell");
    let start = Instant::now();
    assert_eq!(child.shutdown().await.expect("an end").code(), Some(7));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_child_that_ignores_the_end_of_input_is_asked_then_forced() {
    for (name, script, least, most) in [
        ("asked", "echo '{}'; exec sleep 60", 2000, 3500),
        ("forced", "trap '' TERM; echo '{}'; while :; do sleep 1; done", 4000, 5500),
    ] {
        let mut child = Child::spawn(&shell(script)).expect("a shell");
        child.reader.next().await.expect("a pipe").expect("the trap is set");
        let start = Instant::now();
        let status = child.shutdown().await.expect("an end");
        let took = start.elapsed().as_millis();
        assert!(!status.success(), "{name}");
        assert!((least..most).contains(&took), "{name} took {took} ms");
    }
}

#[tokio::test]
async fn a_dropped_child_takes_its_own_children_along() {
    let spec = shell("sleep 60 & printf '{\"%s\"}\\n' \"$! $$\"; wait");
    let mut child = Child::spawn(&spec).expect("a shell");
    let Ok(Some(Frame::Message(message))) = child.reader.next().await else { panic!("no answer") };
    let text = String::from_utf8(message.to_vec()).expect("text");
    let ids: Vec<&str> = text.trim_matches(|c| "{\"}".contains(c)).split(' ').collect();
    assert!(ids.iter().all(|id| alive(id)), "{ids:?}");
    drop(child);
    for id in ids {
        wait_until_gone(id).await;
    }
}
