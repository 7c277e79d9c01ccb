//! Israel: מספר זהות.
//!
//! Issuer: Population and Immigration Authority. Positions: eight digits, one check digit. Check rule: Luhn's rule.
//! Example: `676827348`. Source: Population Registry Law.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_repetition, luhn, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "il.id",
    category: Category::NationalId,
    shapes: &["999999999"],
    grouped: &["99999999-9", "9-9999999-9"],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["תעודת זהות", "ת.ז.", "ת.ז", "מספר זהות", "teudat zehut"],
    examples: &["676827348", "211255609"],
};

fn check(id: &[u8]) -> bool {
    luhn(id) && number(id, 0, 9) > 100_000 && !is_repetition(id)
}
