//! Armenia: հանրային ծառայությունների համարանիշ.
//!
//! Issuer: Police of Armenia. Positions: 1-6 birth date (day plus 10 for men, 50 for women), 7-10 serial and check.
//! Check rule: no public check rule. Example: `2312890123`. Source: Law on public services number.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "am.psn",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["հծհ", "հանրային ծառայությունների համարանիշ"],
    examples: &["2312890123"],
};
