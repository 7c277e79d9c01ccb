//! Argentina: CBU.
//!
//! Issuer: Banco Central. Positions: 1-3 bank, 4-7 office, 8 check, 9-21 account, 22 check. Check rule: weights 7 1
//! 3 9 in turn from the left, and 3 9 7 1 in turn over the account: ten less the sum mod 10. Example:
//! `5533601912314278130895`. Source: BCRA, SINAP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ar.cbu",
    category: Category::BankAccount,
    shapes: &["9999999999999999999999"],
    grouped: &["99999999 99999999999999"],
    odds: 100,
    alone: Alone::Never,
    check,
    cues: &["cbu", "clave bancaria uniforme"],
    examples: &["5533601912314278130895", "1361220777359761052008"],
};

fn check(id: &[u8]) -> bool {
    let sum = |from: usize, weights: [u32; 4], skip: usize, len: usize| {
        (0..len)
            .map(|place| digit(id, from + place) * weights.get((place + skip) % 4).copied().unwrap_or(0))
            .sum::<u32>()
    };
    (10 - sum(0, [7, 1, 3, 9], 0, 7) % 10) % 10 == digit(id, 7)
        && (10 - sum(8, [3, 9, 7, 1], 0, 13) % 10) % 10 == digit(id, 21)
        && !is_repetition(id)
}
