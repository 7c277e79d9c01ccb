//! Parts of a person's name in other values of the same record: `"text": "Kelly is off"` beside `"real_name": "Kelly ..."`.
//!
//! In: the strings of a message with what was found in them. Out: findings added to theirs. Invariant: each text is read
//! once more, and only where its record holds a person. Not here: parts in the same text, which the engine finds.

use std::collections::HashMap;

use cloakgate_detect::{FieldKind, Names, merge};

use super::findings::Found;
use super::strings::MessageString;
use crate::texts::{Text, walk};

/// A record of the message (0), or of the JSON in one of its strings.
type RecordId = (usize, u32);

fn record_of(index: usize, string: &MessageString<'_>, text: &Text<'_>) -> RecordId {
    if text.depth == 0 { (0, string.record) } else { (index + 1, text.record) }
}

/// Adds what the people of each record tell about its other values.
pub(super) fn join(strings: &[MessageString<'_>], found: &mut [Found]) {
    let mut records: HashMap<RecordId, Names> = HashMap::new();
    for (index, (string, found)) in strings.iter().zip(found.iter()).enumerate() {
        if found.iter().all(Vec::is_empty) {
            continue;
        }
        let mut lists = found.iter();
        walk(string.text(), string.outer(), &mut |text| {
            if let Some(list) = lists.next().filter(|list| !list.is_empty()) {
                records.entry(record_of(index, string, text)).or_default().add(text.text, list);
            }
        });
    }
    records.retain(|_, names| !names.is_empty());
    if records.is_empty() {
        return;
    }
    for (index, (string, found)) in strings.iter().zip(found).enumerate() {
        let mut lists = found.iter_mut();
        walk(string.text(), string.outer(), &mut |text| {
            let Some(list) = lists.next() else { return };
            let names = records.get(&record_of(index, string, text)).filter(|_| text.kind == FieldKind::Text);
            let more = names.map_or_else(Vec::new, |names| names.find(text.text));
            if !more.is_empty() {
                *list = merge(std::mem::take(list), more);
            }
        });
    }
}
