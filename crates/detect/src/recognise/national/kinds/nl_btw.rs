//! Netherlands: btw-identificatienummer.
//!
//! Issuer: Belastingdienst. Positions: `NL`, nine digits, `B`, two digits. Check rule: letters as numbers from A =
//! 10, the whole mod 97 is 1; or the first nine digits pass the eleven test. Example: `NL220857633B41`. Source:
//! Belastingdienst, btw-id.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, remainder, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "nl.btw",
    category: Category::TaxId,
    shapes: &["NL999999999B99"],
    grouped: &["NL999.999.999.B99", "NL 999999999B99", "NL 999999999 B99", "NL999999999.B99"],
    odds: 1000,
    alone: Alone::Always,
    check,
    cues: &[
        "btw",
        "btw-nummer",
        "btw nummer",
        "btw-id",
        "btw-nr",
        "btw-identificatienummer",
        "omzetbelastingnummer",
    ],
    examples: &["NL220857633B41", "NL029584115B14"],
};

fn check(id: &[u8]) -> bool {
    remainder(id, 97) == 1
        || (weighted(part(id, 2, 8), &[9, 8, 7, 6, 5, 4, 3, 2]) + 99 - digit(id, 10)).is_multiple_of(11)
}
