//! United States: national provider identifier.
//!
//! Issuer: CMS. Positions: nine digits, the first 1 or 2, one check digit. Check rule: Luhn's rule with 80840
//! before the number. Example: `1234567893`. Source: 45 CFR 162.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn_sum};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.npi",
    category: Category::HealthId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 50,
    alone: Alone::Never,
    check,
    cues: &["npi", "npi number", "national provider identifier", "npi no", "provider npi"],
    examples: &["1234567893"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 1 | 2) && (luhn_sum(id) + 24).is_multiple_of(10)
}
