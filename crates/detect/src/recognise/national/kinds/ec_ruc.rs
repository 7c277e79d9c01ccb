//! Ecuador: RUC.
//!
//! Issuer: SRI. Positions: cédula of a person and 001, or a number of a company. Check rule: Luhn's rule over the
//! first ten. Example: `1710034065001`. Source: SRI.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ec.ruc",
    category: Category::TaxId,
    shapes: &["9999999999999"],
    grouped: &[],
    odds: 2000,
    alone: Alone::Never,
    check,
    cues: &["ruc ecuador", "ruc", "r.u.c."],
    examples: &["1710034065001"],
};

fn check(id: &[u8]) -> bool {
    number(id, 10, 3) == 1
        && (matches!(number(id, 0, 2), 1..=24 | 30))
        && digit(id, 2) < 6
        && luhn(part(id, 0, 10))
}
