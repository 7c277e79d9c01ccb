//! France: numéro de TVA intracommunautaire.
//!
//! Issuer: Direction générale des finances publiques. Positions: `FR`, two check digits, nine digits of the
//! company. Check rule: 12 and three times the SIREN mod 97, mod 97. Example: `FR90775921844`. Source: CGI, annexe
//! 3, art. 242.

use cloakgate_vocab::Category;

use super::super::arithmetic::{luhn, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fr.tva",
    category: Category::TaxId,
    shapes: &["FR99999999999"],
    grouped: &["FR 99 999 999 999", "FR 99 999999999", "FR99 999 999 999"],
    odds: 900,
    alone: Alone::Always,
    check,
    cues: &["tva", "n° tva", "numéro de tva", "tva intracommunautaire", "n° tva intracommunautaire"],
    examples: &["FR90775921844", "FR72262648181"],
};

fn check(id: &[u8]) -> bool {
    (12 + 3 * (number(id, 4, 9) % 97)) % 97 == number(id, 2, 2) && luhn(part(id, 4, 9))
}
