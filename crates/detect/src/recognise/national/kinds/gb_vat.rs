//! United Kingdom: VAT registration number.
//!
//! Issuer: HMRC. Positions: `GB`, seven digits, two check digits. Check rule: weights 8 to 2 and the two digits:
//! the sum mod 97 is 0, 42 or 55. Example: `GB986835550`. Source: HMRC, VAT notice 700.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "gb.vat",
    category: Category::TaxId,
    shapes: &["GB999999999", "GB999999999999"],
    grouped: &["GB 999 9999 99", "GB 999999999"],
    odds: 300,
    alone: Alone::Always,
    check,
    cues: &["vat number", "vat no", "vat reg no", "vat registration number", "vat gb"],
    examples: &["GB986835550", "GB939361929"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(part(id, 2, 7), &[8, 7, 6, 5, 4, 3, 2]) + 10 * digit(id, 9) + digit(id, 10);
    matches!(sum % 97, 0 | 42 | 55)
}
