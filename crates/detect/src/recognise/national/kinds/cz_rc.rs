//! Czechia and Slovakia: rodné číslo.
//!
//! Issuer: ministry of the interior. Positions: 1-6 birth date (months plus 50 for women, plus 20 more when a day
//! is used up), 7-9 serial, 10 check from 1954 on. Check rule: the ten digits are a multiple of 11 (in a few old
//! ones the first nine leave 10 and the check digit is 0). Example: `5807176420`. Source: Act 133/2000.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_day, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cz.rc",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["999999/9999", "999999 / 9999", "999999 9999"],
    odds: 250,
    alone: Alone::Grouped,
    check,
    cues: &["rodné číslo", "rodne cislo", "r.č.", "rč", "r. č.", "rodné č.", "birth number"],
    examples: &["5807176420", "7902031346"],
};

fn check(id: &[u8]) -> bool {
    let month = number(id, 2, 2) % 50;
    is_day(if month > 20 { month - 20 } else { month }, number(id, 4, 2))
        && (number(id, 0, 10).is_multiple_of(11) || (number(id, 0, 9) % 11 == 10 && digit(id, 9) == 0))
}
