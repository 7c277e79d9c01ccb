//! Vehicles: VIN, chassis number.
//!
//! Issuer: ISO 3779, makers. Positions: 1-3 maker, 4-8 description, 9 check, 10 year, 11 plant, 12-17 serial; no I,
//! O, Q. Check rule: letters by value, weights 8 7 6 5 4 3 2 10 0 9 8 7 6 5 4 3 2, the sum mod 11, 10 is X.
//! Example: `1HGCM82633A004352`. Source: 49 CFR 565, ISO 3779.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "vin",
    category: Category::Vehicle,
    shapes: &["************99999"],
    grouped: &[],
    odds: 300,
    alone: Alone::Always,
    check,
    cues: &[
        "vin",
        "vin number",
        "chassis number",
        "vehicle identification number",
        "fahrgestellnummer",
        "numero di telaio",
        "número de bastidor",
        "fin nummer",
    ],
    examples: &["1HGCM82633A004352"],
};

fn check(id: &[u8]) -> bool {
    const VALUES: &[u8; 26] = b"12345678012345070923456789";
    let value = |byte: u8| {
        if byte.is_ascii_digit() {
            letter_value(byte)
        } else {
            VALUES.get(usize::from(byte.wrapping_sub(b'A'))).map_or(0, |value| u32::from(value - b'0'))
        }
    };
    let weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let sum: u32 = id.iter().zip(weights).map(|(byte, weight)| value(*byte) * weight).sum();
    let check = match byte(id, 8) {
        b'X' => 10,
        digit if digit.is_ascii_digit() => letter_value(digit),
        _ => return false,
    };
    !id.iter().any(|byte| b"IOQ".contains(byte))
        && id.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 3
        && sum % 11 == check
}
