//! Netherlands: burgerservicenummer.
//!
//! Issuer: RvIG. Positions: eight digits, one check digit. Check rule: eleven test: weights 9 8 7 6 5 4 3 2 -1, the
//! sum is a multiple of 11. Example: `488181069`. Source: Wet algemene bepalingen bsn.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "nl.bsn",
    category: Category::NationalId,
    shapes: &["999999999"],
    grouped: &["9999.99.999", "999 999 999", "9999 99 999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &[
        "bsn",
        "burgerservicenummer",
        "sofinummer",
        "sofi-nummer",
        "bsn nummer",
        "bsn-nummer",
        "persoonsnummer",
    ],
    examples: &["488181069", "622035265"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(id, &[9, 8, 7, 6, 5, 4, 3, 2]) + 11 * 9 - digit(id, 8);
    sum.is_multiple_of(11) && number(id, 0, 9) > 1_000_000 && !is_repetition(id)
}
