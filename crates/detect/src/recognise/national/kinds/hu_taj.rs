//! Hungary: TAJ szám, social security number.
//!
//! Issuer: NEAK. Positions: eight digits, one check digit. Check rule: weights 3 and 7 in turn, the sum mod 10.
//! Example: `123456788`. Source: Act LXXX of 1997.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hu.taj",
    category: Category::HealthId,
    shapes: &["999999999"],
    grouped: &["999 999 999", "999-999-999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["taj", "taj szám", "taj-szám", "tajszám", "társadalombiztosítási azonosító jel"],
    examples: &["123456788"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[3, 7, 3, 7, 3, 7, 3, 7]) % 10 == digit(id, 8)
}
