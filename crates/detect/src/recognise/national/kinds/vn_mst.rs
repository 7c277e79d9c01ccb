//! Vietnam: mã số thuế.
//!
//! Issuer: General Department of Taxation. Positions: nine digits, one check digit, three of the branch. Check
//! rule: weights 31 29 23 19 17 13 7 5 3, ten less the sum mod 11. Example: `0100233488`. Source: Circular
//! 105/2020.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "vn.mst",
    category: Category::TaxId,
    shapes: &["9999999999", "9999999999999"],
    grouped: &["9999999999-999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["mã số thuế", "mst", "ma so thue"],
    examples: &["0100233488"],
};

fn check(id: &[u8]) -> bool {
    10 - weighted(id, &[31, 29, 23, 19, 17, 13, 7, 5, 3]) % 11 == digit(id, 9) && number(id, 2, 7) > 0
}
