//! Brazil: CPF.
//!
//! Issuer: Receita Federal. Positions: nine digits, two check digits. Check rule: weights 10 to 2, then 11 to 2
//! over ten digits; 11 less the sum mod 11, 10 and 11 are 0. Example: `02855144825`. Source: IN RFB 1548/2015.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "br.cpf",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999.999.999-99", "999 999 999 99", "999.999.999/99"],
    odds: 100,
    alone: Alone::Grouped,
    check,
    cues: &[
        "cpf",
        "cpf nº",
        "número cpf",
        "cpf/mf",
        "n.º cpf",
        "cadastro de pessoas físicas",
        "número do cpf",
    ],
    examples: &["02855144825", "88967508069"],
};

fn check(id: &[u8]) -> bool {
    two_checks(id, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) && !is_repetition(id)
}

/// Two check digits at the end; the weights are those of the second, the first leaves the foremost out.
pub(super) fn two_checks(id: &[u8], weights: &[u32]) -> bool {
    let expected = |sum: u32| (11 - sum % 11) % 11 % 10;
    let first = expected(weighted(id, weights.get(1..).unwrap_or_default()));
    let second = expected(weighted(id, weights));
    let last = id.len().saturating_sub(1);
    first == digit(id, last.saturating_sub(1)) && second == digit(id, last)
}
