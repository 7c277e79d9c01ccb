//! Values of other kinds at every position that is known, and in every container on the way to one.
//!
//! Towards the model each must be inspected, and towards an upstream a token must be read, wherever it stands; the
//! positions where that is not so are listed in `tests/exceptions.txt` with the reason, strict both ways.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cloakgate_cloak::Treatment;
use cloakgate_json::{Document, NodeId};

use super::super::{Direction, treatments};
use super::published::{Position, positions};

const EMAIL: &str = "jane.leak@example.eu";
const CARD: &str = "4111111111111111";
const TOKEN: &str = "[EMAIL_0_t1m]";

/// What a server may write where the schema has something else.
fn mutants() -> Vec<String> {
    vec![
        format!(r#""{EMAIL}""#),
        CARD.to_owned(),
        format!(r#"["{EMAIL}"]"#),
        format!("[{CARD},[{CARD}]]"),
        format!(r#"{{"{EMAIL}":true}}"#),
        format!(r#"{{"{EMAIL}":{{"a":["{EMAIL}",{CARD}]}}}}"#),
        format!(r#"{{"type":"image","data":"contact {EMAIL}","mimeType":"text/plain; to={EMAIL}"}}"#),
        format!(r#"{{"type":"{EMAIL}","blob":"{CARD}","uri":"{EMAIL}","text":"{EMAIL}","src":"{EMAIL}"}}"#),
    ]
}

/// What a client may write.
fn tokens() -> Vec<String> {
    vec![
        format!(r#""see {TOKEN}""#),
        format!(r#"["{TOKEN}"]"#),
        format!(r#"{{"a":{{"{TOKEN}":"{TOKEN}"}}}}"#),
    ]
}

/// A message with `leaf` at a path; free members are called `member`.
fn message(steps: &[String], member: &str, leaf: &str) -> String {
    let Some((step, rest)) = steps.split_first() else { return leaf.to_owned() };
    if step == "[]" {
        return format!("[{}]", message(rest, member, leaf));
    }
    let (kind, step, rest) = match (step.strip_prefix("type="), rest.split_first()) {
        (Some(_), Some((step, rest))) if step == "type" => (None, step, rest),
        (Some(kind), Some((step, rest))) => (Some(kind), step, rest),
        _ => (None, step, rest),
    };
    let kind = kind.map(|kind| format!(r#""type":"{kind}","#)).unwrap_or_default();
    let name = if step == "*" { member } else { step };
    format!(r#"{{{kind}"{name}":{}}}"#, message(rest, member, leaf))
}

/// Whether a node's own text or key holds one of `planted`.
fn holds(document: &Document, text: &str, node: NodeId, planted: &[&str]) -> bool {
    let is_planted = |found: &str| planted.iter().any(|value| found.contains(value));
    let key = document.key(text.as_bytes(), node);
    let own = text.get(document.span(node).range()).expect("in range");
    let is_container = document.children(node).next().is_some();
    key.is_some_and(|key| is_planted(&key)) || !is_container && is_planted(own)
}

/// Members of the envelope, and a member that no revision has, beside what is published.
const ENVELOPE: &[&str] = &["jsonrpc", "id", "method", "vendor"];

/// Every way from the root to a position or a container, by message.
fn ways(direction: Direction) -> BTreeMap<(&'static str, Vec<String>), Position> {
    let mut ways = BTreeMap::new();
    for position in positions().into_iter().filter(|position| position.direction == direction) {
        let steps = position.steps();
        for member in ENVELOPE {
            ways.insert((position.message(), vec![(*member).to_owned()]), position);
            ways.insert((position.message(), vec![steps[0].clone(), "vendor".to_owned()]), position);
        }
        for end in (1..=steps.len()).filter(|end| !steps[end - 1].starts_with("type=")) {
            ways.insert((position.message(), steps[..end].to_vec()), position);
        }
    }
    ways
}

/// Lines of `message path` at which something planted does not get one of the wanted treatments.
fn passing(
    direction: Direction,
    leaves: &[String],
    planted: &[&str],
    wanted: &[Treatment],
) -> BTreeSet<String> {
    let mut passing = BTreeSet::new();
    for ((message_name, steps), position) in ways(direction) {
        let path: String = steps.iter().map(|step| format!("/{}", step.replace('/', "~1"))).collect();
        let line = format!("{message_name} {path}");
        let free = steps.iter().any(|step| step == "*");
        let as_keys = planted.iter().filter(|_| free).map(|value| message(&steps, value, "true"));
        let messages = leaves.iter().map(|leaf| message(&steps, "member", leaf)).chain(as_keys);
        for text in messages {
            let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
            let treatments =
                treatments(&document, text.as_bytes(), position.method, position.part, direction);
            let passes =
                |(node, treatment)| holds(&document, &text, node, planted) && !wanted.contains(&treatment);
            if document.nodes().zip(treatments).any(passes) {
                passing.insert(line.clone());
            }
        }
    }
    passing
}

/// The exceptions: message and path, in which `*` stands for any method and `/**` for all below.
fn exceptions(direction: &str) -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("../../../tests/exceptions.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = |line: &'static str| line.split_once(": ").expect("a position and its reason");
    lines.map(split).filter(|(position, _)| position.split(' ').nth(2) == Some(direction)).collect()
}

fn covers(exception: &str, line: &str) -> bool {
    let (exception, line): (Vec<_>, Vec<_>) = (exception.split(' ').collect(), line.split(' ').collect());
    let any = |word: &str, found: &str| word == "*" || word == found;
    let path = match exception[3].strip_suffix("/**") {
        Some(above) => {
            line[3].strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        None => exception[3] == line[3],
    };
    any(exception[0], line[0]) && any(exception[1], line[1]) && path
}

fn check(direction: &str, passing: &BTreeSet<String>) {
    let exceptions = exceptions(direction);
    let mut used: BTreeMap<&str, usize> = exceptions.iter().map(|(exception, _)| (*exception, 0)).collect();
    let mut unlisted = String::new();
    for line in passing {
        let covering: Vec<_> = exceptions.iter().filter(|(exception, _)| covers(exception, line)).collect();
        if covering.is_empty() {
            let _ = writeln!(unlisted, "{line}");
        }
        for (exception, _) in covering {
            *used.entry(exception).or_default() += 1;
        }
    }
    assert!(unlisted.is_empty(), "not inspected, and not in tests/exceptions.txt:\n{unlisted}");
    let unused: Vec<_> = used.iter().filter(|(_, uses)| **uses == 0).map(|(line, _)| line).collect();
    assert!(unused.is_empty(), "take out of tests/exceptions.txt: {unused:#?}");
}

#[test]
fn a_value_of_another_kind_is_inspected_wherever_a_server_puts_it() {
    let passing =
        passing(Direction::Down, &mutants(), &[EMAIL, CARD], &[Treatment::Cloak, Treatment::CloakUri]);
    check("down", &passing);
}

#[test]
fn a_token_is_read_wherever_a_client_puts_it() {
    check("up", &passing(Direction::Up, &tokens(), &[TOKEN], &[Treatment::Restore]));
}
