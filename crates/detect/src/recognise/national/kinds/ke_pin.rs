//! Kenya: KRA PIN.
//!
//! Issuer: Kenya Revenue Authority. Positions: A or P, nine digits, one letter. Check rule: classes by place.
//! Example: `A001234567B`. Source: KRA.

use cloakgate_vocab::Category;

use super::super::arithmetic::byte;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ke.pin",
    category: Category::TaxId,
    shapes: &["A999999999A"],
    grouped: &[],
    odds: 13,
    alone: Alone::Never,
    check,
    cues: &["kra pin", "pin kra", "kra pin no"],
    examples: &["A001234567B"],
};

fn check(id: &[u8]) -> bool {
    matches!(byte(id, 0), b'A' | b'P')
}
