//! Singapore: NRIC, FIN.
//!
//! Issuer: Immigration & Checkpoints Authority. Positions: S, T, F, G or M, seven digits, one letter. Check rule:
//! weights 2 7 6 5 4 3 2, plus 4 for T and G, 3 for M; mod 11 picks from JZIHGFEDCBA, XWUTRQPNMLK or KLJNPQRTUWX.
//! Example: `S1234567D`. Source: ICA.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, part, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "sg.nric",
    category: Category::NationalId,
    shapes: &["A9999999A"],
    grouped: &[],
    odds: 80,
    alone: Alone::Never,
    check,
    cues: &["nric", "nric no", "fin number", "nric/fin", "fin no", "nric number"],
    examples: &["S1234567D", "G1234567X"],
};

fn check(id: &[u8]) -> bool {
    let more = match byte(id, 0) {
        b'T' | b'G' => 4,
        b'M' => 3,
        _ => 0,
    };
    let rest = usize::try_from((weighted(part(id, 1, 7), &[2, 7, 6, 5, 4, 3, 2]) + more) % 11).unwrap_or(0);
    let letters: &[u8] = match byte(id, 0) {
        b'S' | b'T' => b"JZIHGFEDCBA",
        b'F' | b'G' => b"XWUTRQPNMLK",
        b'M' => b"XWUTRQPNJLK",
        _ => return false,
    };
    letters.get(rest) == Some(&byte(id, 8))
}
