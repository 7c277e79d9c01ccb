//! Belgium: Rijksregisternummer, numéro de registre national.
//!
//! Issuer: Rijksregister. Positions: 1-6 birth date (year, month, day; months plus 20 or 40 for others than
//! citizens), 7-9 serial, 10-11 check. Check rule: 97 less the first nine digits mod 97; a 2 is put before them for
//! births from 2000 on. Example: `97041689511`. Source: Royal decree of 3 April 1984.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "be.nn",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &["99.99.99-999.99", "999999-999-99", "999999 999 99", "99.99.99-999-99"],
    odds: 1500,
    alone: Alone::Grouped,
    check,
    cues: &[
        "rijksregisternummer",
        "rijksregister",
        "insz",
        "insz-nummer",
        "registre national",
        "numéro national",
        "numéro de registre national",
        "niss",
        "bis-nummer",
        "nationaal nummer",
    ],
    examples: &["97041689511", "06090761939"],
};

fn check(id: &[u8]) -> bool {
    let base = number(id, 0, 9);
    let check = number(id, 9, 2);
    let month = number(id, 2, 2) % 20;
    month <= 12
        && number(id, 2, 2) < 60
        && number(id, 4, 2) <= 31
        && (97 - base % 97 == check || 97 - (2_000_000_000 + base) % 97 == check)
}
