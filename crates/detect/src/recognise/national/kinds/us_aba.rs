//! United States: ABA routing number.
//!
//! Issuer: American Bankers Association. Positions: 1-4 district and office, 5-8 bank, 9 check. Check rule: weights
//! 3 7 1 in turn, the sum is a multiple of ten. Example: `122055551`. Source: ABA, routing number policy.

use cloakgate_vocab::Category;

use super::super::arithmetic::{number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "us.aba",
    category: Category::BankAccount,
    shapes: &["999999999"],
    grouped: &[],
    odds: 20,
    alone: Alone::Never,
    check,
    cues: &["routing number", "aba", "aba number", "routing no", "rtn", "aba routing number", "aba routing"],
    examples: &["122055551", "122771437"],
};

fn check(id: &[u8]) -> bool {
    matches!(number(id, 0, 2), 1..=12 | 21..=32 | 61..=72 | 80)
        && weighted(id, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
}
