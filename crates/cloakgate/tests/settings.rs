//! What a setting says is what the model sees: the real program in front of a server that echoes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

use cloakgate_testkit::{ECHO, ScriptedClient, program};
use serde_json::{Value, json};

/// The server's instructions hold another address, which is the first of the session.
const TEXT: &str = "heron-12 of Project Heron: lena.voss@example.org, DE89 3704 0044 0532 0130 00";

/// What the model sees of an echoed text, or the error that it gets.
fn seen(name: &str, settings: &Value, upstream: &Value) -> String {
    let mut server = json!({"command": program(ECHO).expect("the testkit builds")});
    merge(&mut server, upstream);
    let mut config = json!({"names": "off", "upstreams": {"echo": server}});
    merge(&mut config, settings);
    let file = std::env::temp_dir().join(format!("cloakgate-settings-{name}-{}.json", std::process::id()));
    std::fs::write(&file, config.to_string()).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloakgate"));
    command.arg("--config").arg(&file);
    let mut client = ScriptedClient::spawn(command).expect("the gateway starts");
    client.initialize().expect("an answer");
    let answer = client.call("echo__echo", &json!({"text": TEXT})).expect("an answer");
    let text = answer.text().map(str::to_owned);
    client.close().expect("an end");
    std::fs::remove_file(&file).expect("our own file");
    text.unwrap_or(answer.raw)
}

fn merge(into: &mut Value, more: &Value) {
    let more = more.as_object().cloned().unwrap_or_default();
    into.as_object_mut().expect("an object").extend(more);
}

#[test]
fn settings_decide_what_the_model_sees() {
    let none = json!({});
    let deny = json!([{"term": "project HERON"}]);
    for (name, settings, upstream, holds, holds_not) in [
        (
            "defaults",
            none.clone(),
            none.clone(),
            vec!["[EMAIL_1_", "[IBAN_0_", "Project Heron"],
            vec!["voss", "DE89"],
        ),
        (
            "redact",
            json!({"detection": {"mode": "redact"}}),
            none.clone(),
            vec!["[EMAIL_REDACTED]", "[IBAN_REDACTED]"],
            vec!["voss", "DE89"],
        ),
        (
            "operator",
            json!({"categories": {"IBAN": {"operator": "redact"}}}),
            none.clone(),
            vec!["[EMAIL_1_", "[IBAN_REDACTED]"],
            vec!["DE89"],
        ),
        (
            "off",
            json!({"categories": {"EMAIL": "off"}}),
            none.clone(),
            vec!["lena.voss@example.org", "[IBAN_0_"],
            vec![],
        ),
        (
            "upstream",
            json!({"categories": {"EMAIL": "off"}}),
            json!({"categories": {"EMAIL": "on", "IBAN": "off"}}),
            vec!["[EMAIL_1_", "DE89 3704"],
            vec!["voss"],
        ),
        (
            "tool",
            none.clone(),
            json!({"tools": {"echo": {"categories": {"EMAIL": "off"}, "deny": deny}}}),
            vec!["lena.voss@example.org", "[CUSTOM_0_", "[IBAN_0_"],
            vec!["Project Heron"],
        ),
        ("deny", json!({"deny": deny}), none.clone(), vec!["[CUSTOM_0_"], vec!["Project Heron"]),
        (
            "allow",
            json!({"allow": ["lena.voss@example.org"]}),
            none.clone(),
            vec!["lena.voss@example.org"],
            vec!["DE89"],
        ),
        (
            "patterns",
            json!({"detection": {"custom_patterns": [["HERON", "heron-[0-9]+"]]}}),
            none.clone(),
            vec!["[CUSTOM_0_", "Project Heron"],
            vec!["heron-12"],
        ),
        (
            "length",
            json!({"detection": {"max_input_length": 20}}),
            none.clone(),
            vec!["more than 20 characters"],
            vec!["voss"],
        ),
        (
            "switch",
            json!({"detection": {"detect_iban": false}}),
            none.clone(),
            vec!["[EMAIL_1_", "DE89"],
            vec!["voss"],
        ),
        ("bare", json!({"sanitize": false}), none.clone(), vec![TEXT], vec![]),
    ] {
        let seen = seen(name, &settings, &upstream);
        for text in holds {
            assert!(seen.contains(text), "{name}: no {text} in {seen}");
        }
        for text in holds_not {
            assert!(!seen.contains(text), "{name}: {text} in {seen}");
        }
    }
}

#[test]
fn plain_tokens_are_those_of_the_reference_and_never_repeat_within_a_profile() {
    let folder = std::env::temp_dir().join(format!("cloakgate-settings-state-{}", std::process::id()));
    let settings = json!({"token_style": "plain", "profile": "work", "state_dir": folder});
    let first = seen("plain-1", &settings, &json!({}));
    assert!(first.contains("[EMAIL_1]") && first.contains("[IBAN_0]"), "{first}");
    let second = seen("plain-2", &settings, &json!({}));
    assert!(second.contains("[EMAIL_") && !second.contains("[EMAIL_1]"), "{second}");
    std::fs::remove_dir_all(&folder).expect("our own folder");
}
