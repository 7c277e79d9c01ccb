//! Brazil: título de eleitor.
//!
//! Issuer: Tribunal Superior Eleitoral. Positions: 1-8 serial, 9-10 state, 11-12 check. Check rule: weights 2 to 9
//! mod 11, then 7 8 9 over state and check, mod 11, 10 is 0. Example: `004356870906`. Source: Resolução TSE 23.659.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "br.titulo",
    category: Category::NationalId,
    shapes: &["999999999999"],
    grouped: &["9999 9999 9999"],
    odds: 100,
    alone: Alone::Never,
    check,
    cues: &["título de eleitor", "titulo de eleitor", "título eleitoral"],
    examples: &["004356870906"],
};

fn check(id: &[u8]) -> bool {
    (1..=28).contains(&number(id, 8, 2))
        && weighted(id, &[2, 3, 4, 5, 6, 7, 8, 9]) % 11 % 10 == digit(id, 10)
        && weighted(part(id, 8, 3), &[7, 8, 9]) % 11 % 10 == digit(id, 11)
}
