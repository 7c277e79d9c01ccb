//! Brazil: CNPJ.
//!
//! Issuer: Receita Federal. Positions: 1-8 company, 9-12 branch, 13-14 check. Check rule: weights 5 4 3 2 9 8 7 6 5
//! 4 3 2, then with a 6 before them; 11 less the sum mod 11, 10 and 11 are 0. Example: `91912393000165`. Source: IN
//! RFB 2119/2022.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};
use super::br_cpf::two_checks;

pub(super) const KIND: Kind = Kind {
    name: "br.cnpj",
    category: Category::TaxId,
    shapes: &["99999999999999"],
    grouped: &["99.999.999/9999-99", "99 999 999 9999 99"],
    odds: 100,
    alone: Alone::Grouped,
    check,
    cues: &["cnpj", "cnpj nº", "cadastro nacional da pessoa jurídica"],
    examples: &["91912393000165", "16896021000177"],
};

fn check(id: &[u8]) -> bool {
    two_checks(id, &[6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) && number(id, 8, 4) > 0
}
