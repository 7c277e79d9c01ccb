//! Parts of a person's name in other values of the same record: `"text": "Kelly is off"` beside `"real_name": "Kelly ..."`.
//!
//! In: strings with what was found in them. Out: findings added to theirs. Invariant: each text is read once more, and
//! only where its record holds a person. Not here: parts in the same text, which the engine finds.

use std::collections::HashMap;

use cloakgate_detect::{FieldKind, Names};
use cloakgate_vocab::Category;

use crate::find::{Found, add};
use crate::texts::{Outer, Text, walk};

/// A string, what is known of it, and the record of the message that it belongs to.
pub(crate) type Unit<'a> = (&'a str, Outer<'a>, u32);

/// A record of the message (0), or of the JSON in one of its strings.
type RecordId = (usize, u32);

fn record_of(index: usize, unit: &Unit<'_>, text: &Text<'_>) -> RecordId {
    if text.depth == 0 { (0, unit.2) } else { (index + 1, text.record) }
}

/// Adds what the people of each record tell about its other values.
pub(crate) fn join(units: &[Unit<'_>], found: &mut [Found]) {
    let mut records: HashMap<RecordId, Names> = HashMap::new();
    for (index, (unit, found)) in units.iter().zip(found.iter()).enumerate() {
        if found.iter().all(Vec::is_empty) {
            continue;
        }
        let mut lists = found.iter();
        walk(unit.0, unit.1, &mut |text| {
            if let Some(list) = lists.next().filter(|list| !list.is_empty()) {
                records.entry(record_of(index, unit, text)).or_default().add(text.text, list);
            }
        });
    }
    records.retain(|_, names| !names.is_empty());
    if records.is_empty() {
        return;
    }
    for (index, (unit, found)) in units.iter().zip(found).enumerate() {
        let mut lists = found.iter_mut();
        walk(unit.0, unit.1, &mut |text| {
            let Some(list) = lists.next() else { return };
            let names = records.get(&record_of(index, unit, text)).filter(|_| text.kind == FieldKind::Text);
            // A text that holds a person itself was searched when that was found.
            let own = list.iter().any(|finding| finding.category == Category::Person);
            if let Some(names) = names.filter(|_| !own) {
                add(list, names.find(text.text));
            }
        });
    }
}
