//! Taiwan: 國民身分證統一編號.
//!
//! Issuer: Ministry of the Interior. Positions: one letter of the place, 1 or 2 (8 or 9 for residents), seven
//! digits, one check digit. Check rule: the letter as two digits, weights 1 9 8 7 6 5 4 3 2 1 1, the sum is a
//! multiple of ten. Example: `A123456789`. Source: 戶籍法.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "tw.id",
    category: Category::NationalId,
    shapes: &["A999999999"],
    grouped: &[],
    odds: 25,
    alone: Alone::Never,
    check,
    cues: &["身分證字號", "身分證", "身分證號碼", "國民身分證", "身份證字號", "統一證號", "居留證號"],
    examples: &["A123456789"],
};

fn check(id: &[u8]) -> bool {
    const LETTERS: &[u8; 26] = b"ABCDEFGHJKLMNPQRSTUVXYWZIO";
    let Some((value, _)) = (10_u32..).zip(LETTERS).find(|(_, letter)| **letter == byte(id, 0)) else {
        return false;
    };
    matches!(digit(id, 1), 1 | 2 | 8 | 9)
        && (value / 10 + value % 10 * 9 + weighted(part(id, 1, 9), &[8, 7, 6, 5, 4, 3, 2, 1, 1]))
            .is_multiple_of(10)
}
