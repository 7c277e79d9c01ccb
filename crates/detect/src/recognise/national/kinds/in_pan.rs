//! India: permanent account number.
//!
//! Issuer: Income Tax Department. Positions: three letters, one of the kind of holder, the first of the name, four
//! digits, one letter. Check rule: classes by place. Example: `RZQCE7226K`. Source: Rule 114, Income-tax Rules.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "in.pan",
    category: Category::TaxId,
    shapes: &["AAAAA9999A"],
    grouped: &[],
    odds: 6,
    alone: Alone::Never,
    check,
    cues: &["pan number", "pan no", "pan card", "permanent account number", "पैन"],
    examples: &["RZQCE7226K", "YOBAW7366D"],
};

fn check(id: &[u8]) -> bool {
    b"ABCFGHJKLPT".contains(&byte(id, 3)) && number(id, 5, 4) > 0
}
