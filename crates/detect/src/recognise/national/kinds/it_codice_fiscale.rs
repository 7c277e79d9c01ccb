//! Italy: codice fiscale.
//!
//! Issuer: Agenzia delle Entrate. Positions: 1-3 surname, 4-6 name, 7-8 year, 9 month letter, 10-11 day (plus 40
//! for women), 12-15 place, 16 check; digits may be letters of LMNPQRSTUV. Check rule: characters in even places by
//! value, in odd places by a table, the sum mod 26. Example: `RSSMRA85T10A562S`. Source: Decree of 23 December
//! 1976.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "it.codice_fiscale",
    category: Category::NationalId,
    shapes: &["AAAAAA**A**A***A"],
    grouped: &["AAA AAA **A** A***A", "AAAAAA **A** A***A"],
    odds: 50000,
    alone: Alone::Always,
    check,
    cues: &[
        "codice fiscale",
        "cod. fiscale",
        "c.f.",
        "cod fiscale",
        "cod. fisc.",
        "codicefiscale",
        "codice fiscale n.",
    ],
    examples: &["RSSMRA85T10A562S"],
};

fn check(id: &[u8]) -> bool {
    is_written(id) && sum(id) % 26 + 10 == letter_value(byte(id, 15))
}

/// Digits, or the letters that replace them when two people would have one number; month and day.
fn is_written(id: &[u8]) -> bool {
    let value = |place: usize| match byte(id, place) {
        digit if digit.is_ascii_digit() => Some(u32::from(digit - b'0')),
        letter => (0..).zip(b"LMNPQRSTUV").find(|(_, other)| **other == letter).map(|(value, _)| value),
    };
    let day = value(9).zip(value(10)).map_or(0, |(tens, ones)| (10 * tens + ones) % 40);
    let places = [6, 7, 12, 13, 14].into_iter().all(|place| value(place).is_some());
    places && (1..=31).contains(&day) && b"ABCDEHLMPRST".contains(&byte(id, 8))
}

/// Characters of odd places count by a table, those of even places by their value.
fn sum(id: &[u8]) -> u32 {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let value = |byte: u8| letter_value(byte) - if byte.is_ascii_digit() { 0 } else { 10 };
    let odd = |byte: u8| ODD.get(usize::try_from(value(byte)).unwrap_or(0)).copied().unwrap_or(0);
    part(id, 0, 15)
        .iter()
        .enumerate()
        .map(|(place, byte)| if place.is_multiple_of(2) { odd(*byte) } else { value(*byte) })
        .sum()
}
