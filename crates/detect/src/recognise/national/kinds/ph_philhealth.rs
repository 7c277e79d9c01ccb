//! Philippines: PhilHealth number.
//!
//! Issuer: PhilHealth. Positions: twelve digits. Check rule: no public check rule. Example: `12-345678901-2`.
//! Source: PhilHealth.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ph.philhealth",
    category: Category::HealthId,
    shapes: &["999999999999"],
    grouped: &["99-999999999-9"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["philhealth", "philhealth number", "philhealth no", "philhealth id"],
    examples: &["12-345678901-2"],
};
