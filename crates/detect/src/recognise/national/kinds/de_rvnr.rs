//! Germany: Rentenversicherungsnummer.
//!
//! Issuer: Deutsche Rentenversicherung. Positions: 1-2 area, 3-8 birth date, 9 initial, 10-11 serial, 12 check.
//! Check rule: letters as two digits (A is 01), weights 2 1 2 5 7 1 2 1 2 1 2 1, digits of products added, mod 10.
//! Example: `65170839J003`. Source: § 147 SGB VI, VKVV.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, letter_value, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "de.rvnr",
    category: Category::NationalId,
    shapes: &["99999999A999"],
    grouped: &["99 999999 A 999", "99 999999 A999", "99-999999-A-999"],
    odds: 2000,
    alone: Alone::Always,
    check,
    cues: &[
        "rentenversicherungsnummer",
        "rvnr",
        "rv-nummer",
        "rv-nr",
        "sozialversicherungsnummer",
        "sozialversicherungsnr",
        "sozialversicherungs-nr",
        "vsnr",
    ],
    examples: &["65170839J003"],
};

fn check(id: &[u8]) -> bool {
    let letter = letter_value(byte(id, 8)).saturating_sub(9);
    let digits: Vec<u32> = (0..8)
        .map(|place| digit(id, place))
        .chain([letter / 10, letter % 10])
        .chain([digit(id, 9), digit(id, 10)])
        .collect();
    let sum: u32 = digits
        .iter()
        .zip([2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1])
        .map(|(digit, weight)| digit * weight / 10 + digit * weight % 10)
        .sum();
    sum % 10 == digit(id, 11) && (1..=31).contains(&number(id, 2, 2)) && (1..=12).contains(&number(id, 4, 2))
}
