//! Values that the detectors do not look for, or not where a service does: the operator's terms, forms of address, codes
//! of cards, ages beside names, lines that are one value.
//!
//! In: one innermost text with what the detectors found in it. Out: more candidates. Invariant: cost is linear in
//! the text; each look is bounded. Not here: which candidates win (`candidate`), what stands for them (`operators`).

mod ages;
mod cards;
mod gender;
mod imitation;
mod lines;
mod places;
mod words;

use cloakgate_detect::FieldKind;
use cloakgate_vocab::{Category, Span};

use super::candidate::Candidate;
use super::field::Field;
use super::operators::What;
use super::profile::Profile;
use crate::texts::Text;

pub(crate) use imitation::imitations;

/// Adds what is sought in one innermost text to what the detectors found there.
pub(crate) fn seek(text: &Text<'_>, profile: &Profile, found: &mut Vec<Candidate>) {
    let wanted = |field| !profile.keeps(field);
    if text.kind == FieldKind::Number {
        // An age is a small number, which only its key tells.
        if wanted(Field::Age) && text.key.is_some_and(is_age_key) && is_age(text.text) {
            let span = Span::sized(0, text.text.len());
            found.push(Candidate::sought(span, What::Found(Category::Age), Field::Age));
        }
        if wanted(Field::Weight) && text.key.is_some_and(is_weight_key) && is_weight(text.text) {
            let span = Span::sized(0, text.text.len());
            found.push(Candidate::sought(span, What::Found(Category::Weight), Field::Weight));
        }
        return;
    }
    for (span, term) in profile.knowledge_base.find(text.text) {
        found.push(Candidate::sought(span, What::Term(term.option), term.field));
    }
    if text.key.is_none() {
        lines::seek(text.text, profile, found);
    }
    if wanted(Field::Location) {
        places::seek(text.text, text.key.is_none(), found);
    }
    if wanted(Field::Financial) {
        cards::seek(text.text, found);
    }
    if wanted(Field::Age) {
        ages::seek(text.text, found);
    }
    if wanted(Field::Gender) {
        gender::seek(text.text, profile, found);
        if text.key.is_some_and(gender::is_key) && gender::is_letter(text.text) {
            let span = Span::sized(0, text.text.len());
            found.push(Candidate::sought(span, What::Found(Category::Gender), Field::Gender));
        }
    }
}

fn is_age_key(key: &str) -> bool {
    let last = key.rsplit(['_', '-', ' ', '.']).next().unwrap_or_default().to_lowercase();
    matches!(
        last.as_str(),
        "age"
            | "alter"
            | "âge"
            | "edad"
            | "età"
            | "idade"
            | "leeftijd"
            | "wiek"
            | "ålder"
            | "alder"
            | "věk"
            | "возраст"
    )
}

/// `weight`, `weight_kg`, `body_weight_lbs`, `poids`
fn is_weight_key(key: &str) -> bool {
    let mut words = key.rsplit(['_', '-', ' ', '.']).map(str::to_lowercase);
    let last = words.next().unwrap_or_default();
    let named = if matches!(last.as_str(), "kg" | "kgs" | "lb" | "lbs" | "pounds" | "kilograms") {
        words.next().unwrap_or_default()
    } else {
        last
    };
    matches!(
        named.as_str(),
        "weight"
            | "weightkg"
            | "weightlbs"
            | "bodyweight"
            | "gewicht"
            | "poids"
            | "peso"
            | "vikt"
            | "waga"
            | "вес"
    )
}

/// The weight of a person in kilograms or pounds.
fn is_weight(number: &str) -> bool {
    number.len() <= 6 && number.parse::<f64>().is_ok_and(|weight| (1.0..=700.0).contains(&weight))
}

fn is_age(number: &str) -> bool {
    number.len() <= 3 && number.parse::<u32>().is_ok_and(|years| years <= 130)
}
