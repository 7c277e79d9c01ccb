//! Türkiye: T.C. kimlik numarası.
//!
//! Issuer: Nüfus ve Vatandaşlık İşleri. Positions: nine digits, the first not 0, two check digits. Check rule: 7
//! times digits 1 3 5 7 9 less digits 2 4 6 8, mod 10; then the sum of the first ten mod 10. Example:
//! `57888184964`. Source: Nüfus Hizmetleri Kanunu.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "tr.kimlik",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 110,
    alone: Alone::Never,
    check,
    cues: &[
        "tc kimlik no",
        "t.c. kimlik no",
        "tckn",
        "kimlik no",
        "kimlik numarası",
        "tc kimlik",
        "tc no",
        "t.c. kimlik numarası",
    ],
    examples: &["57888184964", "83512573026"],
};

fn check(id: &[u8]) -> bool {
    let odd: u32 = [0, 2, 4, 6, 8].into_iter().map(|place| digit(id, place)).sum();
    let even: u32 = [1, 3, 5, 7].into_iter().map(|place| digit(id, place)).sum();
    digit(id, 0) != 0
        && (7 * odd + 40 - even) % 10 == digit(id, 9)
        && (odd + even + digit(id, 9)) % 10 == digit(id, 10)
}
