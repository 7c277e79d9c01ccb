//! Mexico: número de seguridad social.
//!
//! Issuer: IMSS. Positions: ten digits, one check digit. Check rule: Luhn's rule. Example: `12345678903`. Source:
//! IMSS.

use cloakgate_vocab::Category;

use super::super::arithmetic::luhn;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "mx.nss",
    category: Category::HealthId,
    shapes: &["99999999999"],
    grouped: &["99-99-99-9999-9", "99 99 99 9999 9"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["nss", "número de seguridad social imss", "nss imss"],
    examples: &["12345678903"],
};

fn check(id: &[u8]) -> bool {
    luhn(id)
}
