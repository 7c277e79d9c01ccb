//! What the shape of a JSON document says about each of its values: the key it stands under and what stands beside it.
//!
//! In: a scanned document and its bytes. Out: for each value a key, what its record says (`Hints`), and the record that
//! it belongs to. The key is that of the member; of the array or of the list of numbered members around it; the name of
//! a column (`{"columns": [...], "rows": [[...]]}`, a first row of names); the name in a pair
//! (`{"name": "email", "value": "..."}`); the key around a wrapper (`{"Full name": {"title": [{"plain_text": "..."}]}}`); or
//! two keys together (`"name": {"first": "..."}`). Invariant: each value and each key is read a bounded number of times.
//! Not here: what a key means (`keys`), what a value is (`fields`).

use std::borrow::Cow;

use cloakgate_json::{Document, Kind, NodeId};

use crate::hints::{Hints, is_people_key};
use crate::keys::{self, Meaning};

mod pairs;
mod tables;

/// Members that only hold what the key around them names.
const WRAPPERS: &[&str] = &[
    "value",
    "values",
    "text",
    "plain_text",
    "content",
    "rich_text",
    "string",
    "stringvalue",
    "displayvalue",
    "display_value",
    "formattedvalue",
    "formatted_value",
    "raw",
    "formatted",
    "rendered",
    "val",
    "v",
    "_",
    "s",
    "n",
    "ss",
    "ns",
    "l",
    "m",
    "_text",
    "_value",
    "current",
    "new",
    "old",
    "from_value",
    "to_value",
    "latest",
    "userenteredvalue",
    "effectivevalue",
    "textvalue",
    "paragraph",
    "userinput",
    "data",
    "answer",
    "date",
    "start",
];

/// Members that hold a part of a name, or all of it, when the key around them says that it is a name.
const PARTS_OF_NAMES: &[&str] = &[
    "first",
    "last",
    "middle",
    "given",
    "family",
    "full",
    "display",
    "preferred",
    "legal",
    "maiden",
    "nick",
];

/// Members that say what kind of thing the object is.
const KINDS: &[&str] = &["type", "@type", "resourcetype", "object", "kind", "__typename", "_type", "entity"];

/// Longest two keys, in bytes, that are read as one.
const MAX_JOINED_BYTES: usize = 60;
/// Most members of an object that is a wrapper.
const MAX_WRAPPED: usize = 8;

/// What is known of one value.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    key: u32, // index into the keys, from 1; 0 = none
    siblings: Hints,
    record: u32,
    fixed: bool, // a table or a pair has named it
}

/// Keys, hints and records of the values of one document.
#[derive(Debug)]
pub struct Records<'a> {
    places: Vec<Place>,
    keys: Vec<Cow<'a, str>>,
}

/// One member of an object.
struct Member<'a> {
    node: NodeId,
    key: Cow<'a, str>,
    meaning: Option<Meaning>,
}

impl<'a> Records<'a> {
    /// Reads a document; `bytes` are those it was scanned from.
    #[must_use]
    pub fn of(document: &Document, bytes: &'a [u8]) -> Self {
        let mut records = Self { places: vec![Place::default(); document.len()], keys: Vec::new() };
        for node in document.nodes() {
            match document.kind(node) {
                Kind::Object => records.object(document, bytes, node),
                Kind::Array => records.array(document, bytes, node),
                _ => {}
            }
        }
        records
    }

    /// The key that says what the value is.
    #[must_use]
    pub fn key(&self, node: NodeId) -> Option<&str> {
        let index = self.place(node).key.checked_sub(1)?;
        self.keys.get(index as usize).map(AsRef::as_ref)
    }

    /// What a table or a pair calls the value.
    pub(crate) fn name(&self, node: NodeId) -> Option<&str> {
        self.key(node).filter(|_| self.place(node).fixed)
    }

    /// What the other keys of its record say.
    #[must_use]
    pub fn siblings(&self, node: NodeId) -> Hints {
        self.place(node).siblings
    }

    /// Number of the record that the value belongs to: the innermost element of a list of several.
    #[must_use]
    pub fn record(&self, node: NodeId) -> u32 {
        self.place(node).record
    }

    fn place(&self, node: NodeId) -> Place {
        self.places.get(node.index()).copied().unwrap_or_default()
    }

    fn put(&mut self, node: NodeId, place: Place) {
        if let Some(old) = self.places.get_mut(node.index()) {
            *old = if old.fixed { Place { record: place.record, ..*old } } else { place };
        }
    }

    fn add_key(&mut self, key: Cow<'a, str>) -> u32 {
        self.keys.push(key);
        u32::try_from(self.keys.len()).unwrap_or(0)
    }

