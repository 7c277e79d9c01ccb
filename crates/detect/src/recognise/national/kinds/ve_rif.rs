//! Venezuela: RIF.
//!
//! Issuer: SENIAT. Positions: one letter of V, E, J, P, G, eight digits, one check digit. Check rule: the letter as
//! 4, 8, 12, 16, 20, weights 3 2 7 6 5 4 3 2, 11 less the sum mod 11, 10 and 11 are 0. Example: `V578113610`.
//! Source: SENIAT.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ve.rif",
    category: Category::TaxId,
    shapes: &["A999999999"],
    grouped: &["A-99999999-9", "A99999999-9"],
    odds: 60,
    alone: Alone::Grouped,
    check,
    cues: &["rif", "r.i.f.", "registro de información fiscal"],
    examples: &["V578113610", "P503065466"],
};

fn check(id: &[u8]) -> bool {
    let letter = match byte(id, 0) {
        b'V' => 4,
        b'E' => 8,
        b'J' => 12,
        b'P' => 16,
        b'G' => 20,
        _ => return false,
    };
    (11 - (letter + weighted(part(id, 1, 8), &[3, 2, 7, 6, 5, 4, 3, 2])) % 11) % 11 % 10 == digit(id, 9)
}
