//! France: numéro de sécurité sociale (NIR).
//!
//! Issuer: INSEE. Positions: 1 sex, 2-3 year, 4-5 month, 6-10 place of birth (2A and 2B for Corsica), 11-13 serial,
//! 14-15 key. Check rule: 97 less the first thirteen digits mod 97; 2A counts as 19, 2B as 18. Example:
//! `282027511253483`. Source: Décret 2019-341.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fr.nir",
    category: Category::NationalId,
    shapes: &["999999999999999", "999999A99999999"],
    grouped: &[
        "9 99 99 99 999 999 99",
        "9 99 99 9* 999 999 99",
        "9 99 99 99 999 999",
        "9.99.99.99.999.999.99",
    ],
    odds: 2000,
    alone: Alone::Grouped,
    check,
    cues: &[
        "nir",
        "n° de sécurité sociale",
        "numéro de sécurité sociale",
        "n° sécurité sociale",
        "numéro insee",
        "nir / insee",
        "sécurité sociale",
        "n° sécu",
        "num secu",
        "numéro de sécu",
    ],
    examples: &["282027511253483", "252127510964048"],
};

fn check(id: &[u8]) -> bool {
    let corsica = match byte(id, 6) {
        b'A' => 1_000_000,
        b'B' => 2_000_000,
        _ => 0,
    };
    let (first, base) = match corsica {
        0 => (byte(id, 6).is_ascii_digit(), number(id, 0, 13)),
        less => (digit(id, 5) == 2, (number(id, 0, 6) * 10_000_000 + number(id, 7, 6)).saturating_sub(less)),
    };
    first
        && matches!(digit(id, 0), 1..=4 | 7 | 8)
        && (1..=99).contains(&number(id, 3, 2))
        && 97 - base % 97 == number(id, 13, 2)
}
