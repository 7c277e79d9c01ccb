//! Poland: REGON.
//!
//! Issuer: Główny Urząd Statystyczny. Positions: eight digits and a check digit, for branches four more and another
//! check digit. Check rule: weights 8 9 2 3 4 5 6 7, and 2 4 8 5 0 9 7 3 6 1 2 4 8, the sum mod 11 mod 10. Example:
//! `458786460`. Source: Rozporządzenie of 30 November 2015.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pl.regon",
    category: Category::TaxId,
    shapes: &["999999999", "99999999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["regon", "numer regon", "nr regon"],
    examples: &["458786460", "710255420"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[8, 9, 2, 3, 4, 5, 6, 7]) % 11 % 10 == digit(id, 8)
        && (id.len() == 9
            || weighted(id, &[2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]) % 11 % 10 == digit(id, 13))
        && !is_repetition(id)
}
