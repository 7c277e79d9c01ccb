//! Brazil: CNH, driving licence.
//!
//! Issuer: Senatran. Positions: nine digits, two check digits. Check rule: weights 9 to 1 mod 11, then 1 to 9 mod
//! 11, less 2 when the first is 10. Example: `62472927637`. Source: Resolução Contran.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "br.cnh",
    category: Category::DriverLicense,
    shapes: &["99999999999"],
    grouped: &[],
    odds: 100,
    alone: Alone::Never,
    check,
    cues: &[
        "cnh",
        "registro cnh",
        "carteira de motorista",
        "carteira nacional de habilitação",
        "habilitação",
    ],
    examples: &["62472927637"],
};

fn check(id: &[u8]) -> bool {
    let (first, less) = match weighted(id, &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 {
        10 => (0, 2),
        value => (value, 0),
    };
    let second = match (weighted(id, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 + 11 - less) % 11 {
        10 => 0,
        value => value,
    };
    first == digit(id, 9) && second == digit(id, 10) && !is_repetition(id)
}
