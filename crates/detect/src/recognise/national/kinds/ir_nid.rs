//! Iran: کد ملی.
//!
//! Issuer: National Organization for Civil Registration. Positions: nine digits, one check digit. Check rule:
//! weights 10 to 2, the sum mod 11, from 2 on 11 less it. Example: `0084575948`. Source: Civil Registration.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ir.nid",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["999-999999-9"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["کد ملی", "شماره ملی", "کدملی", "code melli", "kod melli"],
    examples: &["0084575948"],
};

fn check(id: &[u8]) -> bool {
    let rest = weighted(id, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    (if rest < 2 { rest } else { 11 - rest }) == digit(id, 9) && !is_repetition(id)
}
