//! The table against the published schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::super::messages::ROWS;
use super::super::{Direction, Part, decided};
use crate::revision::Revision;

/// One string of the published schemas.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) line: &'static str,
    pub(super) revision: Revision,
    pub(super) method: &'static str,
    pub(super) part: Part,
    pub(super) direction: Direction,
    pub(super) path: &'static str,
}

impl Position {
    pub(super) fn steps(&self) -> Vec<String> {
        self.path.split('/').skip(1).map(|step| step.replace("~1", "/")).collect()
    }

    /// The line without its revision and path.
    pub(super) fn message(&self) -> &'static str {
        let (_, line) = self.line.split_once(' ').expect("five words");
        line.rsplit_once(' ').expect("five words").0
    }
}

/// The committed list of positions.
pub(super) fn positions() -> Vec<Position> {
    let lines = include_str!("../../../tests/string_paths.txt").lines().filter(|line| !line.starts_with('#'));
    let position = |line: &'static str| {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("five words a line");
        let (revision, method, part, direction, path) = (word(), word(), word(), word(), word());
        Position {
            line,
            revision: revision.parse().expect("a revision"),
            method,
            part: part_of(part),
            direction: if direction == "up" { Direction::Up } else { Direction::Down },
            path,
        }
    };
    lines.map(position).collect()
}

fn part_of(word: &str) -> Part {
    match word {
        "params" => Part::Params,
        "result" => Part::Result,
        "error" => Part::Error,
        "notification" => Part::Notification,
        other => panic!("{other} is no part"),
    }
}

#[test]
fn every_string_of_the_published_schemas_has_a_decision() {
    let mut undecided = String::new();
    for position in positions() {
        let steps = position.steps();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let decision = decided(position.revision, position.method, position.part, position.direction, &steps);
        if decision.is_none() {
            let _ = writeln!(undecided, "{}", position.line);
        }
    }
    assert!(undecided.is_empty(), "positions without a row:\n{undecided}");
}

#[test]
fn rows_are_of_the_revisions_that_have_their_messages() {
    let mut published: BTreeMap<&str, BTreeSet<Revision>> = BTreeMap::new();
    for position in positions() {
        published.entry(position.message()).or_default().insert(position.revision);
    }
    let mut claimed: BTreeMap<String, BTreeSet<Revision>> = BTreeMap::new();
    for row in ROWS {
        for method in row.methods {
            let part = format!("{:?}", row.part).to_lowercase();
            let direction = format!("{:?}", row.direction).to_lowercase();
            let revisions = Revision::ALL.into_iter().filter(|revision| row.is_of(*revision));
            let known = claimed.entry(format!("{method} {part} {direction}")).or_default();
            for revision in revisions {
                assert!(known.insert(revision), "{method} {part} {direction} has two rows in {revision}");
            }
        }
    }
    // Nothing but the method is published of some messages.
    for (message, revisions) in &published {
        let claimed = claimed.get(*message).unwrap_or_else(|| panic!("{message} has no row"));
        assert!(revisions.is_subset(claimed), "{message}: published in {revisions:?}, rows for {claimed:?}");
    }
    for (message, claimed) in &claimed {
        let Some(revisions) = published.get(message.as_str()) else { panic!("{message} is not published") };
        let unpublished: Vec<_> = claimed.difference(revisions).collect();
        assert!(unpublished.is_empty(), "{message}: not published in {unpublished:?}");
    }
}

#[test]
fn a_message_is_decided_in_its_revisions_only() {
    let path = ["params", "message"];
    for revision in Revision::ALL {
        let expected = (Revision::V2025_06_18..=Revision::V2025_11_25).contains(&revision);
        let decision = decided(revision, "elicitation/create", Part::Params, Direction::Down, &path);
        assert_eq!(decision.is_some(), expected, "{revision}");
    }
}
