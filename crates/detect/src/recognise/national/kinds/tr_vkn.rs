//! Türkiye: vergi kimlik numarası.
//!
//! Issuer: Gelir İdaresi. Positions: nine digits, one check digit. Check rule: each digit plus nine less its place,
//! mod 10, times a power of two mod 9. Example: `8564292729`. Source: Gelir İdaresi Başkanlığı.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "tr.vkn",
    category: Category::TaxId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["vkn", "vergi kimlik numarası", "vergi no", "vergi numarası", "vergi kimlik no"],
    examples: &["8564292729", "1649587792"],
};

fn check(id: &[u8]) -> bool {
    let term = |place: usize| {
        let power = 9 - u32::try_from(place).unwrap_or(0);
        let value = (digit(id, place) + power) % 10;
        let product = value * (1 << power) % 9;
        if value != 0 && product == 0 { 9 } else { product }
    };
    (10 - (0..9).map(term).sum::<u32>() % 10) % 10 == digit(id, 9)
}
