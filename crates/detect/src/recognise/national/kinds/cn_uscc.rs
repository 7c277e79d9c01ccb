//! China: 统一社会信用代码.
//!
//! Issuer: State Administration for Market Regulation. Positions: 1 authority, 2 kind, 3-8 region, 9-17
//! organisation, 18 check. Check rule: powers of 3 mod 31 as weights over 0123456789ABCDEFGHJKLMNPQRTUWXY, 31 less
//! the sum mod 31. Example: `45726508NWGDY83M1F`. Source: GB 32100-2015.

use cloakgate_vocab::Category;

use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cn.uscc",
    category: Category::TaxId,
    shapes: &["9*999999**********"],
    grouped: &[],
    odds: 31,
    alone: Alone::Never,
    check,
    cues: &["统一社会信用代码", "社会信用代码", "纳税人识别号", "税号"],
    examples: &["45726508NWGDY83M1F", "78507485JGXG088AWK"],
};

fn check(id: &[u8]) -> bool {
    const LETTERS: &[u8; 31] = b"0123456789ABCDEFGHJKLMNPQRTUWXY";
    let value = |byte: u8| (0_u32..).zip(LETTERS).find(|(_, other)| **other == byte).map(|(value, _)| value);
    let Some(values) = id.iter().map(|byte| value(*byte)).collect::<Option<Vec<u32>>>() else { return false };
    let sum = values
        .iter()
        .take(17)
        .fold((0, 1), |(sum, weight), value| ((sum + value * weight) % 31, weight * 3 % 31))
        .0;
    Some(&((31 - sum) % 31)) == values.last()
}
