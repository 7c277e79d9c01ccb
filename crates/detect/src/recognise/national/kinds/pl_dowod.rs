//! Poland: dowód osobisty.
//!
//! Issuer: ministry of the interior. Positions: three letters, one check digit, five digits. Check rule: weights 7
//! 3 1 9 7 3 1 7 3, letters from A = 10, the sum is a multiple of ten (the check digit counts 9). Example:
//! `ABA300000`. Source: ICAO 9303, dowód osobisty.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted_letters};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pl.dowod",
    category: Category::NationalId,
    shapes: &["AAA999999"],
    grouped: &["AAA 999999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &[
        "dowód osobisty",
        "nr dowodu",
        "numer dowodu",
        "seria i numer dowodu",
        "nr dowodu osobistego",
        "numer dowodu osobistego",
        "dowod osobisty",
    ],
    examples: &["ABA300000", "ABS123456"],
};

fn check(id: &[u8]) -> bool {
    weighted_letters(id, &[7, 3, 1, 0, 7, 3, 1, 7, 3]) % 10 == digit(id, 3)
}
