//! India: voter id (EPIC).
//!
//! Issuer: Election Commission. Positions: three letters, six digits, one check digit. Check rule: Luhn's rule over
//! the digits. Example: `UEX2842185`. Source: Election Commission of India.

use cloakgate_vocab::Category;

use super::super::arithmetic::{luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "in.epic",
    category: Category::OtherId,
    shapes: &["AAA9999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["voter id", "epic number", "epic no", "voter id card", "voter card"],
    examples: &["UEX2842185", "VOP0120196"],
};

fn check(id: &[u8]) -> bool {
    luhn(part(id, 3, 7))
}
