//! Canada: Ontario health card.
//!
//! Issuer: Ministry of Health. Positions: ten digits, two letters of the version may follow. Check rule: Luhn's
//! rule. Example: `1234567897`. Source: OHIP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ca.on_health",
    category: Category::HealthId,
    shapes: &["9999999999", "9999999999AA"],
    grouped: &["9999-999-999", "9999 999 999", "9999-999-999-AA", "9999 999 999 AA"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["ohip", "health card", "health card number", "health number", "ohip number", "hcn"],
    examples: &["1234567897"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) != 0 && luhn(part(id, 0, 10))
}
