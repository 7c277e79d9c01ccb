//! Australia: tax file number.
//!
//! Issuer: ATO. Positions: eight or nine digits. Check rule: weights 1 4 3 7 5 8 6 9 10, the sum is a multiple of
//! 11. Example: `735885214`. Source: ATO.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "au.tfn",
    category: Category::TaxId,
    shapes: &["999999999", "99999999"],
    grouped: &["999 999 999", "99 999 999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["tfn", "tax file number", "tfn no"],
    examples: &["735885214", "470247497"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[1, 4, 3, 7, 5, 8, 6, 9, 10]).is_multiple_of(11) && !is_repetition(id)
}
