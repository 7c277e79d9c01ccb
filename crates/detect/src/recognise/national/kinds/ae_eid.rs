//! United Arab Emirates: Emirates ID.
//!
//! Issuer: ICP. Positions: 784, four digits of the birth year, seven digits, one check digit. Check rule: Luhn's
//! rule. Example: `784198412345674`. Source: ICP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{luhn, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ae.eid",
    category: Category::NationalId,
    shapes: &["999999999999999"],
    grouped: &["784-9999-9999999-9"],
    odds: 20000,
    alone: Alone::Always,
    check,
    cues: &["emirates id", "emirates id no", "رقم الهوية", "هوية الإمارات"],
    examples: &["784198412345674"],
};

fn check(id: &[u8]) -> bool {
    number(id, 0, 3) == 784 && (1900..=2039).contains(&number(id, 3, 4)) && luhn(id)
}
