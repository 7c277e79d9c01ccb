//! Luxembourg: matricule, numéro d'identification national.
//!
//! Issuer: Registre national des personnes physiques. Positions: 1-8 birth date, 9-11 serial, 12 and 13 check
//! digits. Check rule: Luhn's rule over the first twelve, Verhoeff's over the first eleven and the last. Example:
//! `1984031212313`. Source: Law of 19 June 2013.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_yyyymmdd, luhn, part, verhoeff};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "lu.matricule",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["9999 99 99 99999", "99999999 99999"],
    odds: 100000,
    alone: Alone::Always,
    check,
    cues: &[
        "matricule national",
        "numéro d'identification national",
        "matricule luxembourg",
        "matricule",
        "national identification number lu",
    ],
    examples: &["1984031212313"],
};

fn check(id: &[u8]) -> bool {
    is_yyyymmdd(id, 0) && luhn(part(id, 0, 12)) && verhoeff(&[part(id, 0, 11), part(id, 12, 1)].concat())
}
