//! Russia: СНИЛС.
//!
//! Issuer: Social fund. Positions: nine digits, two check digits. Check rule: weights 9 to 1, the sum mod 101 mod
//! 100. Example: `11223344595`. Source: Pension fund order 192p.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_repetition, number, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ru.snils",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999-999-999 99", "999-999-999-99"],
    odds: 100,
    alone: Alone::Grouped,
    check,
    cues: &["снилс", "snils", "страховой номер"],
    examples: &["11223344595"],
};

fn check(id: &[u8]) -> bool {
    u64::from(weighted(id, &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101 % 100) == number(id, 9, 2)
        && number(id, 0, 9) > 1_001_998
        && !is_repetition(part(id, 0, 9))
}
