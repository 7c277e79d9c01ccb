//! Switzerland: AHV-Nummer, numéro AVS.
//!
//! Issuer: Zentrale Ausgleichsstelle. Positions: 756, nine digits, one check digit. Check rule: as in article
//! numbers: weights 1 and 3 in turn, the sum and the check digit make a multiple of ten. Example: `7561556972669`.
//! Source: AHVV, article 133bis.

use cloakgate_vocab::Category;

use super::super::arithmetic::{number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ch.ahv",
    category: Category::NationalId,
    shapes: &["9999999999999"],
    grouped: &["999.9999.9999.99", "999 9999 9999 99"],
    odds: 10000,
    alone: Alone::Always,
    check,
    cues: &[
        "ahv",
        "avs",
        "ahv-nummer",
        "ahv-nr",
        "n° avs",
        "numéro avs",
        "numero avs",
        "avs/ahv",
        "ahv nummer",
        "nss suisse",
        "avs-nr",
        "sozialversicherungsnummer ahv",
    ],
    examples: &["7561556972669", "7567510929892"],
};

fn check(id: &[u8]) -> bool {
    number(id, 0, 3) == 756 && weighted(id, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}
