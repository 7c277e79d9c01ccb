//! Thailand: เลขประจำตัวประชาชน.
//!
//! Issuer: Department of Provincial Administration. Positions: 1 kind, 2-5 district, 6-10 book, 11-12 serial, 13
//! check. Check rule: weights 13 to 2, 11 less the sum mod 11, mod 10. Example: `1659331875358`. Source: Civil
//! Registration Act.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "th.pin",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["9-9999-99999-99-9", "9 9999 99999 99 9"],
    odds: 12,
    alone: Alone::Grouped,
    check,
    cues: &[
        "เลขประจำตัวประชาชน",
        "บัตรประชาชน",
        "เลขบัตรประชาชน",
        "เลขที่บัตรประชาชน",
        "thai id",
        "thai national id",
        "citizen id",
    ],
    examples: &["1659331875358", "4587168612334"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 1..=8)
        && (11 - weighted(id, &[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 10 == digit(id, 12)
        && !is_repetition(id)
}
