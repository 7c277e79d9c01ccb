//! The group that a medical term is of, and its name in the language of the text.
//!
//! In: a term, or a code of ICD-10. Out: a coarse group that covers hundreds of terms, or the part of the body with it.
//! Invariant: HIV is a chronic illness, what is transmitted by sex an infection, the loss of a pregnancy and harm
//! to oneself a condition: no label narrows to them.

use std::sync::LazyLock;

use cloakgate_detect::{MedicalKind, MedicalMeaning, is_chronic_category, medical_meaning};

use crate::text::profile::MedicalDetail;

static LABELS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let file = include_str!("../../../../data/medical_labels.txt");
    file.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('|').collect()).collect()
});
/// Chapters of ICD-10 whose part of the body may be told: first and last category, name when chronic, and otherwise.
const BODY: &[(u32, u32, &str, &str)] = &[
    (code('A', 0), code('B', 99), "chronic infection", "infection"),
    (code('C', 0), code('D', 49), "tumour", "tumour"),
    (code('D', 50), code('D', 89), "chronic blood or immune condition", "blood or immune condition"),
    (code('E', 0), code('E', 89), "chronic metabolic condition", "metabolic condition"),
    (code('F', 0), code('F', 99), "long-term mental health condition", "mental health condition"),
    (code('G', 0), code('G', 99), "chronic neurological condition", "neurological condition"),
    (code('H', 0), code('H', 59), "chronic eye condition", "eye condition"),
    (code('H', 60), code('H', 95), "chronic ear condition", "ear condition"),
    (code('I', 0), code('I', 99), "chronic heart or circulation condition", "heart or circulation condition"),
    (code('J', 0), code('J', 99), "chronic breathing condition", "respiratory illness"),
    (code('K', 0), code('K', 95), "chronic digestive condition", "digestive condition"),
    (code('L', 0), code('L', 99), "chronic skin condition", "skin condition"),
    (code('M', 0), code('M', 99), "chronic joint or muscle condition", "joint or muscle condition"),
    (
        code('N', 0),
        code('N', 99),
        "chronic kidney or urinary condition",
        "kidney, urinary or reproductive condition",
    ),
];

/// A category of ICD-10 as a number that keeps their order.
const fn code(letter: char, number: u32) -> u32 {
    letter as u32 * 100 + number
}

/// A group of terms.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Group {
    key: &'static str,
    body: Option<&'static str>,
}

impl Group {
    const fn of(key: &'static str) -> Self {
        Self { key, body: None }
    }

    /// Its name in a language of two letters; the part of the body is told in English only.
    pub(super) fn label(self, detail: MedicalDetail, language: &str) -> &'static str {
        if let Some(body) = self.body.filter(|_| detail == MedicalDetail::BodySystem && language == "en") {
            return body;
        }
        let head = LABELS.first();
        let column = head.and_then(|head| head.iter().position(|other| *other == language)).unwrap_or(1);
        let row = LABELS.iter().find(|row| row.first() == Some(&self.key));
        row.and_then(|row| row.get(column)).copied().unwrap_or("medical condition")
    }
}

/// The group of a term; one that is not known is a condition, or a medication.
pub(super) fn group_of_term(term: &str, medication: bool) -> Group {
    let Some(MedicalMeaning { kind, category, chronic }) = medical_meaning(term) else {
        return Group::of(if medication { "medication" } else { "condition" });
    };
    match kind {
        MedicalKind::Drug => Group::of("medication"),
        MedicalKind::Test => Group::of("test"),
        MedicalKind::Procedure => Group::of("procedure"),
        MedicalKind::Condition => category.map_or(Group::of("condition"), |(letter, number)| {
            group(code(letter, u32::from(number)), chronic)
        }),
    }
}

/// The group of a code such as `E11.9`; `None` when it is none.
pub(super) fn group_of_code(value: &str) -> Option<Group> {
    let mut bytes = value.bytes();
    let letter = bytes.next().filter(u8::is_ascii_uppercase)?;
    let tens = bytes.next().filter(u8::is_ascii_digit)?;
    let ones = bytes.next().filter(|byte| byte.is_ascii_digit() || matches!(byte, b'A' | b'B'))?;
    let tail = value.get(3..)?;
    let tail = tail.strip_prefix('.').unwrap_or(tail);
    if tail.len() > 4 || !tail.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let ones = if ones.is_ascii_digit() { ones - b'0' } else { 0 };
    let number = (tens - b'0') * 10 + ones;
    let letter = char::from(letter);
    Some(group(code(letter, u32::from(number)), is_chronic_category(letter, number)))
}

/// The group of a category: what is sensitive first, then what lasts, then the chapter.
fn group(category: u32, chronic: Option<bool>) -> Group {
    let within =
        |letter: char, from: u32, to: u32| (code(letter, from)..=code(letter, to)).contains(&category);
    let sensitive = match () {
        () if within('B', 20, 24) || category == code('Z', 21) => Some("chronic"),
        () if within('A', 50, 64) => Some("infection"),
        () if within('O', 0, 8) || within('X', 60, 84) => Some("condition"),
        () => None,
    };
    if let Some(key) = sensitive {
        return Group::of(key);
    }
    let key = match char::from_u32(category / 100).unwrap_or('Z') {
        'C' => "cancer",
        'D' if within('D', 0, 49) => "cancer",
        'F' => "mental",
        'O' => "pregnancy",
        'S' | 'T' => "injury",
        'V' | 'W' | 'X' | 'Y' => "accident",
        _ if chronic == Some(true) => "chronic",
        'A' | 'B' | 'U' => "infection",
        'P' | 'Q' => "birth",
        'R' => "symptom",
        'Z' => "contact",
        _ if chronic == Some(false) => "acute",
        _ => "illness",
    };
    let chapter = BODY.iter().find(|(from, to, ..)| (*from..=*to).contains(&category));
    let body = chapter.map(|(.., lasting, other)| if chronic == Some(true) { *lasting } else { *other });
    Group { key, body }
}
