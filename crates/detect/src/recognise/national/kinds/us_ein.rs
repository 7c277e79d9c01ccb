//! United States: employer identification number.
//!
//! Issuer: IRS. Positions: two digits of a campus, seven digits. Check rule: ranges. Example: `12-3456789`. Source:
//! IRS, publication 1635.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.ein",
    category: Category::TaxId,
    shapes: &["999999999"],
    grouped: &["99-9999999"],
    odds: 1,
    alone: Alone::Never,
    check,
    cues: &["ein", "employer identification number", "fein", "federal tax id", "employer id number"],
    examples: &["12-3456789"],
};

fn check(id: &[u8]) -> bool {
    !matches!(number(id, 0, 2), 0 | 7..=9 | 17..=19 | 28 | 29 | 49 | 69 | 70 | 78 | 79 | 89 | 96 | 97)
}
