//! Finland: henkilötunnus.
//!
//! Issuer: Digi- ja väestötietovirasto. Positions: 1-6 birth date (day, month, year), 7 century (`+`, `-` or Y-U,
//! A-F), 8-10 serial, 11 check character. Check rule: date and serial as one number mod 31 pick from
//! 0123456789ABCDEFHJKLMNPRSTUVWXY. Example: `131052-308T`. Source: Decree 128/2010, 690/2022.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, is_ddmmyy, number};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "fi.hetu",
    category: Category::NationalId,
    shapes: &["999999A999*", "999999999*"],
    grouped: &["999999-999*", "999999+999*", "999999A999*"],
    odds: 1000,
    alone: Alone::Grouped,
    check,
    cues: &["henkilötunnus", "hetu", "henkilotunnus", "personbeteckning", "sotu", "henkilötunnus hetu"],
    examples: &["131052-308T", "041004A220S"],
};

fn check(id: &[u8]) -> bool {
    let tail = id.len().saturating_sub(4);
    let check = (number(id, 0, 6) * 1000 + number(id, tail, 3)) % 31;
    let century = id.len() == 10 || b"YXWVUABCDEF".contains(&byte(id, 6));
    century
        && is_ddmmyy(id, 0)
        && b"0123456789ABCDEFHJKLMNPRSTUVWXY".get(usize::try_from(check).unwrap_or(99))
            == Some(&byte(id, tail + 3))
}
