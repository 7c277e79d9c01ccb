//! Croatia: OIB.
//!
//! Issuer: Porezna uprava. Positions: ten digits, one check digit. Check rule: ISO 7064 MOD 11,10. Example:
//! `47073690599`. Source: Law on OIB (2008).

use cloakgate_vocab::Category;

use super::super::arithmetic::{mod_11_10, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hr.oib",
    category: Category::NationalId,
    shapes: &["99999999999", "HR99999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["oib", "osobni identifikacijski broj"],
    examples: &["47073690599", "40547924529"],
};

fn check(id: &[u8]) -> bool {
    mod_11_10(part(id, id.len().saturating_sub(11), 11))
}
