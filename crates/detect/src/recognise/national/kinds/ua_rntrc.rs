//! Ukraine: РНОКПП, ІПН.
//!
//! Issuer: State tax service. Positions: 1-5 days since 1899-12-31, 6-9 serial and sex, 10 check. Check rule:
//! weights -1 5 7 9 4 6 10 5 7, the sum mod 11 mod 10. Example: `2688644740`. Source: Order 822 (2017).

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "ua.rntrc",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &[],
    odds: 20,
    alone: Alone::Never,
    check,
    cues: &["рнокпп", "іпн", "ипн", "ідентифікаційний код", "ідентифікаційний номер", "ipn", "rnokpp", "інн"],
    examples: &["2688644740", "2157099283"],
};

fn check(id: &[u8]) -> bool {
    let sum = weighted(id, &[0, 5, 7, 9, 4, 6, 10, 5, 7]) + 110 - digit(id, 0);
    sum % 11 % 10 == digit(id, 9) && number(id, 0, 5) < 51_000 && number(id, 0, 5) > 0
}
