//! Brazil: PIS, PASEP, NIT.
//!
//! Issuer: Caixa. Positions: ten digits, one check digit. Check rule: weights 3 2 9 8 7 6 5 4 3 2, 11 less the sum
//! mod 11, 10 and 11 are 0. Example: `12056413479`. Source: Caixa, cadastro NIS.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "br.pis",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["999.99999.99-9", "999.99999.99/9"],
    odds: 10,
    alone: Alone::Grouped,
    check,
    cues: &["pasep", "pis/pasep", "número pis", "pis número"],
    examples: &["12056413479"],
};

fn check(id: &[u8]) -> bool {
    (11 - weighted(id, &[3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11 % 10 == digit(id, 10) && !is_repetition(id)
}
