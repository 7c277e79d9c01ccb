//! Latvia: personas kods.
//!
//! Issuer: Fizisko personu reģistrs. Positions: 1-6 birth date (day, month, year), 7 century, 8-10 serial, 11
//! check; since 2017 `32` and nine digits. Check rule: weights 10 5 8 4 2 1 6 3 7 9: 1 plus the sum mod 11 mod 10.
//! Example: `16117519997`. Source: Law on the register of persons.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_ddmmyy, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "lv.pk",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999999-99999"],
    odds: 250,
    alone: Alone::Never,
    check,
    cues: &["personas kods", "personas kodu", "pers. kods"],
    examples: &["16117519997"],
};

fn check(id: &[u8]) -> bool {
    (number(id, 0, 2) == 32 || is_ddmmyy(id, 0))
        && (1 + weighted(id, &[10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11 % 10 == digit(id, 10)
}
