//! Segments of HL7 version 2 messages that hold people: `PID|1||4711^^^HOSP^MR||Roca^Rita||19840312|F|||Elm 3^^Lyon^^69003`.
//!
//! In: a line, which is a segment, or a message whose segments carriage returns part. Out: names, birth dates, addresses,
//! numbers of patients and telephones by the place of their field (HL7 v2.5, chapters 3 and 6). Invariant: a segment is read once,
//! at most `MAX_FIELDS` fields of it. Not here: other fields, which speak for themselves.

use cloakgate_vocab::{Category, Span};

use crate::placeholder::is_placeholder;
use crate::recognise::Hit;
use crate::{birth, people};

/// Most fields of a segment that are read.
const MAX_FIELDS: usize = 64;

/// What a field holds.
#[derive(Clone, Copy)]
enum Field {
    /// Family name, given name, further names (XPN).
    Name,
    /// A number, then family and given name (XCN).
    NumberedName,
    /// Street, other designation, city, state, post code (XAD).
    Address,
    /// A date with or without a time.
    Birth,
    /// The first component is of the category.
    First(Category),
}

/// The fields of the segments, by number.
const FIELDS: &[(&str, usize, Field)] = &[
    ("PID", 2, Field::First(Category::HealthId)),
    ("PID", 3, Field::First(Category::HealthId)),
    ("PID", 4, Field::First(Category::HealthId)),
    ("PID", 5, Field::Name),
    ("PID", 6, Field::Name),
    ("PID", 7, Field::Birth),
    ("PID", 9, Field::Name),
    ("PID", 11, Field::Address),
    ("PID", 13, Field::First(Category::Phone)),
    ("PID", 14, Field::First(Category::Phone)),
    ("PID", 18, Field::First(Category::HealthId)),
    ("PID", 19, Field::First(Category::Ssn)),
    ("PID", 20, Field::First(Category::DriverLicense)),
    ("NK1", 2, Field::Name),
    ("NK1", 4, Field::Address),
    ("NK1", 5, Field::First(Category::Phone)),
    ("NK1", 6, Field::First(Category::Phone)),
    ("NK1", 16, Field::Birth),
    ("NK1", 30, Field::Name),
    ("GT1", 3, Field::Name),
    ("GT1", 5, Field::Address),
    ("GT1", 6, Field::First(Category::Phone)),
    ("GT1", 7, Field::First(Category::Phone)),
    ("GT1", 8, Field::Birth),
    ("GT1", 12, Field::First(Category::Ssn)),
    ("IN1", 16, Field::Name),
    ("IN1", 18, Field::Birth),
    ("IN1", 19, Field::Address),
    ("IN1", 36, Field::First(Category::HealthId)),
    ("PV1", 7, Field::NumberedName),
    ("PV1", 8, Field::NumberedName),
    ("PV1", 9, Field::NumberedName),
    ("PV1", 17, Field::NumberedName),
    ("OBR", 10, Field::NumberedName),
    ("OBR", 16, Field::NumberedName),
    ("OBR", 28, Field::NumberedName),
    ("ORC", 10, Field::NumberedName),
    ("ORC", 11, Field::NumberedName),
    ("ORC", 12, Field::NumberedName),
];

/// Reads the segments of a line.
pub(crate) fn line(text: &str, line: Span, hits: &mut Vec<Hit>) {
    let Some(content) = line.of(text) else { return };
    let mut at = line.start();
    for segment in content.split('\r') {
        self::segment(segment, at, hits);
        at += segment.len() + 1;
    }
}

fn segment(segment: &str, start: usize, hits: &mut Vec<Hit>) {
    let Some(kind) = segment.get(..4).and_then(|head| head.strip_suffix('|')) else { return };
    if !FIELDS.iter().any(|(name, _, _)| *name == kind) {
        return;
    }
    let mut at = start;
    for (number, field) in segment.split('|').take(MAX_FIELDS).enumerate() {
        let known = FIELDS.iter().find(|(name, place, _)| *name == kind && *place == number);
        if let Some((_, _, holds)) = known.filter(|_| !field.is_empty() && field != "\"\"") {
            let mut from = at;
            for repeated in field.split('~') {
                components(*holds, repeated, from, hits);
                from += repeated.len() + 1;
            }
        }
        at += field.len() + 1;
    }
}

fn components(field: Field, value: &str, start: usize, hits: &mut Vec<Hit>) {
    let mut at = start;
    for (index, component) in value.split('^').enumerate() {
        let category = match (field, index) {
            (Field::Name, 0..=2) | (Field::NumberedName, 1..=3) => Some(Category::Person),
            (Field::Address, 0 | 1 | 4) => Some(Category::Address),
            (Field::Birth, 0) => Some(Category::DateOfBirth),
            (Field::First(category), 0) => Some(category),
            _ => None,
        };
        if let Some(category) = category.filter(|category| fits(*category, component)) {
            let len = if category == Category::DateOfBirth {
                birth::date_prefix(component).map_or(component.len(), |date| date.len)
            } else {
                component.len()
            };
            hits.push(Hit::by_context(Span::sized(at, len), category, "hl7"));
        }
        at += component.len() + 1;
    }
}

fn fits(category: Category, component: &str) -> bool {
    let digits = component.bytes().filter(u8::is_ascii_digit).count();
    !component.trim().is_empty()
        && !is_placeholder(component)
        && match category {
            Category::Person => component.chars().count() > 1 && people::is_safe_name(component),
            Category::Address => true,
            Category::DateOfBirth => digits >= 8,
            _ => digits >= 3,
        }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::line;

    #[test]
    fn fields_hold_what_their_place_says() {
        for (text, values) in [
            (
                "PID|1||4711^^^HOSP^MR||Roca^Rita^^^^L||198403120000|F|||Elm 3^^Lyon^^69003||04 78 12 34 56",
                &["4711", "Roca", "Rita", "198403120000", "Elm 3", "69003", "04 78 12 34 56"][..],
            ),
            ("NK1|1|Roca^Luis|SPO||555-0100", &["Roca", "Luis", "555-0100"]),
            ("PV1|1|I|W^389^1||||4790^Palma^Ana^^^DR", &["Palma", "Ana"]),
            ("MSH|^~\\&|ADT1|HOSP\rPID|1||||Roca^Rita", &["Roca", "Rita"]),
            ("OBX|1|NM|2345-7^Glucose^LN||182|mg/dl", &[]),
            ("PID|", &[]),
            ("PIDX|1||4711||Roca^Rita", &[]),
        ] {
            let mut hits = Vec::new();
            line(text, Span::sized(0, text.len()), &mut hits);
            let found: Vec<_> = hits.iter().filter_map(|hit| hit.span.of(text)).collect();
            assert_eq!(found, values, "{text}");
        }
    }
}
