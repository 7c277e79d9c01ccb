//! Colombia: cédula de ciudadanía, NUIP.
//!
//! Issuer: Registraduría Nacional. Positions: six to ten digits. Check rule: no check digit. Example: `1049817719`.
//! Source: Registraduría.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "co.cedula",
    category: Category::NationalId,
    shapes: &["9999999999", "99999999"],
    grouped: &["9.999.999.999", "99.999.999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &[
        "cédula",
        "cedula",
        "nuip",
        "cédula de ciudadanía",
        "cedula de ciudadania",
        "número de cédula",
        "cédula de extranjería",
    ],
    examples: &["1049817719"],
};
