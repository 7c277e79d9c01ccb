//! Weights of people: `weighs 72 kg`, `peso: 68 kg`, `Gewicht 80 kg`, `160 lbs`.
//!
//! In: a number. Out: number and unit. A weight by itself may be a parcel's: words near it must speak of a body.

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of, mentions};

const UNITS: &[&str] = &[
    "kg",
    "kgs",
    "kilo",
    "kilos",
    "kilogram",
    "kilograms",
    "kilogramm",
    "lb",
    "lbs",
    "pound",
    "pounds",
    "pfund",
    "livres",
    "libras",
    "chili",
    "quilos",
    "кг",
];
const BODY: &[&str] = &[
    "weighs",
    "weigh",
    "weighed",
    "weight",
    "weighing",
    "bmi",
    "bodyweight",
    "patient",
    "obese",
    "wiegt",
    "gewicht",
    "körpergewicht",
    "wog",
    "pèse",
    "poids",
    "pesait",
    "pesa",
    "peso",
    "pesaba",
    "pesava",
    "pesando",
    "weegt",
    "waży",
    "waga",
    "vikt",
    "väger",
    "vekt",
    "veier",
    "paino",
    "вес",
    "весит",
    "paciente",
    "patientin",
    "female",
    "male",
    "lost",
    "gained",
    "adelgazado",
    "abgenommen",
];

/// Reads a weight at a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    let right = after(text, number.end(), 24);
    // `72.5 kg`, `72,5 kg`: the number goes on.
    let decimals = match right.as_bytes() {
        [b'.' | b',', digit, ..] if digit.is_ascii_digit() => {
            1 + right.bytes().skip(1).take_while(u8::is_ascii_digit).count()
        }
        _ => 0,
    };
    let tail = right.get(decimals..)?;
    let gap = tail.len() - tail.trim_start_matches([' ', '-', '\u{a0}']).len();
    let unit = first_word(tail.get(gap..)?);
    if number.len() > 3 || gap > 2 || !is_one_of(unit, UNITS) {
        return None;
    }
    let near = before(text, number.start(), 40);
    let whole = Span::sized(number.start(), number.len() + decimals + gap + unit.len());
    mentions(near.rsplit('\n').next()?, BODY).then_some((whole, "weight"))
}
