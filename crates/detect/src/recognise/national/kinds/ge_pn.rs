//! Georgia: პირადი ნომერი.
//!
//! Issuer: Public Service Development Agency. Positions: eleven digits. Check rule: no check digit. Example:
//! `01001012345`. Source: Law on registration of citizens.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ge.pn",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["პირადი ნომერი", "პირადი №", "პირადი", "personal number"],
    examples: &["01001012345"],
};
