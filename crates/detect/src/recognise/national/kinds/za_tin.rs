//! South Africa: income tax number.
//!
//! Issuer: SARS. Positions: 0, 1, 2, 3 or 9, nine digits. Check rule: Luhn's rule. Example: `0816658900`. Source:
//! SARS.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "za.tin",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 20,
    alone: Alone::Never,
    check,
    cues: &["income tax number", "tax reference number", "sars number"],
    examples: &["0816658900", "1565015839"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 0..=3 | 9) && luhn(id)
}
