//! Nigeria: NIN, BVN.
//!
//! Issuer: NIMC, NIBSS. Positions: eleven digits. Check rule: no public check rule. Example: `22123456789`. Source:
//! NIMC Act.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ng.nin",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["nin", "bvn", "national identification number", "bank verification number", "virtual nin"],
    examples: &["22123456789"],
};
