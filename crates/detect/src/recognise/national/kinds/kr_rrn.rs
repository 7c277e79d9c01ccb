//! South Korea: 주민등록번호.
//!
//! Issuer: Ministry of the Interior and Safety. Positions: 1-6 birth date, 7 century and sex, 8-12 place and
//! serial, 13 check (random since October 2020). Check rule: weights 2 3 4 5 6 7 8 9 2 3 4 5, 11 less the sum mod
//! 11, mod 10; numbers of foreigners take 13 less. Example: `4305154437376`. Source: 주민등록법 시행규칙.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "kr.rrn",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["999999-9999999", "999999 9999999"],
    odds: 400,
    alone: Alone::Grouped,
    check,
    cues: &["주민등록번호", "주민번호", "외국인등록번호", "rrn", "resident registration number"],
    examples: &["4305154437376", "7312094759341"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(id, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
    let check = digit(id, 12);
    is_yymmdd(id, 0)
        && ((11 - sum) % 10 == check || (matches!(digit(id, 6), 5..=8) && (13 - sum) % 10 == check))
}
