//! Canada: social insurance number.
//!
//! Issuer: Service Canada. Positions: nine digits, the first not 0 or 8. Check rule: Luhn's rule. Example:
//! `979264587`. Source: Service Canada, SIN code of practice.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ca.sin",
    category: Category::NationalId,
    shapes: &["999999999"],
    grouped: &["999 999 999", "999-999-999"],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &["sin", "social insurance number", "sin number", "numéro d'assurance sociale", "sin no", "s.i.n."],
    examples: &["979264587", "699838041"],
};

fn check(id: &[u8]) -> bool {
    !matches!(digit(id, 0), 0 | 8) && luhn(id) && !is_repetition(id)
}
