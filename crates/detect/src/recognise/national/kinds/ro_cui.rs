//! Romania: cod unic de înregistrare.
//!
//! Issuer: ANAF. Positions: up to nine digits, one check digit. Check rule: weights 7 5 3 2 1 7 5 3 2, ten times
//! the sum mod 11 mod 10. Example: `RO18547290`. Source: Law 227/2015.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ro.cui",
    category: Category::TaxId,
    shapes: &[
        "99999999",
        "999999999",
        "9999999999",
        "RO999999",
        "RO9999999",
        "RO99999999",
        "RO999999999",
        "RO9999999999",
    ],
    grouped: &["RO 99999999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["cui", "cif", "cod fiscal", "cod unic de înregistrare", "cod de inregistrare fiscala", "c.u.i."],
    examples: &["RO18547290", "18547290"],
};

fn check(id: &[u8]) -> bool {
    let digits = if byte(id, 0) == b'R' { part(id, 2, id.len().saturating_sub(2)) } else { id };
    let body = part(digits, 0, digits.len().saturating_sub(1));
    let sum: u32 = (0..body.len())
        .map(|back| {
            digit(body, body.len() - 1 - back) * [2, 3, 5, 7, 1, 2, 3, 5, 7].get(back).copied().unwrap_or(0)
        })
        .sum();
    digit(digits, 0) != 0 && 10 * sum % 11 % 10 == digit(digits, digits.len().saturating_sub(1))
}