    fn array(&mut self, document: &Document, bytes: &'a [u8], node: NodeId) {
        self.rows_under_first(document, bytes, node);
        let own = Place { fixed: false, ..self.place(node) };
        let mut children = document.children(node);
        let several = children.next().is_some() && children.next().is_some();
        for child in document.children(node) {
            let nested = matches!(document.kind(child), Kind::Object | Kind::Array);
            let record = if several && nested { narrow(child) } else { own.record };
            self.put(child, Place { record, ..own });
        }
    }

    fn object(&mut self, document: &Document, bytes: &'a [u8], node: NodeId) {
        let own = Place { fixed: false, ..self.place(node) };
        let members: Vec<Member<'a>> = document
            .children(node)
            .filter_map(|child| {
                let key = document.key(bytes, child)?;
                let meaning = keys::meaning_of(&key);
                Some(Member { node: child, key, meaning })
            })
            .collect();
        let numbered = members.iter().all(|member| is_number(&member.key));
        if numbered {
            for member in members {
                self.put(member.node, own);
            }
            return;
        }
        let mut siblings = members
            .iter()
            .fold(Hints::default(), |hints, member| hints.and_meaning(&member.key, member.meaning));
        let outer_key = self.key(node).map(str::to_owned);
        let outer = outer_key.as_deref();
        if outer.is_some_and(is_people_key) || is_of_people(document, bytes, &members) {
            siblings = siblings.with_person();
        }
        // What is inside a part of a person's record is of the person.
        if own.siblings.person_like()
            && outer.is_some_and(|key| INNER.iter().any(|inner| key.eq_ignore_ascii_case(inner)))
        {
            siblings = siblings.with_person();
        }
        self.pair(document, bytes, &members, own);
        self.table(document, bytes, &members);
        let wrapped = members.len() <= MAX_WRAPPED && members.iter().all(|member| is_plain(member.meaning));
        let outer = outer.map(|key| (key, keys::meaning_of(key), own.key));
        for Member { node: child, key, meaning } in members {
            let wrapper = wrapped && is_wrapper(&key, document.kind(child));
            let key = match outer {
                Some((_, Some(of_outer), index)) if wrapper && !of_outer.is_machine() => index,
                Some((outer, of_outer, _)) => {
                    let named = named_with(outer, of_outer, &key, meaning).map_or(key, Cow::Owned);
                    self.add_key(named)
                }
                None => self.add_key(key),
            };
            let siblings = if key == own.key { own.siblings } else { siblings };
            self.put(child, Place { key, siblings, record: own.record, fixed: false });
        }
    }
}

/// The two keys as one, where only together they say what the value is: `"name": {"first": ...}`,
/// `"passport": {"number": ...}`.
fn named_with(outer: &str, of_outer: Option<Meaning>, key: &str, meaning: Option<Meaning>) -> Option<String> {
    let of_name =
        matches!(of_outer, Some(Meaning::Name | Meaning::FullName | Meaning::Role)) || is_people_key(outer);
    if of_name && is_part(key) {
        return Some(format!("{key} name"));
    }
    let named = meaning.is_some_and(|meaning| meaning != Meaning::BareId);
    if named || of_outer.is_none() || outer.len() + key.len() > MAX_JOINED_BYTES {
        return None;
    }
    let both = format!("{outer} {key}");
    keys::meaning_of(&both).map(|_| both)
}

/// Keys of the parts of a record whose other parts stand around them.
const INNER: &[&str] =
    &["attributes", "fields", "properties", "profile", "data", "record", "info", "details"];

fn narrow(node: NodeId) -> u32 {
    u32::try_from(node.index()).unwrap_or(0)
}

/// Meanings of members that wrappers have as well.
const fn is_plain(meaning: Option<Meaning>) -> bool {
    matches!(meaning, None | Some(Meaning::Machine | Meaning::Title | Meaning::Profession | Meaning::BareId))
}

fn is_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_part(key: &str) -> bool {
    PARTS_OF_NAMES.iter().any(|part| key.eq_ignore_ascii_case(part))
}

fn is_wrapper(key: &str, kind: Kind) -> bool {
    key.starts_with(['$', '@', '#'])
        || WRAPPERS.iter().any(|wrapper| key.eq_ignore_ascii_case(wrapper))
        || (kind == Kind::Array && key == "title")
}

/// `"type": "user"`, `"resourceType": "Patient"`
fn is_of_people(document: &Document, bytes: &[u8], members: &[Member<'_>]) -> bool {
    members.iter().filter(|member| KINDS.iter().any(|kind| member.key.eq_ignore_ascii_case(kind))).any(
        |member| {
            document.text(bytes, member.node).is_some_and(|kind| kind.len() < 40 && is_people_key(&kind))
        },
    )
}

#[cfg(test)]
mod tests;
