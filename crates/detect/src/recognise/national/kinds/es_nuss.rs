//! Spain: número de afiliación a la Seguridad Social.
//!
//! Issuer: Tesorería General de la Seguridad Social. Positions: 1-2 province, 3-10 serial, 11-12 check digits.
//! Check rule: province and serial as one number mod 97 (a serial below ten million is put after the province
//! without its zero). Example: `281234567840`. Source: Real Decreto 84/1996.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "es.nuss",
    category: Category::HealthId,
    shapes: &["999999999999"],
    grouped: &["99 99999999 99", "99/99999999/99", "99 9999999999", "99-99999999-99", "99/9999999999"],
    odds: 97,
    alone: Alone::Grouped,
    check,
    cues: &[
        "nuss",
        "nass",
        "número de la seguridad social",
        "número de seguridad social",
        "nº seguridad social",
        "núm. seguridad social",
        "nº ss",
        "numero de la seguridad social",
    ],
    examples: &["281234567840"],
};

fn check(id: &[u8]) -> bool {
    let serial = number(id, 2, 8);
    let base = if serial < 10_000_000 { number(id, 0, 2) * 10_000_000 + serial } else { number(id, 0, 10) };
    base % 97 == number(id, 10, 2) && (1..=66).contains(&number(id, 0, 2))
}
