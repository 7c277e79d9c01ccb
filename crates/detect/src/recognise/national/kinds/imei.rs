//! Phones: IMEI.
//!
//! Issuer: GSMA. Positions: 1-8 model, 9-14 serial, 15 check. Check rule: Luhn's rule. Example: `490154203237518`.
//! Source: 3GPP TS 23.003.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "imei",
    category: Category::OtherId,
    shapes: &["999999999999999"],
    grouped: &["99-999999-999999-9", "99 999999 999999 9"],
    odds: 12,
    alone: Alone::Grouped,
    check,
    cues: &["imei", "imei number", "imei no", "device imei"],
    examples: &["490154203237518"],
};

fn check(id: &[u8]) -> bool {
    luhn(id) && digit(id, 0) != 0 && !is_repetition(id)
}
