//! Ireland: PPS number.
//!
//! Issuer: Department of Social Protection. Positions: seven digits, one check letter, from 2013 on one more
//! letter. Check rule: weights 8 to 2, plus 9 times the second letter (A is 1, W and none are 0), mod 23 (W is 0).
//! Example: `5416222G`. Source: Revenue, PPSN.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, letter_value, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ie.pps",
    category: Category::NationalId,
    shapes: &["9999999A", "9999999AA"],
    grouped: &["9999999 A"],
    odds: 23,
    alone: Alone::Never,
    check,
    cues: &["ppsn", "pps number", "pps no", "personal public service number", "rsi number", "ppsn no"],
    examples: &["5416222G", "1378216S"],
};

fn check(id: &[u8]) -> bool {
    let second = match byte(id, 8) {
        0 | b'W' => 0,
        letter => letter_value(letter) - 9,
    };
    let rest = (weighted(id, &[8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23;
    let letter = letter_value(byte(id, 7)) - 9;
    letter == if rest == 0 { 23 } else { rest }
}
