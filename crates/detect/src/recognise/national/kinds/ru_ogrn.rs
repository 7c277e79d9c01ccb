//! Russia: ОГРН, ОГРНИП.
//!
//! Issuer: Federal tax service. Positions: thirteen digits of a company, fifteen of a trader, the last a check
//! digit. Check rule: the number before it mod 11, or mod 13, mod 10. Example: `1097712430749`. Source: Government
//! decree 630.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ru.ogrn",
    category: Category::TaxId,
    shapes: &["9999999999999", "999999999999999"],
    grouped: &[],
    odds: 40,
    alone: Alone::Never,
    check,
    cues: &["огрн", "огрнип", "ogrn"],
    examples: &["1097712430749", "1557749489956"],
};

fn check(id: &[u8]) -> bool {
    let last = id.len() - 1;
    let modulus = if id.len() == 13 { 11 } else { 13 };
    matches!(digit(id, 0), 1..=5)
        && number(id, 0, last) % modulus % 10 == u64::from(digit(id, last))
        && (1..=92).contains(&number(id, 3, 2))
}
