//! United Kingdom: driving licence number.
//!
//! Issuer: DVLA. Positions: 1-5 surname (filled with 9), 6 decade, 7-8 month of birth (plus 50 for women), 9-10
//! day, 11 year, 12-13 initials, 14-16 check. Check rule: letters, nines and date in their places. Example:
//! `MORGA657054SM9IJ`. Source: DVLA, INF1D.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, is_day, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gb.driver",
    category: Category::DriverLicense,
    shapes: &["*****999999**9AA", "*****999999**9**", "*****999999***AA"],
    grouped: &["***** 999999 **9AA"],
    odds: 4000,
    alone: Alone::Always,
    check,
    cues: &["driving licence number", "driver number", "driving licence no", "dvla number"],
    examples: &["MORGA657054SM9IJ", "SMITH711215JA9XY"],
};

fn check(id: &[u8]) -> bool {
    let name = part(id, 0, 5);
    let filled = name.iter().skip_while(|byte| byte.is_ascii_uppercase()).all(|byte| *byte == b'9');
    byte(id, 0).is_ascii_uppercase()
        && filled
        && is_day(number(id, 6, 2) % 50, number(id, 8, 2))
        && number(id, 6, 2) <= 62
        && byte(id, 11).is_ascii_uppercase()
        && (byte(id, 12) == b'9' || byte(id, 12).is_ascii_uppercase())
}
