//! Moldova: IDNP, IDNO.
//!
//! Issuer: Agenția Servicii Publice. Positions: twelve digits, one check digit. Check rule: weights 7 3 1 in turn,
//! the sum mod 10. Example: `2093897785815`. Source: Government decision 272.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, seven_three_one};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "md.idno",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &[],
    odds: 50,
    alone: Alone::Never,
    check,
    cues: &["idnp", "idno", "cod personal"],
    examples: &["2093897785815", "2025364553566"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 0..=2) && digit(id, 1) != 9 && seven_three_one(part(id, 0, 12)) == digit(id, 12)
}
