//! France: numéro fiscal de référence.
//!
//! Issuer: Direction générale des finances publiques. Positions: 0 to 3, nine digits, three check digits. Check
//! rule: the first ten digits mod 511. Example: `0930936443220`. Source: OECD, TIN of France.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fr.nif",
    category: Category::TaxId,
    shapes: &["9999999999999"],
    grouped: &["99 99 999 999 999"],
    odds: 1200,
    alone: Alone::Never,
    check,
    cues: &["numéro fiscal", "numero fiscal", "numéro fiscal de référence", "n° fiscal", "nif fr"],
    examples: &["0930936443220", "2009259031388"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) < 4 && number(id, 0, 10) % 511 == number(id, 10, 3)
}
