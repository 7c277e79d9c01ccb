//! United Kingdom: NHS number.
//!
//! Issuer: NHS England. Positions: nine digits, one check digit. Check rule: weights 10 to 2, 11 less the sum mod
//! 11; 10 is not issued, 11 is 0. Example: `1862485496`. Source: NHS Data Dictionary.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gb.nhs",
    category: Category::HealthId,
    shapes: &["9999999999"],
    grouped: &["999 999 9999", "999-999-9999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["nhs number", "nhs no", "nhs", "nhs nr", "nhs id", "chi number", "chi"],
    examples: &["1862485496", "0198199082"],
};

fn check(id: &[u8]) -> bool {
    (11 - weighted(id, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11 == digit(id, 9) && !is_repetition(id)
}
