//! Kazakhstan: ЖСН, ИИН.
//!
//! Issuer: ministry of justice. Positions: 1-6 birth date, 7 century and sex, 8-11 serial, 12 check. Check rule:
//! weights 1 to 11 mod 11; when that is 10, weights 3 to 11 then 1 and 2. Example: `880418300123`. Source: Law on
//! national registers.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "kz.iin",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &[],
    odds: 270,
    alone: Alone::Never,
    check,
    cues: &["иин", "жсн", "iin", "индивидуальный идентификационный номер"],
    examples: &["880418300123"],
};

fn check(id: &[u8]) -> bool {
    let first = weighted(id, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11;
    let second = weighted(id, &[3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11;
    is_yymmdd(id, 0)
        && matches!(digit(id, 6), 0..=6)
        && (if first == 10 { second } else { first }) == digit(id, 11)
}
