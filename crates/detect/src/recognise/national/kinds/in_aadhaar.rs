//! India: Aadhaar, आधार.
//!
//! Issuer: UIDAI. Positions: eleven digits, the first 2 to 9, one check digit. Check rule: Verhoeff's rule.
//! Example: `417325530297`. Source: UIDAI, Aadhaar Act.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, verhoeff};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "in.aadhaar",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &["9999 9999 9999", "9999-9999-9999"],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &[
        "aadhaar",
        "aadhar",
        "aadhaar number",
        "aadhaar no",
        "आधार",
        "आधार संख्या",
        "आधार नंबर",
        "uid number",
        "uidai",
        "aadhaar card",
    ],
    examples: &["417325530297", "511941744244"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) > 1 && verhoeff(id)
}
