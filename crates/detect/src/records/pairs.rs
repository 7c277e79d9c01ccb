//! Pairs of a name and a value: `{"name": "email", "value": "..."}`, `{"system": "phone", "value": "..."}`.
//!
//! In: the members of an object. Out: a key for the one that holds the value. Invariant: at most the members are read.

use std::borrow::Cow;

use cloakgate_json::{Document, Kind};

use super::{Member, Place, Records};
use crate::keys;

/// Members that name a value.
const LABELS: &[&str] = &[
    "key",
    "name",
    "label",
    "field",
    "fieldname",
    "field_name",
    "property",
    "attribute",
    "system",
    "header",
    "column",
    "question",
    "title",
    "displayname",
    "param",
    "parameter",
    "k",
    "type",
    "id",
    "caption",
    "prop",
    "iddoctype",
    "id_type",
    "idtype",
    "doctype",
    "document_type",
    "documenttype",
];
/// Members that hold the value.
const VALUES: &[&str] = &[
    "value",
    "values",
    "text",
    "val",
    "content",
    "answer",
    "displayvalue",
    "stringvalue",
    "v",
    "data",
    "raw",
    "valuestring",
    "formattedvalue",
    "response",
    "new",
    "old",
    "newvalue",
    "oldvalue",
    "number",
    "documentnumber",
    "document_number",
];
/// Key of the value in `"identifier": [{"system": "urn:oid:...", "value": "4711"}]` of a person (FHIR R4, Identifier).
const PATIENT_ID: &str = "patient id";
/// Longest name of a value in bytes.
const MAX_LABEL_BYTES: usize = 60;

impl<'a> Records<'a> {
    /// Names the value of a pair. The pairs of one list are one record: what each names speaks for the others.
    pub(super) fn pair(&mut self, document: &Document, bytes: &'a [u8], members: &[Member<'a>], own: Place) {
        let is = |member: &Member<'_>, names: &[&str]| {
            names.iter().any(|name| member.key.eq_ignore_ascii_case(name))
        };
        if !(2..=12).contains(&members.len()) || !members.iter().any(|member| is(member, VALUES)) {
            return;
        }
        let label =
            members.iter().filter(|member| is(member, LABELS) && !is(member, VALUES)).find_map(|member| {
                let label = label(document, bytes, member)?;
                keys::meaning_of(&label).map(|_| label)
            });
        let is_identifier = || {
            let key = own.key.checked_sub(1).and_then(|index| self.keys.get(index as usize));
            own.siblings.person_like()
                && key.is_some_and(|key| key.eq_ignore_ascii_case("identifier"))
                && members.iter().any(|member| member.key == "system")
        };
        let Some(label) = label.or_else(|| is_identifier().then_some(Cow::Borrowed(PATIENT_ID))) else {
            return;
        };
        let siblings =
            self.hints_of_pairs(document, bytes, members).and_meaning(&label, keys::meaning_of(&label));
        let key = self.add_key(label);
        for member in members.iter().filter(|member| is(member, VALUES)) {
            let place = Place { key, siblings, record: own.record, fixed: true };
            self.put(member.node, place);
        }
    }

    /// What the names in the neighbouring pairs say; a few neighbours on either side are read.
    fn hints_of_pairs(
        &self,
        document: &Document,
        bytes: &'a [u8],
        members: &[Member<'a>],
    ) -> crate::hints::Hints {
        const NEIGHBOURS: u32 = 8;
        let none = crate::hints::Hints::default();
        let Some(object) = members.first().and_then(|member| document.parent(member.node)) else {
            return none;
        };
        let Some(list) = document.parent(object).filter(|list| document.kind(*list) == Kind::Array) else {
            return none;
        };
        let at = document.index(object);
        // Only the head of a list is read, so that long lists take linear work.
        if at > NEIGHBOURS * 4 {
            return none;
        }
        document.children(list).take((NEIGHBOURS * 4) as usize).fold(none, |hints, other| {
            let label = document
                .children(other)
                .take(4)
                .filter_map(|child| {
                    let key = document.key(bytes, child)?;
                    LABELS.iter().any(|name| key.eq_ignore_ascii_case(name)).then_some(child)
                })
                .find_map(|child| document.text(bytes, child).filter(|label| label.len() <= MAX_LABEL_BYTES));
            label.map_or(hints, |label| hints.and_meaning(&label, keys::meaning_of(&label)))
        })
    }
}

/// The name itself, or the text of an object that stands for it: `"type": {"text": "MRN"}`.
fn label<'a>(document: &Document, bytes: &'a [u8], member: &Member<'a>) -> Option<Cow<'a, str>> {
    let text = |node| document.key(bytes, node).filter(|key| key == "text" || key == "display").map(|_| node);
    let node = match document.kind(member.node) {
        Kind::Object => document.children(member.node).take(8).find_map(text)?,
        _ => member.node,
    };
    document.text(bytes, node).filter(|label| label.len() <= MAX_LABEL_BYTES)
}
