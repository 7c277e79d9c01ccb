//! Belgium: ondernemingsnummer, numéro d'entreprise.
//!
//! Issuer: Kruispuntbank van Ondernemingen. Positions: 0 or 1, seven digits, two check digits. Check rule: 97 less
//! the first eight digits mod 97. Example: `1797515116`. Source: Law of 16 January 2003.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "be.vat",
    category: Category::TaxId,
    shapes: &["9999999999", "BE9999999999"],
    grouped: &["9999.999.999", "BE 9999.999.999"],
    odds: 400,
    alone: Alone::Grouped,
    check,
    cues: &["ondernemingsnummer", "numéro d'entreprise", "btw-nr", "kbo nummer", "n° d'entreprise", "btw be"],
    examples: &["1797515116", "1316199730"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(10), 10);
    digit(tail, 0) < 2 && number(tail, 0, 8) > 0 && 97 - number(tail, 0, 8) % 97 == number(tail, 8, 2)
}
