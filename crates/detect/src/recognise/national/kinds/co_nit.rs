//! Colombia: NIT.
//!
//! Issuer: DIAN. Positions: nine digits, one check digit. Check rule: weights 3 7 13 17 19 23 29 37 41 from the
//! right, the sum mod 11, from 2 on 11 less it. Example: `8792580283`. Source: DIAN, Orden Administrativa 4.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "co.nit",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &["999.999.999-9"],
    odds: 11,
    alone: Alone::Grouped,
    check,
    cues: &["nit", "n.i.t.", "número de identificación tributaria", "rut colombia"],
    examples: &["8792580283", "9489704218"],
};

fn check(id: &[u8]) -> bool {
    let rest = weighted(id, &[41, 37, 29, 23, 19, 17, 13, 7, 3]) % 11;
    (if rest < 2 { rest } else { 11 - rest }) == digit(id, 9)
}
