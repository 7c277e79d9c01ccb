//! Switzerland: Unternehmens-Identifikationsnummer.
//!
//! Issuer: Bundesamt für Statistik. Positions: `CHE`, eight digits, one check digit. Check rule: weights 5 4 3 2 7
//! 6 5 4, 11 less the sum mod 11. Example: `CHE789503602`. Source: UIDV (2011).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ch.uid",
    category: Category::TaxId,
    shapes: &["CHE999999999"],
    grouped: &["CHE-999.999.999", "CHE 999.999.999"],
    odds: 5000,
    alone: Alone::Always,
    check,
    cues: &["uid nummer", "uid-nummer", "numéro ide", "numero idi", "mwst-nummer", "mwst-nr"],
    examples: &["CHE789503602", "CHE099977441"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, 3, 9);
    (weighted(tail, &[5, 4, 3, 2, 7, 6, 5, 4]) + digit(tail, 8)).is_multiple_of(11)
}
