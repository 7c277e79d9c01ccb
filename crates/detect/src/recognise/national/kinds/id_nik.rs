//! Indonesia: NIK.
//!
//! Issuer: Direktorat Jenderal Dukcapil. Positions: 1-6 place, 7-12 birth date (day plus 40 for women), 13-16
//! serial. Check rule: date and province. Example: `3171015108700001`. Source: Undang-Undang 24/2013.

use cloakgate_vocab::Category;

use super::super::arithmetic::{is_day, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "id.nik",
    category: Category::NationalId,
    shapes: &["9999999999999999"],
    grouped: &["99.99.99.999999.9999"],
    odds: 35,
    alone: Alone::Grouped,
    check,
    cues: &["nik", "nomor induk kependudukan", "no ktp", "nomor ktp", "ktp", "no. ktp"],
    examples: &["3171015108700001"],
};

fn check(id: &[u8]) -> bool {
    (11..=94).contains(&number(id, 0, 2))
        && is_day(number(id, 8, 2), number(id, 6, 2) % 40)
        && number(id, 12, 4) > 0
}
