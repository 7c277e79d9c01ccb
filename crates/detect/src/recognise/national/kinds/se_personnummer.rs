//! Sweden: personnummer.
//!
//! Issuer: Skatteverket. Positions: 1-6 birth date (day plus 60 for coordination numbers), `-` or `+`, 7-9 serial,
//! 10 check; the century may stand before. Check rule: Luhn's rule over ten digits. Example: `0712051515`. Source:
//! Folkbokföringslagen.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_day, luhn, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "se.personnummer",
    category: Category::NationalId,
    shapes: &["9999999999", "999999999999"],
    grouped: &["999999-9999", "999999+9999", "99999999-9999", "999999 9999"],
    odds: 270,
    alone: Alone::Never,
    check,
    cues: &[
        "personnummer",
        "personnr",
        "pers.nr",
        "samordningsnummer",
        "person nr",
        "pnr",
        "personnummer se",
        "svenskt personnummer",
    ],
    examples: &["0712051515", "6504019420"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(10), 10);
    (id.len() == 10 || matches!(number(id, 0, 2), 18..=20))
        && is_day(number(tail, 2, 2), number(tail, 4, 2) % 60)
        && luhn(tail)
}
