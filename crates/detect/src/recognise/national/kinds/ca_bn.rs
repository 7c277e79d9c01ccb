//! Canada: business number.
//!
//! Issuer: Canada Revenue Agency. Positions: nine digits, two letters of a programme, four digits. Check rule:
//! Luhn's rule over the nine. Example: `031081037RC0001`. Source: CRA.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, luhn, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ca.bn",
    category: Category::TaxId,
    shapes: &["999999999AA9999"],
    grouped: &["999999999 AA 9999", "999999999 AA9999", "99999 9999 AA9999"],
    odds: 500,
    alone: Alone::Always,
    check,
    cues: &["business number", "gst/hst number", "gst number", "hst number", "numéro d'entreprise"],
    examples: &["031081037RC0001", "938345592RC0001"],
};

fn check(id: &[u8]) -> bool {
    luhn(part(id, 0, 9))
        && [*b"RC", *b"RM", *b"RP", *b"RT", *b"RR", *b"RZ"].contains(&[byte(id, 9), byte(id, 10)])
}
