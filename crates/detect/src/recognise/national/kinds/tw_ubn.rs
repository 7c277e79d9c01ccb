//! Taiwan: 統一編號.
//!
//! Issuer: Ministry of Finance. Positions: eight digits. Check rule: weights 1 2 1 2 1 2 4 1, digits of products
//! added, a multiple of five (a 7 in place seven counts also as one less). Example: `65161324`. Source: 財政部 112 年.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "tw.ubn",
    category: Category::TaxId,
    shapes: &["99999999"],
    grouped: &[],
    odds: 5,
    alone: Alone::Never,
    check,
    cues: &["統一編號", "統編", "公司統一編號"],
    examples: &["65161324", "54271274"],
};

fn check(id: &[u8]) -> bool {
    let sum: u32 = [1, 2, 1, 2, 1, 2, 4, 1]
        .into_iter()
        .enumerate()
        .map(|(place, weight)| digit(id, place) * weight)
        .map(|product| product / 10 + product % 10)
        .sum();
    sum.is_multiple_of(5) || (digit(id, 6) == 7 && (sum + 1).is_multiple_of(5))
}
