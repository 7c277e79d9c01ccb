//! Poland: paszport.
//!
//! Issuer: voivode. Positions: two letters, one check digit, six digits. Check rule: weights 7 3 9 1 7 3 1 7 3 with
//! the check digit as 9: the sum is a multiple of ten. Example: `ZS0000177`. Source: ICAO 9303, paszport.

use cloakgate_vocab::Category;

use super::super::arithmetic::weighted_letters;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pl.passport",
    category: Category::Passport,
    shapes: &["AA9999999"],
    grouped: &["AA 9999999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["paszport", "numer paszportu", "nr paszportu"],
    examples: &["ZS0000177"],
};

fn check(id: &[u8]) -> bool {
    weighted_letters(id, &[7, 3, 9, 1, 7, 3, 1, 7, 3]).is_multiple_of(10)
}
