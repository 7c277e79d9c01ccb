//! Malta: identity card number.
//!
//! Issuer: Identity Malta. Positions: one to seven digits, one letter of MGAPLHBZ. Check rule: no check. Example:
//! `0138278M`. Source: Identity Card Act.

use cloakgate_vocab::Category;

use super::super::arithmetic::byte;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "mt.id",
    category: Category::NationalId,
    shapes: &["9999999A"],
    grouped: &["999999A", "999999(A)"],
    odds: 3,
    alone: Alone::Never,
    check,
    cues: &[
        "id card number",
        "karta tal-identità",
        "identity card malta",
        "numru tal-karta tal-identità",
        "numru tal-id",
    ],
    examples: &["0138278M"],
};

fn check(id: &[u8]) -> bool {
    b"MGAPLHBZ".contains(&byte(id, 7))
}
