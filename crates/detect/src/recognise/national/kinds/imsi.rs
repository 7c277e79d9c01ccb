//! Phones: IMSI.
//!
//! Issuer: mobile operators. Positions: 1-3 country, 4-6 network, 7-15 subscriber. Check rule: country from 200 to
//! 799. Example: `262011234567890`. Source: ITU-T E.212.

use cloakgate_vocab::Category;

use super::super::arithmetic::number;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "imsi",
    category: Category::OtherId,
    shapes: &["999999999999999"],
    grouped: &[],
    odds: 2,
    alone: Alone::Never,
    check,
    cues: &["imsi", "imsi number"],
    examples: &["262011234567890"],
};

fn check(id: &[u8]) -> bool {
    (200..800).contains(&number(id, 0, 3))
}
