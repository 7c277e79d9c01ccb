//! Austria: Umsatzsteuer-Identifikationsnummer.
//!
//! Issuer: tax office. Positions: `ATU`, seven digits, one check digit. Check rule: digits 2, 4 and 6 doubled and
//! their digits added, the others added, plus 4; what is missing to the next ten is the check digit. Example:
//! `ATU94431847`. Source: BMF, UID-Nummer.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "at.uid",
    category: Category::TaxId,
    shapes: &["ATU99999999"],
    grouped: &["ATU 99999999"],
    odds: 500,
    alone: Alone::Always,
    check,
    cues: &["uid at", "atu nummer", "uid-nr at"],
    examples: &["ATU94431847", "ATU38362099"],
};

fn check(id: &[u8]) -> bool {
    let doubled = |place: usize| digit(id, place) * 2 / 10 + digit(id, place) * 2 % 10;
    let sum: u32 = [3, 5, 7, 9]
        .into_iter()
        .map(|place| digit(id, place))
        .chain([4, 6, 8].into_iter().map(doubled))
        .sum();
    (sum + digit(id, 10) + 4).is_multiple_of(10)
}
