//! Australia: company number.
//!
//! Issuer: ASIC. Positions: eight digits, one check digit. Check rule: weights 8 to 1, ten less the sum mod 10.
//! Example: `106758945`. Source: ASIC.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "au.acn",
    category: Category::TaxId,
    shapes: &["999999999"],
    grouped: &["999 999 999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["acn", "australian company number"],
    examples: &["106758945", "217787516"],
};

fn check(id: &[u8]) -> bool {
    (weighted(id, &[8, 7, 6, 5, 4, 3, 2, 1]) + digit(id, 8)).is_multiple_of(10) && !is_repetition(id)
}
