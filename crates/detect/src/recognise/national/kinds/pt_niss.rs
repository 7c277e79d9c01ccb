//! Portugal: número de segurança social.
//!
//! Issuer: Segurança Social. Positions: 1 or 2, nine digits, one check digit. Check rule: weights 29 23 19 17 13 11
//! 7 5 3 2, nine less the sum mod 10. Example: `12000000127`. Source: Segurança Social.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "pt.niss",
    category: Category::NationalId,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 50,
    alone: Alone::Never,
    check,
    cues: &["niss", "número de segurança social", "nº segurança social", "numero de segurança social"],
    examples: &["12000000127"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 1 | 2)
        && 9 - weighted(id, &[29, 23, 19, 17, 13, 11, 7, 5, 3, 2]) % 10 == digit(id, 10)
}
