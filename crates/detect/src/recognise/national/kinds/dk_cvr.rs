//! Denmark: CVR-nummer.
//!
//! Issuer: Erhvervsstyrelsen. Positions: seven digits, one check digit. Check rule: weights 2 7 6 5 4 3 2 1, the
//! sum is a multiple of 11. Example: `74941702`. Source: CVR.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "dk.cvr",
    category: Category::TaxId,
    shapes: &["99999999", "DK99999999"],
    grouped: &["DK 99 99 99 99"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["cvr", "cvr-nummer", "cvr nummer", "cvr-nr", "se-nummer"],
    examples: &["74941702", "76909156"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(8), 8);
    digit(tail, 0) != 0 && weighted(tail, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}
