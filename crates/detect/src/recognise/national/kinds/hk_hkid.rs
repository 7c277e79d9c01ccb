//! Hong Kong: identity card number.
//!
//! Issuer: Immigration Department. Positions: one or two letters, six digits, one check digit or A. Check rule:
//! letters from A = 10, blank as 36, weights 9 8 7 6 5 4 3 2, 11 less the sum mod 11. Example: `A123456(3)`.
//! Source: Immigration Department, HKID.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value, part, weighted_letters};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "hk.hkid",
    category: Category::NationalId,
    shapes: &["A9999999", "AA9999999", "A999999A"],
    grouped: &["A999999(9)", "AA999999(9)", "A999999(A)"],
    odds: 11,
    alone: Alone::Grouped,
    check,
    cues: &["hkid", "hkid no", "hong kong identity card", "香港身份證", "香港身份證號碼", "hkid number"],
    examples: &["A123456(3)"],
};

fn check(id: &[u8]) -> bool {
    let letters = id.len().saturating_sub(7);
    let first = if letters == 2 { letter_value(byte(id, 0)) } else { 36 };
    let body = part(id, letters.saturating_sub(1), 7);
    let check = match byte(id, id.len() - 1) {
        b'A' => 10,
        last => letter_value(last),
    };
    (first * 9 + weighted_letters(body, &[8, 7, 6, 5, 4, 3, 2]) + check).is_multiple_of(11)
}
