//! Australia: business number.
//!
//! Issuer: Australian Business Register. Positions: two check digits, nine digits. Check rule: one is taken from
//! the first digit; weights 10 1 3 5 7 9 11 13 15 17 19, the sum is a multiple of 89. Example: `88247654016`.
//! Source: ABR.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "au.abn",
    category: Category::TaxId,
    shapes: &["99999999999"],
    grouped: &["99 999 999 999"],
    odds: 89,
    alone: Alone::Grouped,
    check,
    cues: &["abn", "australian business number", "abn no"],
    examples: &["88247654016", "28646629933"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(id, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    digit(id, 0) > 0 && (sum - 10).is_multiple_of(89)
}
