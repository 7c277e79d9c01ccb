//! Norway: fødselsnummer.
//!
//! Issuer: Skatteetaten. Positions: 1-6 birth date (day plus 40 for D numbers, month plus 40 or 80 for others), 7-9
//! serial, 10 and 11 check digits. Check rule: weights 3 7 6 1 8 9 4 5 2 1, and 5 4 3 2 7 6 5 4 3 2 1: both sums
//! are multiples of 11. Example: `11415437317`. Source: Folkeregisterforskriften.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_day, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "no.fnr",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999999 99999", "999999-99999"],
    odds: 3000,
    alone: Alone::Never,
    check,
    cues: &["fødselsnummer", "fodselsnummer", "fødselsnr", "personnummer", "d-nummer", "fnr", "f.nr"],
    examples: &["11415437317", "11482039652"],
};

fn check(id: &[u8]) -> bool {
    is_day(number(id, 2, 2) % 40, number(id, 0, 2) % 40)
        && weighted(id, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
        && weighted(id, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}
