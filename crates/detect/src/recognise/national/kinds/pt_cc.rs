//! Portugal: cartão de cidadão.
//!
//! Issuer: Instituto dos Registos e do Notariado. Positions: eight digits, one check digit, two letters of the
//! version, one check digit. Check rule: from the right each second character doubled, less 9 when above 9; letters
//! from A = 10; the sum is a multiple of ten. Example: `396964859R99`. Source: Portaria 203/2007.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pt.cc",
    category: Category::NationalId,
    shapes: &["999999999**9"],
    grouped: &["99999999 9 **9", "99999999-9**9", "99999999 9**9"],
    odds: 60,
    alone: Alone::Grouped,
    check,
    cues: &[
        "cartão de cidadão",
        "cartao de cidadao",
        "número do cartão de cidadão",
        "nº cc",
        "cc nº",
        "n.º cc",
        "número de cidadão",
    ],
    examples: &["396964859R99", "937788390DR8"],
};

fn check(id: &[u8]) -> bool {
    let doubled = |value: u32| if value * 2 > 9 { value * 2 - 9 } else { value * 2 };
    byte(id, 9).is_ascii_alphabetic()
        && id
            .iter()
            .rev()
            .enumerate()
            .map(
                |(place, byte)| {
                    if !place.is_multiple_of(2) { doubled(letter_value(*byte)) } else { letter_value(*byte) }
                },
            )
            .sum::<u32>()
            .is_multiple_of(10)
}
