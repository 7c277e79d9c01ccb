//! Pakistan: CNIC.
//!
//! Issuer: NADRA. Positions: 1-5 place, 6-12 family, 13 sex. Check rule: the first digit from 1 to 7. Example:
//! `35202-1234567-1`. Source: NADRA Ordinance 2000.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pk.cnic",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["99999-9999999-9"],
    odds: 4,
    alone: Alone::Grouped,
    check,
    cues: &["cnic", "nicop", "cnic no", "cnic number", "computerized national identity card"],
    examples: &["35202-1234567-1"],
};

fn check(id: &[u8]) -> bool {
    (1..=7).contains(&digit(id, 0)) && digit(id, 12) > 0
}
