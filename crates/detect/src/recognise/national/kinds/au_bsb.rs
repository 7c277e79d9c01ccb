//! Australia: BSB.
//!
//! Issuer: AusPayNet. Positions: 1-2 bank, 3 state, 4-6 branch. Check rule: structure. Example: `062-000`. Source:
//! AusPayNet.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "au.bsb",
    category: Category::BankAccount,
    shapes: &["999999"],
    grouped: &["999-999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["bsb", "bsb number", "bsb no", "bsb code"],
    examples: &["062-000"],
};
