//! Malaysia: MyKad number.
//!
//! Issuer: Jabatan Pendaftaran Negara. Positions: 1-6 birth date, 7-8 place, 9-12 serial. Check rule: date and
//! place. Example: `770305-02-1234`. Source: National Registration Regulations 1990.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_yymmdd, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "my.nric",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &["999999-99-9999", "999999 99 9999"],
    odds: 35,
    alone: Alone::Grouped,
    check,
    cues: &[
        "mykad",
        "ic number",
        "nric malaysia",
        "no kad pengenalan",
        "kad pengenalan",
        "no. kad pengenalan",
        "ic no",
        "no ic",
    ],
    examples: &["770305-02-1234"],
};

fn check(id: &[u8]) -> bool {
    is_yymmdd(id, 0) && !matches!(number(id, 6, 2), 0 | 17..=20 | 69 | 70 | 73 | 80 | 81 | 94..=97)
}
