//! Hungary: személyi azonosító.
//!
//! Issuer: ministry of the interior. Positions: 1 sex and century, 2-7 birth date, 8-10 serial, 11 check. Check
//! rule: each digit times its place, the sum mod 11 (births since 1997 count places from the other end). Example:
//! `25201164149`. Source: Act XX of 1996.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hu.szemelyi",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["9-999999-9999", "9 999999 9999"],
    odds: 300,
    alone: Alone::Never,
    check,
    cues: &[
        "személyi azonosító",
        "személyi szám",
        "szemelyi azonosito",
        "szemelyi szam",
        "személyi azonosító jel",
        "szig szám",
    ],
    examples: &["25201164149"],
};

fn check(id: &[u8]) -> bool {
    (1..=8).contains(&digit(id, 0))
        && is_yymmdd(id, 1)
        && (weighted(id, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) % 11 == digit(id, 10)
            || weighted(id, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 == digit(id, 10))
}
