//! Poland: PESEL.
//!
//! Issuer: ministry of digital affairs. Positions: 1-6 birth date (months plus 20 from 2000 on, plus 80 before
//! 1900), 7-10 serial and sex, 11 check. Check rule: weights 1 3 7 9 1 3 7 9 1 3, ten less the sum mod 10. Example:
//! `28680571328`. Source: Act of 24 September 2010.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_day, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pl.pesel",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 250,
    alone: Alone::Never,
    check,
    cues: &["pesel", "numer pesel", "nr pesel"],
    examples: &["28680571328", "20221843440"],
};

fn check(id: &[u8]) -> bool {
    is_day(number(id, 2, 2) % 20, number(id, 4, 2))
        && weighted(id, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}
