//! Canada: NAM, the health number of Quebec.
//!
//! Issuer: RAMQ. Positions: 1-3 surname, 4 given name, 5-10 birth date (month plus 50 for women), 11-12 serial.
//! Check rule: date. Example: `DUBM84531299`. Source: RAMQ.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_day, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ca.qc_ramq",
    category: Category::HealthId,
    shapes: &["AAAA99999999"],
    grouped: &["AAAA 9999 9999"],
    odds: 27,
    alone: Alone::Grouped,
    check,
    cues: &["ramq", "numéro d'assurance maladie", "carte soleil"],
    examples: &["DUBM84531299"],
};

fn check(id: &[u8]) -> bool {
    is_day(number(id, 6, 2) % 50, number(id, 8, 2)) && number(id, 6, 2) <= 62
}
