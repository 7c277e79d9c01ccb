//! Philippines: TIN.
//!
//! Issuer: Bureau of Internal Revenue. Positions: nine digits, three or five of the branch. Check rule: no public
//! check rule. Example: `123-456-789-000`. Source: BIR.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ph.tin",
    category: Category::TaxId,
    shapes: &["999999999", "999999999999"],
    grouped: &["999-999-999-999", "999-999-999", "999-999-999-99999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["tin", "tin number", "tin no", "tax identification number"],
    examples: &["123-456-789-000"],
};
