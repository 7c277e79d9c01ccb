//! Russia: ИНН.
//!
//! Issuer: Federal tax service. Positions: ten digits of a company, twelve of a person; the last one or two are
//! check digits. Check rule: weights 2 4 10 3 5 9 4 6 8; for persons 7 2 4 10 3 5 9 4 6 8 and 3 7 2 4 10 3 5 9 4 6
//! 8; sums mod 11 mod 10. Example: `2213069032`. Source: Order ED-7-14/559 (2020).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ru.inn",
    category: Category::TaxId,
    shapes: &["9999999999", "999999999999"],
    grouped: &[],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["инн", "inn", "инн физического лица", "идентификационный номер налогоплательщика"],
    examples: &["2213069032", "2688753607"],
};

fn check(id: &[u8]) -> bool {
    if id.len() == 10 {
        weighted(id, &[2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11 % 10 == digit(id, 9) && number(id, 0, 2) > 0
    } else {
        is_person(id)
    }
}

/// Twelve digits, two of which are checks.
fn is_person(id: &[u8]) -> bool {
    weighted(id, &[7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11 % 10 == digit(id, 10)
        && weighted(id, &[3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11 % 10 == digit(id, 11)
        && number(id, 0, 2) > 0
}
