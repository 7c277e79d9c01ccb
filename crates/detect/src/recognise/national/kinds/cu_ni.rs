//! Cuba: carné de identidad.
//!
//! Issuer: Registro Civil. Positions: 1-6 birth date, 7 century, 8-11 serial. Check rule: date. Example:
//! `84031212345`. Source: Registro Civil.

use cloakgate_vocab::Category;

use super::super::arithmetic::is_yymmdd;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cu.ni",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 27,
    alone: Alone::Never,
    check,
    cues: &["carné de identidad", "carnet de identidad", "número de identidad permanente"],
    examples: &["84031212345"],
};

fn check(id: &[u8]) -> bool {
    is_yymmdd(id, 0)
}
