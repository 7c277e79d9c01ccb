//! Portugal: NIF, número de contribuinte.
//!
//! Issuer: Autoridade Tributária. Positions: eight digits, one check digit. Check rule: weights 9 to 2, 11 less the
//! sum mod 11, 10 and 11 are 0. Example: `501964843`. Source: Decreto-Lei 14/2013.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pt.nif",
    category: Category::TaxId,
    shapes: &["999999999", "PT999999999"],
    grouped: &["999 999 999", "PT 999 999 999"],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &[
        "número de contribuinte",
        "contribuinte",
        "nif pt",
        "nipc",
        "n.º de contribuinte",
        "nº contribuinte",
        "número de identificação fiscal",
        "numero de contribuinte",
    ],
    examples: &["501964843", "287024008"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(9), 9);
    (11 - weighted(tail, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11 % 10 == digit(tail, 8)
        && !matches!(digit(tail, 0), 0 | 4)
        && !is_repetition(tail)
}
