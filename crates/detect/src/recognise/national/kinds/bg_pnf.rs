//! Bulgaria: ЛНЧ, the number of foreigners.
//!
//! Issuer: ministry of the interior. Positions: nine digits, one check digit. Check rule: weights 21 19 17 13 11 9
//! 7 3 1, the sum mod 10. Example: `0254239786`. Source: Ministry of the interior.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "bg.pnf",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &["лнч", "lnch", "личен номер на чужденец"],
    examples: &["0254239786", "9628783171"],
};

fn check(id: &[u8]) -> bool {
    weighted(id, &[21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 == digit(id, 9)
}
