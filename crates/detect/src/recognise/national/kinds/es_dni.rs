//! Spain: DNI, NIF of citizens.
//!
//! Issuer: Dirección General de la Policía. Positions: eight digits, one letter. Check rule: the number mod 23
//! picks from TRWAGMYFPDXBNJZSQVHLCKE. Example: `42000903M`. Source: Real Decreto 1553/2005.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "es.dni",
    category: Category::NationalId,
    shapes: &["99999999A"],
    grouped: &["99999999-A", "99.999.999-A", "99.999.999A", "99.999.999 A"],
    odds: 23,
    alone: Alone::Always,
    check,
    cues: &[
        "dni",
        "nif",
        "dni/nif",
        "n.i.f.",
        "d.n.i.",
        "número de dni",
        "nº dni",
        "documento nacional de identidad",
        "nif/dni",
        "dni nº",
    ],
    examples: &["42000903M", "62656107J"],
};

fn check(id: &[u8]) -> bool {
    is_control_letter(number(id, 0, 8), byte(id, 8))
}

/// The letter that a number of Spain has by its remainder.
pub(super) fn is_control_letter(value: u64, letter: u8) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    usize::try_from(value % 23).ok().and_then(|place| LETTERS.get(place)) == Some(&letter)
}
