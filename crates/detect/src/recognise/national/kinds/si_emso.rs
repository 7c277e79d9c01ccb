//! Slovenia and the former Yugoslavia: EMŠO, JMBG, ЕМБГ.
//!
//! Issuer: population register. Positions: 1-7 birth date (day, month, three digits of the year), 8-9 region, 10-12
//! serial, 13 check. Check rule: weights 7 6 5 4 3 2 7 6 5 4 3 2, 11 less the sum mod 11. Example: `0704954500494`.
//! Source: ZCRP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_day, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "si.emso",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &[],
    odds: 500,
    alone: Alone::Never,
    check,
    cues: &[
        "emšo",
        "emso",
        "jmbg",
        "јмбг",
        "ембг",
        "embg",
        "jmb",
        "enotna matična številka občana",
        "jedinstveni matični broj",
    ],
    examples: &["0704954500494", "1102922500445"],
};

fn check(id: &[u8]) -> bool {
    is_day(number(id, 2, 2), number(id, 0, 2))
        && matches!(digit(id, 4), 0 | 9)
        && (11 - weighted(id, &[7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11 % 10 == digit(id, 12)
}
