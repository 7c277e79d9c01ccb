//! South Korea: 사업자등록번호.
//!
//! Issuer: National Tax Service. Positions: nine digits, one check digit. Check rule: weights 1 3 7 1 3 7 1 3 5 and
//! the tens of five times digit nine, ten less the sum mod 10. Example: `1208199994`. Source: 부가가치세법.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "kr.brn",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &["999-99-99999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["사업자등록번호", "사업자번호", "brn kr"],
    examples: &["1208199994"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(id, &[1, 3, 7, 1, 3, 7, 1, 3, 5]) + digit(id, 8) * 5 / 10;
    (10 - sum % 10) % 10 == digit(id, 9)
}
