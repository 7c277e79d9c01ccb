//! Austria: Sozialversicherungsnummer.
//!
//! Issuer: social insurance. Positions: 1-3 serial, the first not 0; 4 check digit; 5-10 day, month and year of
//! birth (months 13-15 when a day is used up). Check rule: weights 3 7 9 0 5 8 4 2 1 6, the sum mod 11 is digit 4;
//! 10 is not issued. Example: `2703240376`. Source: Dachverband der Sozialversicherungsträger.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, number, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "at.svnr",
    category: Category::NationalId,
    shapes: &["9999999999"],
    grouped: &["9999 999999", "9999-999999"],
    odds: 250,
    alone: Alone::Never,
    check,
    cues: &["sv-nr", "svnr", "sozialversicherungsnummer österreich", "sv-nummer", "e-card nummer", "vsnr"],
    examples: &["2703240376", "3330061002"],
};

fn check(id: &[u8]) -> bool {
    digit(id, 0) != 0
        && weighted(id, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 == digit(id, 3)
        && (1..=15).contains(&number(id, 6, 2))
        && (1..=31).contains(&number(id, 4, 2))
}
