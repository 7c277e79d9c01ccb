//! Japan: マイナンバー, individual number.
//!
//! Issuer: J-LIS. Positions: eleven digits, one check digit. Check rule: weights 6 5 4 3 2 7 6 5 4 3 2, 11 less the
//! sum mod 11, 10 and 11 are 0. Example: `868390070179`. Source: Order 85 of the Ministry of Internal Affairs
//! (2014).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "jp.my_number",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &["9999 9999 9999", "9999-9999-9999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["マイナンバー", "個人番号", "individual number"],
    examples: &["868390070179", "698725658424"],
};

fn check(id: &[u8]) -> bool {
    (11 - weighted(id, &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11 % 10 == digit(id, 11)
        && !is_repetition(id)
}
