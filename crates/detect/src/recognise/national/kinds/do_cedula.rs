//! Dominican Republic: cédula.
//!
//! Issuer: Junta Central Electoral. Positions: ten digits, one check digit. Check rule: Luhn's rule. Example:
//! `79131253373`. Source: JCE.

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
    examples: &["79131253373", "47115031008"],
};

fn check(id: &[u8]) -> bool {
    luhn(id)
}
