//! Indonesia: NPWP.
//!
//! Issuer: Direktorat Jenderal Pajak. Positions: nine digits, three of the office, three of the branch. Check rule:
//! Luhn's rule over the first nine. Example: `013000666091000`. Source: DJP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "id.npwp",
    category: Category::TaxId,
    shapes: &["999999999999999"],
    grouped: &["99.999.999.9-999.999"],
    odds: 10,
    alone: Alone::Grouped,
    check,
    cues: &["npwp", "nomor pokok wajib pajak", "no npwp"],
    examples: &["013000666091000"],
};

fn check(id: &[u8]) -> bool {
    luhn(part(id, 0, 9))
}
