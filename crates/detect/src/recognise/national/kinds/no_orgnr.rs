//! Norway: organisasjonsnummer.
//!
//! Issuer: Brønnøysundregistrene. Positions: eight digits, one check digit. Check rule: weights 3 2 7 6 5 4 3 2, 11
//! less the sum mod 11. Example: `425634852`. Source: Enhetsregisterloven.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "no.orgnr",
    category: Category::TaxId,
    shapes: &["999999999", "NO999999999MVA"],
    grouped: &["999 999 999", "NO 999 999 999 MVA"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["organisasjonsnummer", "orgnr", "org.nr", "org nr", "mva-nummer"],
    examples: &["425634852", "429219566"],
};

fn check(id: &[u8]) -> bool {
    let tail = if id.len() > 9 { part(id, 2, 9) } else { id };
    (weighted(tail, &[3, 2, 7, 6, 5, 4, 3, 2]) + digit(tail, 8)).is_multiple_of(11)
}
