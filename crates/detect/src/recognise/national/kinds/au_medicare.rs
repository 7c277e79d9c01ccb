//! Australia: Medicare card number.
//!
//! Issuer: Services Australia. Positions: eight digits, the first 2 to 6, one check digit, one issue digit, one of
//! the person. Check rule: weights 1 3 7 9 1 3 7 9, the sum mod 10. Example: `2123456701`. Source: Services
//! Australia.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "au.medicare",
    category: Category::HealthId,
    shapes: &["9999999999", "99999999999"],
    grouped: &["9999 99999 9", "9999 99999 9 9", "9999 99999 9/9"],
    odds: 20,
    alone: Alone::Grouped,
    check,
    cues: &["medicare card", "medicare number", "medicare card number", "medicare no"],
    examples: &["2123456701"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 2..=6)
        && weighted(id, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == digit(id, 8)
        && digit(id, 9) > 0
}
