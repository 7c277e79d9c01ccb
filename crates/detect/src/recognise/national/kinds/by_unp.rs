//! Belarus: УНП.
//!
//! Issuer: ministry of taxes. Positions: nine characters, the last a check digit. Check rule: weights 29 23 19 17
//! 13 7 5 3, the sum mod 11. Example: `551800845`. Source: Decree of the ministry of taxes.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "by.unp",
    category: Category::TaxId,
    shapes: &["999999999"],
    grouped: &[],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["унп", "unp"],
    examples: &["551800845", "709606359"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[29, 23, 19, 17, 13, 7, 5, 3]) % 11 == digit(id, 8) && matches!(digit(id, 0), 1..=7)
}
