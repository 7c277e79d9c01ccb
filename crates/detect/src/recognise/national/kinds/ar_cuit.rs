//! Argentina: CUIT, CUIL.
//!
//! Issuer: ARCA (AFIP). Positions: 1-2 kind, 3-10 document, 11 check. Check rule: weights 5 4 3 2 7 6 5 4 3 2, 11
//! less the sum mod 11, 10 is 9, 11 is 0. Example: `20893878077`. Source: RG 1817.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ar.cuit",
    category: Category::TaxId,
    shapes: &["99999999999"],
    grouped: &["99-99999999-9", "99 99999999 9"],
    odds: 140,
    alone: Alone::Grouped,
    check,
    cues: &["cuit", "cuil", "cuit/cuil", "c.u.i.t.", "c.u.i.l."],
    examples: &["20893878077", "20407487665"],
};

fn check(id: &[u8]) -> bool {
    matches!(number(id, 0, 2), 20 | 23 | 24 | 25 | 26 | 27 | 30 | 33 | 34 | 50 | 51 | 55)
        && (match 11 - weighted(id, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11 {
            10 => 9,
            check => check % 11,
        }) == digit(id, 10)
}
