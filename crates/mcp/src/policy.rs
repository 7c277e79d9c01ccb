//! What happens to each string of a message, by its position.
//!
//! In: a scanned message, its method and which part of the exchange it is. Out: one treatment a value. Invariant:
//! positions are paths of the schema, never key names alone, and what no row names is cloaked towards the model and
//! read for tokens towards an upstream. Towards the model a row holds only for the kind of value and the look that the
//! schema has there (`isError` a boolean, `mimeType` a media type); anything else is cloaked. Not here: detection,
//! replacing text.

mod asks;
mod blocks;
mod fields;
mod lists;
mod messages;
mod shape;
mod trie;

use std::borrow::Cow;
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
            Self::Up => Treatment::Restore,
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

/// Longest name of a method that is passed on, in bytes.
const MAX_METHOD_BYTES: usize = 64;
/// Digits in the name of a method: `v2` has one, a telephone number more.
const MAX_METHOD_DIGITS: usize = 4;

/// Whether some revision has the method.
#[must_use]
pub fn is_known_method(method: &str) -> bool {
    policy().methods.contains_key(method)
}

/// Whether a server may send the notification, by any revision.
#[must_use]
pub fn known_notification(method: &str) -> bool {
    let is_it = |row: &fields::Row| {
        row.part == Part::Notification && row.direction == Direction::Down && row.methods.contains(&method)
    };
    messages::ROWS.iter().any(is_it)
}

/// Whether `method` can be the name of a method: what an extension calls its own looks so, and an address or a
/// number of a person does not. A notification of another look is not to be passed on.
#[must_use]
pub fn is_method_shaped(method: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_/$.-".contains(&byte);
    (1..=MAX_METHOD_BYTES).contains(&method.len())
        && method.bytes().all(is_allowed)
        && method.bytes().filter(u8::is_ascii_digit).count() <= MAX_METHOD_DIGITS
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
        let kind = document.kind(node);
        treatments.push(trie.treatment(state, kind, || written(document, bytes, node), fallback));
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

/// Where a value stands, in the words of the table: `/result/content/[]/type=text/text`.
///
/// `*` stands for every name that the table does not know, since it may be data; `[]` for an element.
#[must_use]
pub fn position(
    document: &Document,
    bytes: &[u8],
    (method, part, direction): (&str, Part, Direction),
    node: NodeId,
) -> String {
    let mut steps = vec![node];
    while let Some(parent) = steps.last().and_then(|node| document.parent(*node)) {
        steps.push(parent);
    }
    let mut position = String::new();
    let mut state = State::root(direction.fallback());
    let empty = Trie::default();
    let trie = policy().trie(method, part, direction).unwrap_or(&empty);
    // From the root, which is the last of them, downwards.
    for pair in steps.windows(2).rev() {
        let [inner, outer] = pair else { continue };
        let entered = trie.entered(state, || document.text(bytes, document.member(bytes, *outer, "type")?));
        if let Some(kind) = trie.kind(state, entered) {
            position.push_str("/type=");
            position.push_str(kind);
        }
        if document.kind(*outer) == Kind::Array {
            position.push_str("/[]");
            state = trie.element(entered);
            continue;
        }
        let key = document.key(bytes, *inner).unwrap_or_default();
        position.push('/');
        position.push_str(&trie.name(entered, &key).unwrap_or("*").replace('/', "~1"));
        state = trie.member(entered, &key);
    }
    position
}

/// The text of a string, or a number as written.
fn written<'a>(document: &Document, bytes: &'a [u8], node: NodeId) -> Option<Cow<'a, str>> {
    if document.kind(node) != Kind::Number {
        return document.text(bytes, node);
    }
    let number = bytes.get(document.span(node).range())?;
    std::str::from_utf8(number).ok().map(Cow::Borrowed)
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
        row.methods.contains(&method) && row.part == part && row.direction == direction && row.is_of(revision)
    });
    if !known {
        return None;
    }
    policy().trie(method, part, direction)?.decided(path)
}

#[cfg(test)]
mod tests;
