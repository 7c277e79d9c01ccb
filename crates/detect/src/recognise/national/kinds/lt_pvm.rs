//! Lithuania: PVM mokėtojo kodas.
//!
//! Issuer: VMI. Positions: `LT`, nine or twelve digits, the last but one 1, the last a check digit. Check rule:
//! weights 1 to 9 in turn mod 11; when that is 10, weights from 3 on. Example: `LT185959716`. Source: VMI.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "lt.pvm",
    category: Category::TaxId,
    shapes: &["LT999999999", "LT999999999999"],
    grouped: &[],
    odds: 3000,
    alone: Alone::Always,
    check,
    cues: &["pvm kodas", "pvm mokėtojo kodas"],
    examples: &["LT185959716", "LT266353316"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, 2, id.len().saturating_sub(2));
    let last = tail.len().saturating_sub(1);
    let sum = |from: u32| {
        (0..last)
            .map(|place| digit(tail, place) * ((u32::try_from(place).unwrap_or(0) + from) % 9 + 1))
            .sum::<u32>()
            % 11
    };
    let check = if sum(0) == 10 { sum(2) % 10 } else { sum(0) };
    digit(tail, last.saturating_sub(1)) == 1 && check == digit(tail, last)
}
