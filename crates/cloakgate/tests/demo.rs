//! The demonstration, run as a person runs it.

use std::process::{Command, Output};

use serde_json::Value;

fn demo(arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_cloakgate")).arg("demo").args(arguments).output()
}

#[test]
fn the_loop_closes_and_nothing_reaches_the_model() {
    let output = demo(&["--json"]).expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["leaked"], 0);
    assert_eq!(report["hidden"], 13);
    assert_eq!(report["restored"], 3);
    let note = "# Order 4711\n\nMarie Dubois was charged twice.\nRefund DE89 3704 0044 0532 0130 00\n\
                then call +33 6 39 98 12 34\n";
    assert_eq!(report["file"]["content"], note);
    let steps = report["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[3]["tool_received"], note);
    assert!(steps[3]["model_wrote"].as_str().expect("text").contains("[PERSON_0_"));
    for step in steps {
        let model =
            step.get("model_saw").or_else(|| step.get("model_wrote")).expect("the model's side").to_string();
        for value in ["Dubois", "DUBOIS", "4111", "203.0.113.7", "Tulip", "DE89", "Bergmann"] {
            assert!(!model.contains(value), "{value} in {model}");
        }
    }
    let log = steps[2]["model_saw"].as_str().expect("text");
    for kept in ["6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b", "build 1.30.2, commit 9fceb02d, port 8080"] {
        assert!(log.contains(kept), "{kept} in {log}");
    }
}

#[test]
fn without_a_terminal_it_is_plain_text_of_eighty_columns() {
    let output = demo(&[]).expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("None of them reached the model."), "{text}");
}

#[test]
fn colour_can_be_asked_for() {
    let output = demo(&["--color", "always"]).expect("the program starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\u{1b}[31mMarie Dubois\u{1b}[0m"));
}
