//! Italy: partita IVA.
//!
//! Issuer: Agenzia delle Entrate. Positions: 1-7 serial, 8-10 province office, 11 check. Check rule: Luhn's rule.
//! Example: `09176320407`. Source: DPR 633/1972.

use cloakgate_vocab::Category;

use super::super::arithmetic::{luhn, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "it.piva",
    category: Category::TaxId,
    shapes: &["99999999999", "IT99999999999"],
    grouped: &["IT 99999999999"],
    odds: 12,
    alone: Alone::Never,
    check,
    cues: &["partita iva", "p.iva", "p. iva", "piva", "partita iva n.", "partitaiva"],
    examples: &["09176320407", "90875780794"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(11), 11);
    luhn(tail) && number(tail, 0, 7) > 0 && matches!(number(tail, 7, 3), 1..=100 | 120 | 121 | 888 | 999)
}
