//! Hungary: adószám.
//!
//! Issuer: NAV. Positions: seven digits, one check digit; `-9-99` follows. Check rule: weights 9 7 3 1 9 7 3 1, the
//! sum is a multiple of ten. Example: `12892312`. Source: NAV.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hu.adoszam",
    category: Category::TaxId,
    shapes: &["99999999", "99999999999", "HU99999999"],
    grouped: &["99999999-9-99"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["adószám", "adoszam", "közösségi adószám"],
    examples: &["12892312"],
};

fn check(id: &[u8]) -> bool {
    let tail = if byte(id, 0) == b'H' { part(id, 2, 8) } else { part(id, 0, 8) };
    weighted(tail, &[9, 7, 3, 1, 9, 7, 3, 1]).is_multiple_of(10)
}
