//! Spain: CIF, NIF of companies.
//!
//! Issuer: Agencia Tributaria. Positions: one letter (kind), seven digits, one check digit or letter. Check rule:
//! Luhn's sum of the seven digits; the check is what is missing to ten, as a digit or as a letter of JABCDEFGHI.
//! Example: `H46995163`. Source: Orden EHA/451/2008.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, digit, luhn_sum, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "es.cif",
    category: Category::TaxId,
    shapes: &["A9999999*"],
    grouped: &["A-9999999*", "A-99999999", "A99999999"],
    odds: 20,
    alone: Alone::Never,
    check,
    cues: &["cif", "c.i.f.", "nif empresa", "cif/nif", "nif fiscal"],
    examples: &["H46995163", "F7669010F"],
};

fn check(id: &[u8]) -> bool {
    // The sum as if a check digit followed.
    let check = (10 - luhn_sum(&[part(id, 1, 7), b"0"].concat()) % 10) % 10;
    b"ABCDEFGHJNPQRSUVW".contains(&byte(id, 0))
        && match byte(id, 8) {
            last if last.is_ascii_digit() => digit(id, 8) == check,
            last => b"JABCDEFGHI".get(usize::try_from(check).unwrap_or(0)) == Some(&last),
        }
}
