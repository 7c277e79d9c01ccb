//! Bulgaria: ЕГН, the uniform civil number.
//!
//! Issuer: GRAO register. Positions: 1-6 birth date (months plus 20 before 1900, plus 40 from 2000 on), 7-9 region
//! and sex, 10 check. Check rule: weights 2 4 8 5 10 9 7 3 6, the sum mod 11 mod 10. Example: `3048121404`. Source:
//! Ordinance RD-02-20-9 (2012).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_day, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "bg.egn",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 250,
    alone: Alone::Never,
    check,
    cues: &["егн", "egn", "единен граждански номер", "edinen grazhdanski nomer"],
    examples: &["3048121404", "4223084410"],
};

fn check(id: &[u8]) -> bool {
    let month = number(id, 2, 2);
    is_day(month % 20, number(id, 4, 2))
        && month < 60
        && weighted(id, &[2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11 % 10 == digit(id, 9)
}
