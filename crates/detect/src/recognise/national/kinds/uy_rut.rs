//! Uruguay: RUT.
//!
//! Issuer: DGI. Positions: 1-2 from 01 to 22, six digits, 001, one check digit. Check rule: weights 4 3 2 9 8 7 6 5
//! 4 3 2, 11 less the sum mod 11. Example: `211741910010`. Source: DGI.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "uy.rut",
    category: Category::TaxId,
    shapes: &["999999999999"],
    grouped: &["99-999999-999-9"],
    odds: 5000,
    alone: Alone::Never,
    check,
    cues: &["rut uruguay", "rut dgi", "rut"],
    examples: &["211741910010", "213190930017"],
};

fn check(id: &[u8]) -> bool {
    (1..=22).contains(&number(id, 0, 2))
        && number(id, 8, 3) == 1
        && (weighted(id, &[4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) + digit(id, 11)).is_multiple_of(11)
}
