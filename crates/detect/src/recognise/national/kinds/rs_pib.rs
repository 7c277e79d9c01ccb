//! Serbia: PIB.
//!
//! Issuer: Poreska uprava. Positions: eight digits, one check digit. Check rule: ISO 7064 MOD 11,10. Example:
//! `762001219`. Source: Law on tax procedure.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, mod_11_10};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "rs.pib",
    category: Category::TaxId,
    shapes: &["999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["pib", "пиб", "poreski identifikacioni broj"],
    examples: &["762001219", "337234352"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) != 0 && mod_11_10(id)
}
