//! Czechia: daňové identifikační číslo, IČO.
//!
//! Issuer: tax office. Positions: eight digits; `CZ` before a tax number. Check rule: weights 8 7 6 5 4 3 2, 11
//! less the sum mod 11, mod 10. Example: `CZ25123891`. Source: Act 111/2009.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cz.dic",
    category: Category::TaxId,
    shapes: &["99999999", "CZ99999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["ičo", "dič", "ičo číslo", "daňové identifikační číslo", "ič"],
    examples: &["CZ25123891"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(8), 8);
    (11 - weighted(tail, &[8, 7, 6, 5, 4, 3, 2]) % 11) % 10 == digit(tail, 7)
}
