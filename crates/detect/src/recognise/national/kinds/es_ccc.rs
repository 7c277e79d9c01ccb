//! Spain: código cuenta cliente.
//!
//! Issuer: Banco de España. Positions: 1-4 bank, 5-8 office, 9-10 check digits, 11-20 account. Check rule: weights
//! 1 2 4 8 5 10 9 7 3 6 over 00 + bank + office, and over the account: 11 less the sum mod 11 (10 is 1, 11 is 0).
//! Example: `04488533979269590619`. Source: Consejo Superior Bancario.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "es.ccc",
    category: Category::BankAccount,
    shapes: &["99999999999999999999"],
    grouped: &["9999 9999 99 9999999999", "9999-9999-99-9999999999"],
    odds: 121,
    alone: Alone::Grouped,
    check,
    cues: &["ccc", "código cuenta cliente", "número de cuenta", "cuenta bancaria"],
    examples: &["04488533979269590619", "32005004212698282438"],
};

fn check(id: &[u8]) -> bool {
    let check = |sum: u32| match 11 - sum % 11 {
        10 => 1,
        11 => 0,
        value => value,
    };
    check(weighted(part(id, 0, 8), &[4, 8, 5, 10, 9, 7, 3, 6])) == digit(id, 8)
        && check(weighted(part(id, 10, 10), &[1, 2, 4, 8, 5, 10, 9, 7, 3, 6])) == digit(id, 9)
        && !is_repetition(id)
}
