//! United States: social security number.
//!
//! Issuer: Social Security Administration. Positions: 1-3 area, 4-5 group, 6-9 serial. Check rule: area not 000,
//! 666 or from 900 on, no part all zero. Example: `219-09-9998`. Source: SSA, POMS RM 10201.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.ssn",
    category: Category::Ssn,
    shapes: &["999999999"],
    grouped: &["999-99-9999"],
    odds: 4,
    alone: Alone::Never,
    check,
    cues: &["social security number", "ssn", "social security no", "social security"],
    examples: &["219-09-9998"],
};

fn check(id: &[u8]) -> bool {
    !matches!(number(id, 0, 3), 0 | 666 | 900..) && number(id, 3, 2) > 0 && number(id, 5, 4) > 0
}
