//! Hungary: adóazonosító jel.
//!
//! Issuer: NAV. Positions: 8, five digits of the birth date, three of a serial, one check digit. Check rule: each
//! digit times its place, the sum mod 11. Example: `8071592153`. Source: Act CL of 2017.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hu.adoazonosito",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 100,
    alone: Alone::Never,
    check,
    cues: &["adóazonosító jel", "adóazonosító", "adoazonosito jel", "adóazonosító szám"],
    examples: &["8071592153"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) == 8 && weighted(id, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 == digit(id, 9)
}
