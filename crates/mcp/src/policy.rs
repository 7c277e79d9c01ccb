//! What happens to each string of a message, by its position.
//!
//! In: a scanned message, its method and which part of the exchange it is. Out: one treatment a value. Invariant:
//! positions are paths of the schema, never key names alone, and what no row names is cloaked towards the model and
//! left alone towards an upstream. A row may ask that the value looks as the schema says (`mimeType` like a media
//! type); otherwise it is cloaked too. Not here: detection, replacing text.

mod blocks;
mod fields;
mod lists;
mod messages;
mod shape;
mod trie;

use std::collections::HashMap;
use std::sync::OnceLock;

use cloakgate_cloak::Treatment;
use cloakgate_json::{Document, Kind, NodeId};

use crate::revision::Revision;
use trie::{State, Trie};

/// Which part of an exchange a message is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Part {
    /// A request.
    Params,
    /// The answer to a request that worked.
    Result,
    /// The answer to a request that failed.
    Error,
    /// A message without an answer.
    Notification,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Direction {
    /// To the client and its model.
    Down,
    /// To a server.
    Up,
}

impl Direction {
    /// What happens where no row says otherwise.
    const fn fallback(self) -> Treatment {
        match self {
            Self::Down => Treatment::Cloak,
            Self::Up => Treatment::Exact,
        }
    }
}

/// A compiled table for each part and direction.
type Tries = Vec<((Part, Direction), Trie)>;

/// The table, compiled.
struct Policy {
    methods: HashMap<&'static str, Tries>,
    unknown: Tries, // only what every message has
}

fn policy() -> &'static Policy {
    static POLICY: OnceLock<Policy> = OnceLock::new();
    POLICY.get_or_init(|| {
        let mut unknown = Tries::new();
        for part in [Part::Params, Part::Result, Part::Error, Part::Notification] {
            for direction in [Direction::Down, Direction::Up] {
                let mut trie = Trie::default();
                trie.insert_all(messages::envelope(part, direction));
                unknown.push(((part, direction), trie));
            }
        }
        let mut methods: HashMap<&'static str, Tries> = HashMap::new();
        for row in messages::ROWS {
            for method in row.methods {
                let tries = methods.entry(method).or_insert_with(|| unknown.clone());
                let place = tries.iter_mut().find(|(key, _)| *key == (row.part, row.direction));
                if let Some((_, trie)) = place {
                    trie.insert_all(row.fields);
                }
            }
        }
        Policy { methods, unknown }
    })
}

impl Policy {
    fn trie(&self, method: &str, part: Part, direction: Direction) -> Option<&Trie> {
        let tries = self.methods.get(method).unwrap_or(&self.unknown);
        tries.iter().find(|(key, _)| *key == (part, direction)).map(|(_, trie)| trie)
    }
}

/// A container whose values are being walked.
struct Open {
    end: NodeId,
    state: State,
    kind: Kind,
}

/// The treatment of every value of a message, in document order; a key follows its value. O(values).
///
/// `method` is that of the request for its answers.
#[must_use]
pub fn treatments(
    document: &Document,
    bytes: &[u8],
    method: &str,
    part: Part,
    direction: Direction,
) -> Vec<Treatment> {
    let fallback = direction.fallback();
    let Some(trie) = policy().trie(method, part, direction) else {
        return vec![fallback; document.len()];
    };
    let ambiguous = trie::Ambiguous::of(document);
    let mut treatments = Vec::with_capacity(document.len());
    let mut open: Vec<Open> = Vec::new();
    for node in document.nodes() {
        while open.last().is_some_and(|container| node >= container.end) {
            open.pop();
        }
        let state = match open.last() {
            None => State::root(fallback),
            Some(container) if container.state.is_plain() => container.state,
            Some(container) if container.kind == Kind::Array => trie.element(container.state),
            Some(container) => match document.key(bytes, node) {
                Some(key) => trie.member(container.state, &key),
                None => container.state.plain(),
            },
        };
        treatments.push(trie.treatment(state, || document.text(bytes, node), fallback));
        let kind = document.kind(node);
        if matches!(kind, Kind::Object | Kind::Array) {
            let state = trie.entered(state, || {
                let discriminator = document.member(bytes, node, "type")?;
                document.text(bytes, discriminator).filter(|_| !ambiguous.contains(node))
            });
            open.push(Open { end: document.subtree_end(node), state, kind });
        }
    }
    treatments
}

/// The decision that the table makes for a position by a row of its own, or `None` where only the fallback does.
///
/// `path` has a step for each member name from the message's root, `[]` for an element. Blocks that depend on their
/// `type` take the step `type=...` before their members. For tests of the table against published schemas.
#[must_use]
pub fn decided(
    revision: Revision,
    method: &str,
    part: Part,
    direction: Direction,
    path: &[&str],
) -> Option<Treatment> {
    let known = messages::ROWS.iter().any(|row| {
        row.methods.contains(&method)
            && row.part == part
            && row.direction == direction
            && row.since <= revision
            && row.until.is_none_or(|until| revision <= until)
    });
    if !known {
        return None;
    }
    policy().trie(method, part, direction)?.decided(path)
}

#[cfg(test)]
mod tests;
