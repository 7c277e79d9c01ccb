//! Sweden: organisationsnummer.
//!
//! Issuer: Bolagsverket. Positions: ten digits, the third is 2 or more. Check rule: Luhn's rule. Example:
//! `1234567897`. Source: Lag 1974:174.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "se.orgnr",
    category: Category::TaxId,
    shapes: &["9999999999", "SE999999999901"],
    grouped: &["999999-9999"],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &["organisationsnummer", "orgnr", "org nr", "org.nr", "momsregistreringsnummer", "momsnr"],
    examples: &["1234567897"],
};

fn check(id: &[u8]) -> bool {
    let tail = if id.len() > 10 { part(id, 2, 10) } else { id };
    digit(tail, 2) >= 2 && luhn(tail)
}
