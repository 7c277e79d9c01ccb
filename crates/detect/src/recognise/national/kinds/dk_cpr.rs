//! Denmark: CPR-nummer.
//!
//! Issuer: Det Centrale Personregister. Positions: 1-6 birth date (day, month, year), 7-10 serial. Check rule: date
//! alone: since 2007 the check over weights 4 3 2 7 6 5 4 3 2 1 is not kept. Example: `0707614285`. Source:
//! CPR-kontoret, Personnummeret i CPR.

use cloakgate_vocab::Category;

use super::super::arithmetic::is_ddmmyy;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "dk.cpr",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["999999-9999", "999999 9999"],
    odds: 27,
    alone: Alone::Never,
    check,
    cues: &["cpr", "cpr-nummer", "cpr nummer", "cprnr", "cpr-nr", "personnummer", "cpr nr"],
    examples: &["0707614285", "2110625629"],
};

fn check(id: &[u8]) -> bool {
    is_ddmmyy(id, 0)
}
