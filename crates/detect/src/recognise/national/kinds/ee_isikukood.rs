//! Estonia: isikukood.
//!
//! Issuer: population register. Positions: 1 sex and century, 2-7 birth date, 8-10 serial, 11 check. Check rule:
//! weights 1 2 3 4 5 6 7 8 9 1 mod 11; when that is 10, weights 3 4 5 6 7 8 9 1 2 3; when that is 10 too, 0.
//! Example: `24410153688`. Source: EVS 585.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ee.isikukood",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 300,
    alone: Alone::Never,
    check,
    cues: &["isikukood", "isikukoodi", "personal code ee", "id-kood"],
    examples: &["24410153688", "70811233979"],
};

fn check(id: &[u8]) -> bool {
    (1..=8).contains(&digit(id, 0)) && is_yymmdd(id, 1) && two_pass(id)
}

/// The check that Estonia and Lithuania share.
pub(super) fn two_pass(id: &[u8]) -> bool {
    let first = weighted(id, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
    let second = weighted(id, &[3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
    let check = if first < 10 { first } else { second % 10 };
    check == digit(id, 10)
}
