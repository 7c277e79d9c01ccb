//! Every value in every form, in a session that has not seen it and in one that has.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::drive::{Probe, Sanitize};
use crate::values::{Planted, VALUES};

/// A way to write a value; `None` where it is no other form.
type Form = fn(&str) -> Option<String>;

const FORMS: &[(&str, Form)] = &[
    ("verbatim", |value| Some(value.to_owned())),
    ("digits only", |value| {
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let is_number = value.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-'));
        (is_number && digits != value).then_some(digits)
    }),
    ("without blanks", |value| {
        let bare: String = value.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        (value.contains([' ', '-']) && value.chars().any(|c| c.is_ascii_digit())).then_some(bare)
    }),
    ("other case", |value| {
        // The case of a credential is part of it.
        let folds = value.contains('@') || value.starts_with("DE") || value.contains("Marie");
        let upper = value.to_uppercase();
        folds.then(|| if upper == value { value.to_lowercase() } else { upper })
    }),
    ("percent", |value| {
        let encoded: String = value
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect();
        (encoded != value).then_some(encoded)
    }),
    ("full width", |value| {
        let wide = |c: char| match c {
            '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c),
            _ => c,
        };
        Some(value.chars().map(wide).collect())
    }),
];

/// Ways of the text to the model: what the tool `probe` does.
fn ways(text: &str, key: &str) -> Vec<(&'static str, Value)> {
    let note = |params: Value| json!({"send": {"jsonrpc": "2.0", "method": "notifications/message", "params": params}});
    let done = json!({"result": {"content": []}});
    let sentence = format!("about {text} we know");
    vec![
        ("text", json!([{"result": {"content": [{"type": "text", "text": sentence}]}}])),
        ("structured", json!([{"result": {"content": [], "structuredContent": {"rows": [{key: text}]}}}])),
        (
            "nested",
            json!([{"result": {"content": [{"type": "text", "text": json!({key: text}).to_string()}]}}]),
        ),
        ("log", json!([note(json!({"level": "info", "data": {key: text}})), done])),
        ("error", json!([{"error": {"code": 1, "message": sentence, "data": {key: text}}}])),
        ("key", json!([{"result": {"content": [], "structuredContent": {text: 1}}}])),
    ]
}

/// Kinds and forms that nothing tells from any other number, unless a cue stands beside them or the session knows
/// them. Strict.
const NEEDS_A_CUE: &[(&str, &str)] =
    &[("phone", "digits only"), ("ssn", "digits only"), ("ssn", "without blanks")];

fn look(sanitize: Sanitize, known: bool) -> (BTreeSet<(String, String, String)>, usize) {
    let (mut seen, mut looks) = (BTreeSet::new(), 0);
    for planted in VALUES {
        for (form, write) in FORMS {
            let Some(text) = write(planted.value) else { continue };
            let name = format!("forms-{sanitize:?}-{known}-{}-{form}", planted.kind).replace(' ', "-");
            let mut probe = Probe::new(&name, "2025-06-18", sanitize);
            if known {
                probe.introduce();
            }
            for (way, steps) in ways(&text, planted.member()) {
                if !is_found(&planted, way, known) {
                    continue;
                }
                looks += 1;
                let received = probe.call(&steps);
                if received.iter().any(|line| planted.watch().sees(line)) {
                    let state = if known { "known" } else { "new" };
                    seen.insert((planted.kind.to_owned(), (*form).to_owned(), format!("{way} {state}")));
                }
            }
        }
    }
    (seen, looks)
}

fn is_found(planted: &Planted, way: &str, known: bool) -> bool {
    let by_key = matches!(way, "structured" | "nested" | "log");
    by_key || planted.key.is_none() || (known && planted.known_everywhere)
}

#[test]
fn no_form_of_a_value_leaks_before_it_is_known() {
    let (leaks, _) = look(Sanitize::On, false);
    let leaks: BTreeSet<_> = leaks.iter().map(|(kind, form, _)| (kind.as_str(), form.as_str())).collect();
    assert_eq!(leaks, NEEDS_A_CUE.iter().copied().collect());
}

#[test]
fn no_form_of_a_value_leaks_once_it_is_known() {
    let (leaks, _) = look(Sanitize::On, true);
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn each_form_shows_without_cloaking() {
    let (seen, looks) = look(Sanitize::Off, true);
    assert_eq!(seen.len(), looks, "a form that the probe cannot read proves nothing");
}
