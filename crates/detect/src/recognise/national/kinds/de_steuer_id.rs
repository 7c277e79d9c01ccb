//! Germany: steuerliche Identifikationsnummer.
//!
//! Issuer: Bundeszentralamt für Steuern. Positions: ten digits, the first not 0, one check digit. Check rule: ISO
//! 7064 MOD 11,10; among the first ten digits exactly one comes twice or three times. Example: `52396440144`.
//! Source: Steuer-ID: StIdV, § 139b AO.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, mod_11_10, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "de.steuer_id",
    category: Category::TaxId,
    shapes: &["99999999999"],
    grouped: &["99 999 999 999", "99999 999 999", "99 999 999999"],
    odds: 40,
    alone: Alone::Never,
    check,
    cues: &[
        "steuer-id",
        "steuer id",
        "steueridentifikationsnummer",
        "steuer-identifikationsnummer",
        "steuerliche identifikationsnummer",
        "idnr",
        "steuer-idnr",
        "tax id de",
        "stid",
    ],
    examples: &["52396440144", "91672989435"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) != 0 && mod_11_10(id) && has_one_repeated(part(id, 0, 10))
}

/// One digit comes two or three times, all others at most once.
fn has_one_repeated(digits: &[u8]) -> bool {
    let mut counts = [0_u8; 10];
    for place in 0..digits.len() {
        if let Some(count) = counts.get_mut(usize::try_from(digit(digits, place)).unwrap_or(0)) {
            *count += 1;
        }
    }
    let repeated = counts.iter().filter(|count| **count > 1).count();
    repeated == 1 && counts.iter().all(|count| *count <= 3)
}
