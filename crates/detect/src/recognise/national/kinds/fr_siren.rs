//! France: SIREN and SIRET.
//!
//! Issuer: INSEE. Positions: nine digits of a company, five more of an establishment. Check rule: Luhn's rule over
//! nine, and over fourteen digits. Example: `732829320`. Source: Code de commerce R123-220.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_repetition, luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fr.siren",
    category: Category::TaxId,
    shapes: &["999999999", "99999999999999"],
    grouped: &["999 999 999", "999 999 999 99999"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["siren", "siret", "n° siret", "numéro siret", "n° siren", "numéro siren", "siret nº"],
    examples: &["732829320", "73282932000074"],
};

fn check(id: &[u8]) -> bool {
    luhn(id) && luhn(part(id, 0, 9)) && !is_repetition(id)
}
