//! Mexico: CLABE.
//!
//! Issuer: Asociación de Bancos de México. Positions: 1-3 bank, 4-6 place, 7-17 account, 18 check. Check rule:
//! weights 3 7 1 in turn, each product mod 10, ten less the sum mod 10. Example: `032180000118359719`. Source: ABM.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "mx.clabe",
    category: Category::BankAccount,
    shapes: &["999999999999999999"],
    grouped: &["999 999 99999999999 9"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["clabe", "clabe interbancaria", "cuenta clabe"],
    examples: &["032180000118359719"],
};

fn check(id: &[u8]) -> bool {
    let sum: u32 = [3, 7, 1]
        .into_iter()
        .cycle()
        .take(17)
        .enumerate()
        .map(|(place, weight)| digit(id, place) * weight % 10)
        .sum();
    (10 - sum % 10) % 10 == digit(id, 17)
}
