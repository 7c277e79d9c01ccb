//! South Africa: identity number.
//!
//! Issuer: Department of Home Affairs. Positions: 1-6 birth date, 7-10 sex and serial, 11 citizenship, 12 8 or 9,
//! 13 check. Check rule: Luhn's rule. Example: `6107289915081`. Source: Identification Act 68 of 1997.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_yymmdd, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "za.id",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["999999 9999 999", "999999 9999 99 9"],
    odds: 1500,
    alone: Alone::Never,
    check,
    cues: &[
        "sa id",
        "sa id number",
        "rsa id",
        "id number za",
        "identity number",
        "id nommer",
        "identiteitsnommer",
    ],
    examples: &["6107289915081", "6510252541083"],
};

fn check(id: &[u8]) -> bool {
    is_yymmdd(id, 0) && digit(id, 10) < 2 && luhn(id)
}
