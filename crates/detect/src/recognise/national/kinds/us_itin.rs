//! United States: individual taxpayer identification number.
//!
//! Issuer: IRS. Positions: 9, two digits, a group of 50-65, 70-88, 90-92 or 94-99, four digits. Check rule: ranges.
//! Example: `912-70-1234`. Source: IRS, publication 1915.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.itin",
    category: Category::TaxId,
    shapes: &["999999999"],
    grouped: &["999-99-9999"],
    odds: 25,
    alone: Alone::Never,
    check,
    cues: &["itin", "individual taxpayer identification number", "itin number"],
    examples: &["912-70-1234"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) == 9 && matches!(number(id, 3, 2), 50..=65 | 70..=88 | 90..=92 | 94..=99)
}
