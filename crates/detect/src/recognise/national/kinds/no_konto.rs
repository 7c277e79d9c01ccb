//! Norway: kontonummer.
//!
//! Issuer: Finans Norge. Positions: 1-4 bank, 5-6 group, 7-10 customer, 11 check. Check rule: weights 5 4 3 2 7 6 5
//! 4 3 2, 11 less the sum mod 11. Example: `45831424544`. Source: Bits, kontonummer.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "no.konto",
    category: Category::BankAccount,
    shapes: &["99999999999"],
    grouped: &["9999.99.99999", "9999 99 99999"],
    odds: 11,
    alone: Alone::Grouped,
    check,
    cues: &["kontonummer", "kontonr", "konto nr", "bankkonto"],
    examples: &["45831424544", "32680224985"],
};

fn check(id: &[u8]) -> bool {
    (weighted(id, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) + digit(id, 10)).is_multiple_of(11) && !is_repetition(id)
}
