//! Slovenia: davčna številka.
//!
//! Issuer: FURS. Positions: seven digits, the first not 0, one check digit. Check rule: weights 8 to 2, 11 less the
//! sum mod 11, 10 is 0. Example: `51308363`. Source: ZDavP-2.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "si.davcna",
    category: Category::TaxId,
    shapes: &["99999999", "SI99999999"],
    grouped: &["SI 99999999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["davčna številka", "davcna stevilka", "id za ddv", "davčna št"],
    examples: &["51308363", "78604753"],
};

fn check(id: &[u8]) -> bool {
    let tail = part(id, id.len().saturating_sub(8), 8);
    digit(tail, 0) != 0 && (11 - weighted(tail, &[8, 7, 6, 5, 4, 3, 2]) % 11) % 10 == digit(tail, 7)
}
