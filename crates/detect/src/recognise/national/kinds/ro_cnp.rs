//! Romania: cod numeric personal.
//!
//! Issuer: DEPABD. Positions: 1 sex and century, 2-7 birth date, 8-9 county, 10-12 serial, 13 check. Check rule:
//! weights 2 7 9 1 4 6 3 5 8 2 7 9, the sum mod 11, 10 is 1. Example: `1970112030476`. Source: Law 105/1996.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ro.cnp",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &[],
    odds: 500,
    alone: Alone::Never,
    check,
    cues: &["cnp", "cod numeric personal", "c.n.p."],
    examples: &["1970112030476", "1661216150297"],
};

fn check(id: &[u8]) -> bool {
    let check = weighted(id, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    digit(id, 0) != 0 && is_yymmdd(id, 1) && (if check == 10 { 1 } else { check }) == digit(id, 12)
}
