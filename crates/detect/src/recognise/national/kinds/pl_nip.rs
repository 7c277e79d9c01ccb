//! Poland: NIP.
//!
//! Issuer: Krajowa Administracja Skarbowa. Positions: nine digits, one check digit. Check rule: weights 6 5 7 2 3 4
//! 5 6 7, the sum mod 11. Example: `8262640839`. Source: Act of 13 October 1995.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pl.nip",
    category: Category::TaxId,
    shapes: &["9999999999", "PL9999999999"],
    grouped: &["999-999-99-99", "999-99-99-999", "999 999 99 99", "999 99 99 999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["nip", "numer nip", "nr nip", "nip ue", "vat pl"],
    examples: &["8262640839", "9016426120"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(10), 10);
    weighted(tail, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == digit(tail, 9)
        && digit(tail, 0) != 0
        && !is_repetition(tail)
}
