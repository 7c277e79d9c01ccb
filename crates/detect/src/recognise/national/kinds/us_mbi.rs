//! United States: Medicare beneficiary identifier.
//!
//! Issuer: CMS. Positions: eleven characters: 1-9, letter, letter or digit, digit, letter, letter or digit, digit,
//! two letters, two digits; no S, L, O, I, B, Z. Check rule: classes by place. Example: `1EG4TE5MK73`. Source: CMS,
//! Understanding the MBI.

use cloakgate_vocab::Category;

use super::super::arithmetic::digit;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.mbi",
    category: Category::HealthId,
    shapes: &["9A*9A*9AA99"],
    grouped: &["9A*9-A*9-AA99", "9A*9 A*9 AA99"],
    odds: 10000,
    alone: Alone::Always,
    check,
    cues: &["mbi", "medicare number", "medicare beneficiary identifier", "medicare id", "medicare no"],
    examples: &["1EG4TE5MK73"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) != 0 && !id.iter().any(|byte| b"SLOIBZ".contains(byte))
}
