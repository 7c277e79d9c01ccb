//! New Zealand: IRD number.
//!
//! Issuer: Inland Revenue. Positions: seven or eight digits, one check digit. Check rule: weights 3 2 7 6 5 4 3 2,
//! 11 less the sum mod 11; when that is 10, weights 7 4 3 2 5 2 7 6. Example: `30371836`. Source: Inland Revenue,
//! RWT specification.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "nz.ird",
    category: Category::TaxId,
    shapes: &["999999999", "99999999"],
    grouped: &["999-999-999", "99-999-999"],
    odds: 11,
    alone: Alone::Never,
    check,
    cues: &["ird", "ird number", "ird no", "inland revenue number"],
    examples: &["30371836", "16854778"],
};

fn check(id: &[u8]) -> bool {
    let body = part(id, 0, id.len() - 1);
    let padded: Vec<u8> = std::iter::repeat_n(b'0', 8 - body.len()).chain(body.iter().copied()).collect();
    let check = |weights: &[u32]| (11 - weighted(&padded, weights) % 11) % 11;
    let first = check(&[3, 2, 7, 6, 5, 4, 3, 2]);
    let check = if first == 10 { check(&[7, 4, 3, 2, 5, 2, 7, 6]) } else { first };
    (10_000_000..150_000_000).contains(&number(id, 0, id.len())) && check == digit(id, id.len() - 1)
}
