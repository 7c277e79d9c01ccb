//! Peru: RUC.
//!
//! Issuer: SUNAT. Positions: 1-2 kind (10, 15, 16, 17, 20), eight digits, one check digit. Check rule: weights 5 4
//! 3 2 7 6 5 4 3 2, 11 less the sum mod 11, mod 10. Example: `10949225050`. Source: SUNAT.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pe.ruc",
    category: Category::TaxId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 200,
    alone: Alone::Never,
    check,
    cues: &["ruc", "r.u.c.", "ruc perú", "ruc nº", "número de ruc"],
    examples: &["10949225050", "10987189253"],
};

fn check(id: &[u8]) -> bool {
    matches!(number(id, 0, 2), 10 | 15 | 16 | 17 | 20)
        && (11 - weighted(id, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 10 == digit(id, 10)
}
