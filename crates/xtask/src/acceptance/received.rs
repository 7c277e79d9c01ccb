//! What a server was told: its input, kept by a pipe before it.
//!
//! In: the kept lines. Out: the requests and answers that carry content, for comparison.
//! Invariant: ids, names of progress and what the gateway asks for itself are left out; everything else is compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};

/// Methods that the gateway uses for itself, or that carry nothing and go to every server.
const LEFT_OUT: [&str; 5] = [
    "initialize",
    "ping",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/roots/list_changed",
];

/// What one server received, each message once.
pub(super) type Received = BTreeSet<String>;

/// The file that keeps the input of a server in a session.
pub(super) fn file(place: &Path, session: &str, server: &str) -> PathBuf {
    place.join(format!("{session}.{server}.received"))
}

/// `command` behind a pipe that keeps its input.
///
/// # Errors
/// When this program does not know where it is.
pub(super) fn tapped(command: Vec<String>, file: &Path) -> anyhow::Result<Vec<String>> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut tapped = vec![program.display().to_string(), "tap".to_owned()];
    tapped.extend([file.display().to_string(), "--".to_owned()]);
    tapped.extend(command);
    Ok(tapped)
}

/// Reads what a server received.
///
/// # Errors
/// When nothing was kept, or a line is no JSON.
pub(super) fn read(file: &Path) -> anyhow::Result<Received> {
    let text = std::fs::read_to_string(file).context("nothing was kept of what a server received")?;
    let mut received = Received::new();
    for line in text.lines() {
        let message = serde_json::from_str(line).context("a server received no JSON")?;
        received.extend(content(message));
    }
    Ok(received)
}

fn content(mut message: Value) -> Option<String> {
    let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
    if method.as_deref().is_some_and(|method| LEFT_OUT.contains(&method) || method.ends_with("/list")) {
        return None;
    }
    if let Some(meta) = message.pointer_mut("/params/_meta").and_then(Value::as_object_mut) {
        // The gateway asks for progress under names of its own.
        meta.remove("progressToken");
    }
    let meta_is_empty = message.pointer("/params/_meta").is_some_and(|meta| meta == &json!({}));
    if let Some(params) = message.get_mut("params").and_then(Value::as_object_mut).filter(|_| meta_is_empty) {
        params.remove("_meta");
    }
    let part = |name: &str| message.get(name).cloned().unwrap_or_default();
    Some(json!([method, part("params"), part("result"), part("error")]).to_string())
}

/// Where a server received something else than without the gateway.
pub(super) fn differences(wanted: &Received, found: &Received) -> Vec<String> {
    let missing = wanted.difference(found).map(|message| format!("never received: {message}"));
    let added = found.difference(wanted).map(|message| format!("received: {message}"));
    let mut differences: Vec<String> = missing.chain(added).collect();
    if wanted.is_empty() {
        differences.push("nothing was compared".to_owned());
    }
    differences
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Received, content, differences};

    #[test]
    fn ids_and_names_of_progress_are_not_compared() {
        let call = |id: u8, meta| {
            content(json!({"id": id, "method": "tools/call", "params": {"name": "a", "_meta": meta}}))
        };
        let bare = content(json!({"id": 9, "method": "tools/call", "params": {"name": "a"}}));
        assert_eq!(call(1, json!({"progressToken": 4})), bare);
        assert_ne!(call(1, json!({"trace": "x"})), bare);
        assert_eq!(content(json!({"id": 1, "method": "tools/list"})), None);
        assert_eq!(
            content(json!({"id": 1, "result": {"a": 1}})),
            content(json!({"id": 2, "result": {"a": 1}}))
        );
    }

    #[test]
    fn a_token_in_place_of_a_value_is_a_difference() {
        let received = |text: &str| Received::from([text.to_owned()]);
        assert_eq!(differences(&received("a"), &received("a")), Vec::<String>::new());
        assert_eq!(differences(&received("a@example.org"), &received("[EMAIL_0_k7q]")).len(), 2);
        assert_eq!(differences(&Received::new(), &Received::new()).len(), 1);
    }
}
