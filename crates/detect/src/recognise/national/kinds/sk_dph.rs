//! Slovakia: IČ DPH, DIČ.
//!
//! Issuer: Finančná správa. Positions: ten digits, the first not 0, the third 2, 3, 4, 7, 8 or 9. Check rule: a
//! multiple of 11. Example: `9777679131`. Source: Act 222/2004.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "sk.dph",
    category: Category::TaxId,
    shapes: &["9999999999", "SK9999999999"],
    grouped: &["SK 9999999999"],
    odds: 20,
    alone: Alone::Never,
    check,
    cues: &["ič dph", "dič sk", "ic dph"],
    examples: &["9777679131", "9741145766"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(10), 10);
    digit(tail, 0) != 0 && matches!(digit(tail, 2), 2..=4 | 7..=9) && number(tail, 0, 10).is_multiple_of(11)
}
