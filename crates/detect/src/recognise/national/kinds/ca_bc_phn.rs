//! Canada: personal health number of British Columbia.
//!
//! Issuer: Ministry of Health. Positions: 9, eight digits, one check digit. Check rule: weights 2 4 8 5 10 9 7 3,
//! 11 less the sum mod 11. Example: `9656327349`. Source: BC Ministry of Health.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ca.bc_phn",
    category: Category::HealthId,
    shapes: &["9999999999"],
    grouped: &["9999 999 999", "9999-999-999"],
    odds: 100,
    alone: Alone::Never,
    check,
    cues: &["phn", "personal health number", "care card", "bc services card", "msp number"],
    examples: &["9656327349", "9847948126"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) == 9
        && (weighted(part(id, 1, 8), &[2, 4, 8, 5, 10, 9, 7, 3]) + digit(id, 9)).is_multiple_of(11)
}
