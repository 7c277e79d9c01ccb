//! India: GSTIN.
//!
//! Issuer: GST Network. Positions: 1-2 state, 3-12 PAN, 13 registration, 14 Z, 15 check. Check rule: weights 1 and
//! 2 in turn over 0-9 A-Z, products as quotient and rest of 36, mod 36. Example: `27AAPFU0939F1ZV`. Source: CGST
//! Rules.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "in.gstin",
    category: Category::TaxId,
    shapes: &["99AAAAA9999A*Z*"],
    grouped: &[],
    odds: 1000,
    alone: Alone::Always,
    check,
    cues: &["gstin", "gst number", "gst no", "gstin no"],
    examples: &["27AAPFU0939F1ZV"],
};

fn check(id: &[u8]) -> bool {
    let term = |place: usize| {
        let product = letter_value(byte(id, place)) * if place.is_multiple_of(2) { 1 } else { 2 };
        product / 36 + product % 36
    };
    (1..=38).contains(&number(id, 0, 2))
        && (36 - (0..14).map(term).sum::<u32>() % 36) % 36 == letter_value(byte(id, 14))
}
