//! Mexico: CURP.
//!
//! Issuer: RENAPO. Positions: 1-4 name, 5-10 birth date, 11 sex, 12-13 state, 14-16 consonants, 17 century, 18
//! check. Check rule: characters from 0 = 0, A = 10 (Ñ between N and O), weights 18 to 2, ten less the sum mod 10.
//! Example: `PEPJ840312HDFRRN09`. Source: Instructivo normativo CURP.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, is_yymmdd, part};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "mx.curp",
    category: Category::NationalId,
    shapes: &["AAAA999999AAAAAA*9"],
    grouped: &[],
    odds: 1000000,
    alone: Alone::Always,
    check,
    cues: &["curp", "clave curp", "clave única curp"],
    examples: &["PEPJ840312HDFRRN09", "BOXW310820HNERXN09"],
};

fn check(id: &[u8]) -> bool {
    is_yymmdd(id, 4) && matches!(byte(id, 10), b'H' | b'M' | b'X') && is_state(part(id, 11, 2))
}

/// Codes of the states, and `NE` for births abroad.
fn is_state(code: &[u8]) -> bool {
    const STATES: &[u8] = b"ASBCBSCCCLCMCSCHDFDGGTGRHGJCMCMNMSNTNLOCPLQTQRSPSLSRTCTSTLVZYNZSNE";
    STATES.chunks(2).any(|state| state == code)
}
