//! China: 公民身份号码, resident identity number.
//!
//! Issuer: Ministry of Public Security. Positions: 1-6 region, 7-14 birth date, 15-17 serial and sex, 18 check.
//! Check rule: ISO 7064 MOD 11-2; the check character may be X. Example: `11010519491231002X`. Source: GB
//! 11643-1999.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, is_yyyymmdd, mod_11_2, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cn.rid",
    category: Category::NationalId,
    shapes: &["999999999999999999", "99999999999999999A"],
    grouped: &["999999 99999999 999*", "999999-99999999-999*"],
    odds: 200000,
    alone: Alone::Always,
    check,
    cues: &[
        "身份证号码",
        "身份证",
        "身份证号",
        "公民身份号码",
        "居民身份证",
        "身份號碼",
        "身分证号",
        "证件号码",
        "身份证件号",
    ],
    examples: &["11010519491231002X"],
};

fn check(id: &[u8]) -> bool {
    matches!(number(id, 0, 2), 11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81 | 82 | 83 | 91)
        && is_yyyymmdd(id, 6)
        && (byte(id, 17).is_ascii_digit() || byte(id, 17) == b'X')
        && mod_11_2(id)
}
