//! Lithuania: asmens kodas.
//!
//! Issuer: Gyventojų registras. Positions: 1 sex and century, 2-7 birth date, 8-10 serial, 11 check. Check rule: as
//! in Estonia: weights 1 2 3 4 5 6 7 8 9 1, then 3 4 5 6 7 8 9 1 2 3, mod 11. Example: `48208101058`. Source: Law
//! on the register of residents.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd};
use super::super::{Alone, Kind};
use super::ee_isikukood::two_pass;

pub(super) const KIND: Kind = Kind {
    name: "lt.asmens_kodas",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 300,
    alone: Alone::Never,
    check,
    cues: &["asmens kodas", "asmens kodo"],
    examples: &["48208101058", "48704072245"],
};

fn check(id: &[u8]) -> bool {
    (1..=6).contains(&digit(id, 0)) && is_yymmdd(id, 1) && two_pass(id)
}
