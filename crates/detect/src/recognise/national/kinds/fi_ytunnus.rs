//! Finland: Y-tunnus.
//!
//! Issuer: Patentti- ja rekisterihallitus. Positions: seven digits, one check digit. Check rule: weights 7 9 10 5 8
//! 4 2, 11 less the sum mod 11. Example: `56842186`. Source: PRH, Y-tunnus.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fi.ytunnus",
    category: Category::TaxId,
    shapes: &["99999999", "FI99999999"],
    grouped: &["9999999-9"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["y-tunnus", "ytunnus", "fo-nummer", "alv-numero"],
    examples: &["56842186", "52414301"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(8), 8);
    let rest = weighted(tail, &[7, 9, 10, 5, 8, 4, 2]) % 11;
    rest != 1 && (11 - rest) % 11 == digit(tail, 7)
}
