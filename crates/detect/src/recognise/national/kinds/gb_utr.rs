//! United Kingdom: Unique Taxpayer Reference.
//!
//! Issuer: HMRC. Positions: one check digit, nine digits. Check rule: weights 6 7 8 9 10 5 4 3 2 over digits 2 to
//! 10; the sum mod 11 picks from 21987654321. Example: `1274488557`. Source: HMRC, UTR modulus check.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gb.utr",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &["99999 99999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["utr", "unique taxpayer reference", "utr number", "self assessment utr", "utr no"],
    examples: &["1274488557", "6343113871"],
};

fn check(id: &[u8]) -> bool {
    let rest = usize::try_from(weighted(part(id, 1, 9), &[6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11).unwrap_or(0);
    u32::from(byte(b"21987654321", rest).wrapping_sub(b'0')) == digit(id, 0)
}
