//! Germany: Krankenversichertennummer.
//!
//! Issuer: trust office of the statutory health insurers. Positions: one letter, eight digits, one check digit.
//! Check rule: the letter as two digits (A is 01), weights 1 and 2 in turn, digits of products added, mod 10.
//! Example: `A123456780`. Source: § 290 SGB V.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, letter_value};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "de.kvnr",
    category: Category::HealthId,
    shapes: &["A999999999"],
    grouped: &["A999 999 999", "A 999 999 999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &[
        "krankenversichertennummer",
        "kvnr",
        "kv-nummer",
        "versichertennummer",
        "versicherten-nr",
        "krankenversicherungsnummer",
        "egk-nummer",
    ],
    examples: &["A123456780"],
};

fn check(id: &[u8]) -> bool {
    let letter = letter_value(byte(id, 0)).saturating_sub(9);
    let digits: Vec<u32> =
        [letter / 10, letter % 10].into_iter().chain((1..9).map(|place| digit(id, place))).collect();
    let sum: u32 = digits
        .iter()
        .zip([1, 2].into_iter().cycle())
        .map(|(digit, weight)| digit * weight / 10 + digit * weight % 10)
        .sum();
    sum % 10 == digit(id, 9)
}
