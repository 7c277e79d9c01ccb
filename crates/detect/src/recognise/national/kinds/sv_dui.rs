//! El Salvador: DUI.
//!
//! Issuer: RNPN. Positions: eight digits, one check digit. Check rule: weights 9 to 2, ten less the sum mod 10.
//! Example: `00016297-5`. Source: RNPN.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "sv.dui",
    category: Category::NationalId,
    shapes: &["999999999"],
    grouped: &["99999999-9"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["dui", "documento único de identidad", "d.u.i."],
    examples: &["00016297-5"],
};

fn check(id: &[u8]) -> bool {
    (10 - weighted(id, &[9, 8, 7, 6, 5, 4, 3, 2]) % 10) % 10 == digit(id, 8)
}
