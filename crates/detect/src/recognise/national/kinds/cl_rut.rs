//! Chile: RUT, RUN.
//!
//! Issuer: Registro Civil. Positions: seven or eight digits, one check digit or K. Check rule: weights 2 to 7 in
//! turn from the right, 11 less the sum mod 11, 10 is K, 11 is 0. Example: `56130861`. Source: DFL 3 (1969).

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cl.rut",
    category: Category::NationalId,
    shapes: &["99999999", "999999999", "9999999A", "99999999A"],
    grouped: &["99.999.999-9", "9.999.999-9", "99.999.999-A", "9.999.999-A"],
    odds: 11,
    alone: Alone::Grouped,
    check,
    cues: &["rut", "r.u.t.", "rol único tributario", "rut nº", "cédula de identidad chile"],
    examples: &["56130861", "36443545"],
};

fn check(id: &[u8]) -> bool {
    let body = part(id, 0, id.len().saturating_sub(1));
    let sum: u32 = (0..body.len())
        .map(|back| digit(body, body.len() - 1 - back) * (u32::try_from(back % 6).unwrap_or(0) + 2))
        .sum();
    match (11 - sum % 11, byte(id, body.len())) {
        (10, last) => last == b'K',
        (value, last) => last.is_ascii_digit() && value % 11 == digit(id, body.len()),
    }
}
