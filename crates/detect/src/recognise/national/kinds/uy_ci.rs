//! Uruguay: cédula de identidad.
//!
//! Issuer: Dirección Nacional de Identificación Civil. Positions: seven digits, one check digit. Check rule:
//! weights 2 9 8 7 6 3 4, ten less the sum mod 10. Example: `12345672`. Source: DNIC.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "uy.ci",
    category: Category::NationalId,
    shapes: &["99999999"],
    grouped: &["9.999.999-9"],
    odds: 10,
    alone: Alone::Grouped,
    check,
    cues: &["cédula uruguaya", "cédula de identidad", "ci uruguay"],
    examples: &["12345672"],
};

fn check(id: &[u8]) -> bool {
    (10 - weighted(id, &[2, 9, 8, 7, 6, 3, 4]) % 10) % 10 == digit(id, 7)
}
