//! Iceland: kennitala.
//!
//! Issuer: Þjóðskrá. Positions: 1-6 birth date (day plus 40 for companies), 7-8 serial, 9 check, 10 century. Check
//! rule: weights 3 2 7 6 5 4 3 2 1, the sum is a multiple of 11. Example: `2704292629`. Source: Þjóðskrá Íslands.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_day, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "is.kennitala",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["999999-9999", "999999 9999"],
    odds: 300,
    alone: Alone::Never,
    check,
    cues: &["kennitala", "kennitalan"],
    examples: &["2704292629", "4707471370"],
};

fn check(id: &[u8]) -> bool {
    is_day(number(id, 2, 2), number(id, 0, 2) % 40)
        && weighted(id, &[3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
        && matches!(digit(id, 9), 0 | 9)
}
