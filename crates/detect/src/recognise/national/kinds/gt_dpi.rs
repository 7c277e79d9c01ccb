//! Guatemala: CUI, DPI.
//!
//! Issuer: RENAP. Positions: eight digits, one check digit, four digits of the place. Check rule: weights 2 to 9,
//! the sum mod 11. Example: `1234567890101`. Source: RENAP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gt.dpi",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["9999 99999 9999"],
    odds: 150,
    alone: Alone::Never,
    check,
    cues: &["dpi", "cui guatemala", "código único de identificación"],
    examples: &["1234567890101"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[2, 3, 4, 5, 6, 7, 8, 9]) % 11 == digit(id, 8)
        && (1..=22).contains(&number(id, 9, 2))
        && (1..=33).contains(&number(id, 11, 2))
}
