//! Germany: Umsatzsteuer-Identifikationsnummer.
//!
//! Issuer: Bundeszentralamt für Steuern. Positions: `DE`, eight digits, one check digit. Check rule: ISO 7064 MOD
//! 11,10. Example: `DE134130511`. Source: § 27a UStG.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, mod_11_10, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "de.vat",
    category: Category::TaxId,
    shapes: &["DE999999999"],
    grouped: &["DE 999999999", "DE 999 999 999"],
    odds: 500,
    alone: Alone::Always,
    check,
    cues: &[
        "ust-id",
        "ust-idnr",
        "ust id",
        "ustid",
        "umsatzsteuer-id",
        "umsatzsteuer-identifikationsnummer",
        "ust-id-nr",
        "vat de",
    ],
    examples: &["DE134130511", "DE261588894"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 2) != 0 && mod_11_10(part(id, 2, 9))
}
