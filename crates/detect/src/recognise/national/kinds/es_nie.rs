//! Spain: NIE of foreigners.
//!
//! Issuer: Dirección General de la Policía. Positions: X, Y or Z, seven digits, one letter. Check rule: as DNI,
//! with X, Y, Z read as 0, 1, 2. Example: `Z0761313H`. Source: Orden INT/2058/2008.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, number};
use super::super::{Alone, Kind};
use super::es_dni::is_control_letter;

pub(super) const KIND: Kind = Kind {
    name: "es.nie",
    category: Category::NationalId,
    shapes: &["A9999999A"],
    grouped: &["A-9999999-A", "A9999999-A", "A-9999999A"],
    odds: 200,
    alone: Alone::Always,
    check,
    cues: &["nie", "n.i.e.", "número de identidad de extranjero", "tarjeta de residencia", "nº nie"],
    examples: &["Z0761313H", "X6026054P"],
};

fn check(id: &[u8]) -> bool {
    let first = u64::from(byte(id, 0)).wrapping_sub(u64::from(b'X'));
    first < 3 && is_control_letter(first * 10_000_000 + number(id, 1, 7), byte(id, 8))
}
