//! Every value at every position towards the client.

use std::collections::{BTreeMap, BTreeSet};

use cloakgate_cloak::Treatment;
use cloakgate_mcp::{Direction, Part};
use serde_json::{Value, json};

use crate::drive::{Probe, Sanitize, handshake};
use crate::positions::{Listed, Position, containers, listed, published};
use crate::values::{EMAIL, Planted, VALUES};

/// A server says `body` at `position`: whether the client can read the value.
fn shown(probe: &mut Probe, position: &Position, planted: &Planted, sanitize: Sanitize) -> bool {
    let body = position.body(planted.member(), &json!(planted.value));
    let received = if position.method == "initialize" {
        let outcome = if position.part == Part::Error { "error" } else { "result" };
        let step: Value = json!({outcome: body});
        handshake(&format!("shake-{}", position.revision), position.revision, sanitize, &step)
    } else {
        probe.down(position, &body)
    };
    assert!(!received.is_empty(), "{}", position.line);
    let watch = planted.watch();
    received.iter().any(|line| watch.sees(line))
}

/// Whether a value can be found at a position at all: some kinds need their key, once they are not known.
fn is_found(planted: &Planted, position: &Position) -> bool {
    // Each handshake is a session of its own, in which nothing is known yet.
    let known = planted.known_everywhere && position.method != "initialize";
    planted.key.is_none() || known || position.path.last().is_some_and(|step| step == "*")
}

const NEWEST: &str = "2025-11-25";

fn look_through(revision: &str) {
    let mut probe = Probe::new(&format!("down-{revision}"), revision, Sanitize::On);
    let mut twin = Probe::new(&format!("twin-{revision}"), revision, Sanitize::Off);
    let introduced = probe.introduce();
    for planted in VALUES {
        assert!(!planted.watch().sees(&introduced.to_string()), "{} is not found at all", planted.kind);
    }
    let mut observed = BTreeMap::new();
    let mut leaks = BTreeSet::new();
    let positions = published(revision, Direction::Down);
    assert!(!positions.is_empty(), "{revision}");
    for position in &positions {
        // An off position proves nothing about cloaking: the value has to show in the twin.
        if !shown(&mut twin, position, &EMAIL, Sanitize::Off) {
            observed.insert(position.line, Listed::Authored);
            assert!(
                !shown(&mut probe, position, &EMAIL, Sanitize::On),
                "{} shows it only cloaked",
                position.line
            );
            continue;
        }
        let passes = shown(&mut probe, position, &EMAIL, Sanitize::On);
        if passes {
            observed.insert(position.line, Listed::Passes);
            let treatment = position.treatment();
            let is_uninspected = matches!(treatment, Some(Treatment::Exact | Treatment::Scan));
            assert!(is_uninspected, "{} is inspected ({treatment:?}) and shows the value", position.line);
            continue;
        }
        if position.method == "initialize" && position.part == Part::Result && position.path.len() > 2 {
            continue; // A process a probe: one kind is enough where the gateway writes the answer itself.
        }
        for planted in VALUES.iter().filter(|planted| is_found(planted, position)) {
            if shown(&mut probe, position, planted, Sanitize::On) {
                leaks.insert((position.line, planted.kind));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
    let committed: BTreeMap<_, _> = listed()
        .into_iter()
        .filter(|(line, _)| line.starts_with(revision) && line.contains(" down "))
        .collect();
    if observed != committed {
        let text: String =
            observed.iter().map(|(line, listed)| format!("{line} {}\n", listed.word())).collect();
        panic!("positions.txt should say, for {revision} down:\n{text}");
    }
}

#[test]
fn nothing_leaks_in_2024_11_05() {
    look_through("2024-11-05");
}

#[test]
fn nothing_leaks_in_2025_03_26() {
    look_through("2025-03-26");
}

#[test]
fn nothing_leaks_in_2025_06_18() {
    look_through("2025-06-18");
}

#[test]
fn nothing_leaks_in_2025_11_25() {
    look_through(NEWEST);
}

/// A task's result goes by the rules of the call that began it.
#[test]
fn nothing_leaks_in_the_result_of_a_task() {
    let mut probe = Probe::new("task-result", NEWEST, Sanitize::On);
    probe.introduce();
    let params = probe.params("tasks/result");
    let mut leaks = BTreeSet::new();
    let listed = listed();
    let of_calls = |position: &Position| position.method == "tools/call" && position.path[1] != "task";
    for position in published(NEWEST, Direction::Down).iter().filter(|position| of_calls(position)) {
        let outcome = if position.part == Part::Error { "error" } else { "result" };
        for planted in VALUES.iter().filter(|planted| is_found(planted, position)) {
            let body = position.body(planted.member(), &json!(planted.value));
            probe.script(&json!({"tasks/result": [{outcome: body}]}), &json!([]));
            let received = probe.ask("tasks/result", &params);
            let passes = received.iter().any(|line| planted.watch().sees(line));
            if planted.kind == EMAIL.kind {
                assert_eq!(passes, listed.get(position.line) == Some(&Listed::Passes), "{}", position.line);
            } else if passes && !listed.contains_key(position.line) {
                leaks.insert((position.line, planted.kind));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn a_text_where_the_schema_has_an_object_or_a_list_is_cloaked() {
    let mut probe = Probe::new("containers", NEWEST, Sanitize::On);
    let mut open = BTreeSet::new();
    // Lists of tools and prompts are exact as wholes.
    let inspected =
        |position: &&Position| !matches!(position.method, "initialize" | "tools/list" | "prompts/list");
    for position in containers(NEWEST).iter().filter(inspected) {
        if shown(&mut probe, position, &EMAIL, Sanitize::On) {
            open.insert(format!("{} {:?} /{}", position.method, position.part, position.path.join("/")));
        }
    }
    assert!(open.is_empty(), "{open:#?}");
}
