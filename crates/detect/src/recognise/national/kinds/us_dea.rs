//! United States: DEA registration number.
//!
//! Issuer: Drug Enforcement Administration. Positions: one letter of the registrant, one letter of the name or 9,
//! six digits, one check digit. Check rule: digits 1 3 5 plus twice digits 2 4 6, mod 10. Example: `AB1234563`.
//! Source: 21 CFR 1301.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.dea",
    category: Category::HealthId,
    shapes: &["AA9999999", "A99999999"],
    grouped: &[],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &["dea", "dea number", "dea no", "dea registration", "dea registration number"],
    examples: &["AB1234563"],
};

fn check(id: &[u8]) -> bool {
    b"ABCDEFGHJKLMPRSTUX".contains(&byte(id, 0))
        && (byte(id, 1).is_ascii_alphabetic() || byte(id, 1) == b'9')
        && weighted(part(id, 2, 6), &[1, 2, 1, 2, 1, 2]) % 10 == digit(id, 8)
}
