//! United Kingdom: National Insurance number.
//!
//! Issuer: HMRC. Positions: two letters (not D, F, I, Q, U, V; the second not O), six digits, A to D. Check rule:
//! no check; BG, GB, KN, NK, NT, TN and ZZ are not issued. Example: `AB123456C`. Source: HMRC, NIM39110.

use cloakgate_vocab::Category;

use super::super::arithmetic::byte;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gb.nino",
    category: Category::NationalId,
    shapes: &["AA999999A"],
    grouped: &["AA 99 99 99 A", "AA 999999 A", "AA-99-99-99-A", "AA 999 999 A"],
    odds: 12,
    alone: Alone::Grouped,
    check,
    cues: &[
        "national insurance number",
        "ni number",
        "nino",
        "ni no",
        "national insurance",
        "national insurance no",
        "ni nr",
    ],
    examples: &["AB123456C", "JG103759A"],
};

fn check(id: &[u8]) -> bool {
    let (first, second) = (byte(id, 0), byte(id, 1));
    !b"DFIQUV".contains(&first)
        && !b"DFIQUVO".contains(&second)
        && ![*b"BG", *b"GB", *b"KN", *b"NK", *b"NT", *b"TN", *b"ZZ"].contains(&[first, second])
        && matches!(byte(id, 8), b'A'..=b'D')
}
