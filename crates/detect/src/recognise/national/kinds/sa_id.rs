//! Saudi Arabia: الهوية الوطنية, Iqama.
//!
//! Issuer: Ministry of Interior. Positions: 1 for citizens or 2 for residents, eight digits, one check digit. Check
//! rule: Luhn's rule. Example: `1012345672`. Source: Absher.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "sa.id",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 50,
    alone: Alone::Never,
    check,
    cues: &["الهوية الوطنية", "رقم الهوية", "iqama", "iqama number", "iqama no", "رقم الإقامة", "saudi id"],
    examples: &["1012345672"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 1 | 2) && luhn(id) && !is_repetition(id)
}
