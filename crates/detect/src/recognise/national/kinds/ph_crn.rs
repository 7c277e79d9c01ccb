//! Philippines: UMID common reference number, SSS, PhilSys.
//!
//! Issuer: Social Security System. Positions: twelve digits; SSS ten, PhilSys sixteen. Check rule: no public check
//! rule. Example: `0111-1234567-8`. Source: SSS, PSA.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ph.crn",
    category: Category::NationalId,
    shapes: &["999999999999", "9999999999"],
    grouped: &["9999-9999999-9", "99-9999999-9", "9999-9999-9999-9999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &[
        "umid",
        "common reference number",
        "sss number",
        "sss no",
        "sss id",
        "philsys",
        "philsys number",
        "gsis number",
        "gsis",
    ],
    examples: &["0111-1234567-8", "33-1234567-8"],
};
