//! Egypt: الرقم القومي.
//!
//! Issuer: Ministry of Interior. Positions: 1 century (2 or 3), 2-7 birth date, 8-9 governorate, 10-13 serial, 14
//! check. Check rule: date and governorate. Example: `28403120112345`. Source: Law 143/1994.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "eg.nid",
    category: Category::NationalId,
    shapes: &["99999999999999"],
    grouped: &[],
    odds: 250,
    alone: Alone::Never,
    check,
    cues: &["الرقم القومي", "رقم قومي", "رقم البطاقة", "egyptian national id"],
    examples: &["28403120112345"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 2 | 3)
        && is_yymmdd(id, 1)
        && matches!(number(id, 7, 2), 1..=4 | 11..=19 | 21..=29 | 31..=35 | 88)
}
