//! Cyprus: tax identification code.
//!
//! Issuer: tax department. Positions: eight digits, one letter. Check rule: digits in odd places count by a table
//! (1 0 5 7 9 13 15 17 19 21), the others as they are; the sum mod 26 is the letter. Example: `98019881C`. Source:
//! European Commission, TIN portal.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, letter_value, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cy.tic",
    category: Category::TaxId,
    shapes: &["99999999A", "CY99999999A"],
    grouped: &[],
    odds: 26,
    alone: Alone::Never,
    check,
    cues: &["φορολογικός αριθμός", "αριθμός φορολογικής ταυτότητας"],
    examples: &["98019881C", "65461220Q"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(9), 9);
    let odd = |place| {
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
            .get(usize::try_from(digit(tail, place)).unwrap_or(0))
            .copied()
            .unwrap_or(0)
    };
    let sum: u32 = (0..8).map(|place| if place % 2 == 0 { odd(place) } else { digit(tail, place) }).sum();
    sum % 26 + 10 == letter_value(byte(tail, 8))
}
