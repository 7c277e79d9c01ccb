//! Greece: ΑΜΚΑ, social security number.
//!
//! Issuer: ΗΔΙΚΑ. Positions: 1-6 birth date (day, month, year), 7-10 serial, 11 check. Check rule: Luhn's rule.
//! Example: `08126065476`. Source: Law 3655/2008.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_ddmmyy, luhn};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gr.amka",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 270,
    alone: Alone::Never,
    check,
    cues: &["αμκα", "amka", "α.μ.κ.α.", "αριθμός μητρώου κοινωνικής ασφάλισης"],
    examples: &["08126065476", "02070263062"],
};

fn check(id: &[u8]) -> bool {
    is_ddmmyy(id, 0) && luhn(id)
}
