//! Portugal: NIB.
//!
//! Issuer: Banco de Portugal. Positions: 1-4 bank, 5-8 office, 9-19 account, 20-21 check. Check rule: the whole
//! number mod 97 is 1. Example: `000201231234567890154`. Source: Banco de Portugal.

use cloakgate_vocab::Category;

use super::super::arithmetic::remainder;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pt.nib",
    category: Category::BankAccount,
    shapes: &["999999999999999999999"],
    grouped: &["9999 9999 99999999999 99", "9999.9999.99999999999.99"],
    odds: 97,
    alone: Alone::Grouped,
    check,
    cues: &["nib", "número de conta", "conta bancária"],
    examples: &["000201231234567890154"],
};

fn check(id: &[u8]) -> bool {
    remainder(id, 97) == 1
}
