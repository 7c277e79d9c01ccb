//! Azerbaijan: FİN.
//!
//! Issuer: ministry of the interior. Positions: seven letters and digits, no I and no O. Check rule: no check
//! digit. Example: `5X8K2LM`. Source: Law on identity cards.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "az.fin",
    category: Category::NationalId,
    shapes: &["*******"],
    grouped: &[],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["FİN", "FİN kod", "fin kod", "fin kodu", "fin code", "şəxsiyyət vəsiqəsi"],
    examples: &["5X8K2LM"],
};
