//! Japan: 法人番号, corporate number.
//!
//! Issuer: National Tax Agency. Positions: one check digit, twelve digits. Check rule: weights 1 and 2 in turn from
//! the right, nine less the sum mod 9. Example: `5813218926966`. Source: Order 70 of the Ministry of Finance
//! (2014).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "jp.cn",
    category: Category::TaxId,
    shapes: &["9999999999999", "T9999999999999"],
    grouped: &["9-9999-9999-9999"],
    odds: 9,
    alone: Alone::Never,
    check,
    cues: &["法人番号", "corporate number", "インボイス番号", "登録番号"],
    examples: &["5813218926966", "6135558253524"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(13), 13);
    let sum: u32 =
        (1..13).map(|place| digit(tail, place) * if place.is_multiple_of(2) { 1 } else { 2 }).sum();
    9 - sum % 9 == digit(tail, 0)
}
