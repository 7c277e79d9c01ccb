//! New Zealand: NHI number.
//!
//! Issuer: Ministry of Health. Positions: three letters (no I, O), three digits, one check digit; since 2022 two
//! digits and two letters. Check rule: letters by place among 24, weights 7 to 2, 11 less the sum mod 11, 10 is 0.
//! Example: `ZAC5361`. Source: HISO 10046.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, letter_value};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "nz.nhi",
    category: Category::HealthId,
    shapes: &["AAA9999", "AAA99AA"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["nhi", "nhi number", "national health index", "nhi no"],
    examples: &["ZAC5361"],
};

fn check(id: &[u8]) -> bool {
    const LETTERS: &[u8; 24] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
    let value = |byte: u8| {
        if byte.is_ascii_digit() {
            letter_value(byte)
        } else {
            (1_u32..).zip(LETTERS).find(|(_, other)| **other == byte).map_or(99, |(value, _)| value)
        }
    };
    let sum: u32 = id.iter().zip([7, 6, 5, 4, 3, 2]).map(|(byte, weight)| value(*byte) * weight).sum();
    if byte(id, 6).is_ascii_digit() {
        !sum.is_multiple_of(11) && (11 - sum % 11) % 10 == digit(id, 6)
    } else {
        24 - sum % 24 == value(byte(id, 6))
    }
}
