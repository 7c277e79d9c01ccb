//! France: relevé d'identité bancaire.
//!
//! Issuer: Banque de France. Positions: 1-5 bank, 6-10 office, 11-21 account (letters and digits), 22-23 key. Check
//! rule: letters as digits (AJ 1, BKS 2 ... IRZ 9); 89 times bank, 15 times office, 3 times account and the key
//! make a multiple of 97. Example: `20041010050500013M02606`. Source: AFB, RIB.

use cloakgate_vocab::Category;

use super::super::arithmetic::{letter_value, number, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fr.rib",
    category: Category::BankAccount,
    shapes: &["9999999999***********99"],
    grouped: &["99999 99999 *********** 99"],
    odds: 97,
    alone: Alone::Never,
    check,
    cues: &["rib", "relevé d'identité bancaire", "n° de compte", "numéro de compte", "compte bancaire"],
    examples: &["20041010050500013M02606"],
};

fn check(id: &[u8]) -> bool {
    let account = part(id, 10, 11).iter().fold(0_u64, |value, byte| value * 10 + u64::from(folded(*byte)));
    (89 * number(id, 0, 5) + 15 * number(id, 5, 5) + 3 * account + number(id, 21, 2)).is_multiple_of(97)
}

/// Letters of an account as digits.
fn folded(byte: u8) -> u32 {
    match byte {
        b'A'..=b'I' => u32::from(byte - b'A') + 1,
        b'J'..=b'R' => u32::from(byte - b'J') + 1,
        b'S'..=b'Z' => u32::from(byte - b'S') + 2,
        _ => letter_value(byte),
    }
}
