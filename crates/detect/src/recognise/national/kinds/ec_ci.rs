//! Ecuador: cédula.
//!
//! Issuer: Registro Civil. Positions: 1-2 province, 3 below 6, 4-9 serial, 10 check. Check rule: Luhn's rule.
//! Example: `0106092547`. Source: Registro Civil.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, luhn, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ec.ci",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["999999999-9"],
    odds: 70,
    alone: Alone::Never,
    check,
    cues: &["cédula ecuatoriana", "cédula de identidad", "cedula de identidad", "ci ecuador"],
    examples: &["0106092547", "3010622680"],
};

fn check(id: &[u8]) -> bool {
    (matches!(number(id, 0, 2), 1..=24 | 30)) && digit(id, 2) < 6 && luhn(id)
}
