//! Vietnam: căn cước công dân.
//!
//! Issuer: Ministry of Public Security. Positions: 1-3 province, 4 century and sex, 5-6 year, 7-12 serial. Check
//! rule: province from 001 to 096. Example: `001084012345`. Source: Circular 59/2021.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "vn.cccd",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &[],
    odds: 10,
    alone: Alone::Never,
    check,
    cues: &[
        "cccd",
        "căn cước công dân",
        "số cccd",
        "cmnd",
        "số cmnd",
        "chứng minh nhân dân",
        "căn cước",
        "số căn cước",
    ],
    examples: &["001084012345"],
};

fn check(id: &[u8]) -> bool {
    (1..=96).contains(&number(id, 0, 3)) && digit(id, 3) < 4
}
