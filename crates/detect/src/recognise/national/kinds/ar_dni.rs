//! Argentina: DNI.
//!
//! Issuer: RENAPER. Positions: seven or eight digits. Check rule: no check digit. Example: `20123456`. Source: Ley
//! 17.671.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ar.dni",
    category: Category::NationalId,
    shapes: &["99999999", "9999999"],
    grouped: &["99.999.999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["dni argentino", "documento nacional", "dni nº", "d.n.i. n°"],
    examples: &["20123456"],
};
