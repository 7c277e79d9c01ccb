//! Germany: Nummer des Personalausweises.
//!
//! Issuer: municipality. Positions: nine digits and letters (no vowels, no B, D, Q, S), one check digit. Check
//! rule: 7-3-1 weights, letters from A = 10, mod 10. Example: `T220001293`. Source: PAuswV, ICAO 9303.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, seven_three_one};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "de.ausweis",
    category: Category::NationalId,
    shapes: &["A********9"],
    grouped: &[],
    odds: 30,
    alone: Alone::Never,
    check,
    cues: &[
        "personalausweisnummer",
        "personalausweis",
        "ausweisnummer",
        "personalausweis-nr",
        "ausweis-nr",
        "ausweis nr",
        "perso-nr",
    ],
    examples: &["T220001293", "L01X00T471"],
};

fn check(id: &[u8]) -> bool {
    seven_three_one(part(id, 0, 9)) == digit(id, 9)
        && part(id, 0, 9).iter().all(|byte| byte.is_ascii_digit() || b"CFGHJKLMNPRTVWXYZ".contains(byte))
        && part(id, 0, 9).iter().any(u8::is_ascii_digit)
}
