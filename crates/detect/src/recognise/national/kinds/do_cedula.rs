//! Dominican Republic: cédula.
//!
//! Issuer: Junta Central Electoral. Positions: ten digits, one check digit. Check rule: Luhn's rule. Example:
//! `20668561762`. Source: JCE.

use cloakgate_vocab::Category;

use super::super::arithmetic::luhn;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "do.cedula",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999-9999999-9"],
    odds: 10,
    alone: Alone::Grouped,
    check,
    cues: &["cédula de identidad y electoral", "cédula dominicana", "cédula"],
    examples: &["20668561762", "16458765738"],
};

fn check(id: &[u8]) -> bool {
    luhn(id)
}
