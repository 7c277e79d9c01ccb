//! Greece: ΑΦΜ, tax number.
//!
//! Issuer: ΑΑΔΕ. Positions: eight digits, one check digit. Check rule: weights 256 128 64 32 16 8 4 2, the sum mod
//! 11 mod 10. Example: `711135734`. Source: Ministry of finance.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gr.afm",
    category: Category::TaxId,
    shapes: &["999999999", "EL999999999"],
    grouped: &[],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["αφμ", "afm", "α.φ.μ.", "αριθμός φορολογικού μητρώου"],
    examples: &["711135734", "108460978"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(9), 9);
    weighted(tail, &[256, 128, 64, 32, 16, 8, 4, 2]) % 11 % 10 == digit(tail, 8) && !is_repetition(tail)
}
