//! Stand-ins that are UUIDs or network addresses.
//!
//! UUID: version 8 of RFC 9562. Number in 8 digits, spelling in 4, category in 3, then 15 digits (60 bits) that
//! verify these. IPv6: `2001:db8:`, number in two groups, spelling and category in one, then 48 bits that verify.
//! IPv4: `240.0.0.0/4` (reserved, RFC 1112) has 28 bits, which carry a permuted number.

use std::net::{Ipv4Addr, Ipv6Addr};

use cloakgate_vocab::{Category, Spelling, TokenId};

use super::permutation::Numbering;
use crate::keys::SessionKeys;

/// Characters of a UUID.
pub(crate) const UUID_LEN: usize = 36;

/// Categories that have an IPv4 address. Entries are added at the end only.
const OF_IPV4: &[Category] = &[Category::IpAddress, Category::Opaque, Category::Custom, Category::Literal];
/// First address of the reserved range, which has 28 bits.
const IPV4_FIRST: u32 = 240 << 24;
const IPV4: Numbering<'static> =
    Numbering { categories: OF_IPV4, slots: 8, size: (1 << 28) - 1, redundancy: 7, tweak: b"ipv4" };

/// Writes the UUID of an id.
pub(super) fn uuid(id: TokenId, keys: &SessionKeys) -> Option<String> {
    let spelling = u16::try_from(id.spelling.index()).ok()?;
    let check = check(b"uuid", id, keys) & 0x0fff_ffff_ffff_ffff;
    let category = category_number(id.category)?;
    let (high, low) = (check >> 48, check & 0xffff_ffff_ffff);
    Some(format!("{:08x}-{spelling:04x}-8{category:03x}-8{high:03x}-{low:012x}", id.number))
}

/// Reads a UUID that verifies, in any case.
pub(crate) fn read_uuid(text: &str, keys: &SessionKeys) -> Option<TokenId> {
    let mut groups = text.split('-');
    let mut group = |len: usize| {
        let digits = groups.next().filter(|digits| digits.len() == len)?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok())?
    };
    let (number, spelling, category) = (group(8)?, group(4)?, group(4)?.checked_sub(0x8000)?);
    let (_, _) = (group(4)?, group(12)?);
    let id = TokenId {
        category: Category::all().find(|known| category_number(*known) == u16::try_from(category).ok())?,
        number: u32::try_from(number).ok()?,
        spelling: Spelling::new(u32::try_from(spelling).ok()?),
    };
    text.eq_ignore_ascii_case(&uuid(id, keys)?).then_some(id)
}

/// Writes the IPv4 address of an id.
pub(super) fn ipv4(id: TokenId, keys: &SessionKeys) -> Option<String> {
    let number = u32::try_from(IPV4.number(id, keys)?).ok()?;
    Some(Ipv4Addr::from(IPV4_FIRST + number).to_string())
}

/// Writes the IPv6 address of an id.
pub(super) fn ipv6(id: TokenId, keys: &SessionKeys) -> Option<String> {
    let spelling = u128::from(u8::try_from(id.spelling.index()).ok()?);
    let category = u128::from(u8::try_from(category_number(id.category)?).ok()?);
    let check = u128::from(check(b"ipv6", id, keys) & 0xffff_ffff_ffff);
    let bits = 0x2001_0db8_u128 << 96 | u128::from(id.number) << 64 | spelling << 56 | category << 48 | check;
    Some(Ipv6Addr::from(bits).to_string())
}

/// Reads an address that verifies.
pub(super) fn read_ip(text: &str, keys: &SessionKeys) -> Option<TokenId> {
    if !text.starts_with('2') || text.len() > 45 {
        return None;
    }
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return IPV4.id(u64::from(u32::from(address).checked_sub(IPV4_FIRST)?), keys);
    }
    let bits = u128::from(text.parse::<Ipv6Addr>().ok()?);
    let byte = |shift: u32| u32::from((bits >> shift) as u8);
    let id = TokenId {
        category: Category::all().find(|known| category_number(*known).map(u32::from) == Some(byte(48)))?,
        number: (bits >> 64) as u32,
        spelling: Spelling::new(byte(56)),
    };
    (ipv6(id, keys)?.parse() == Ok(Ipv6Addr::from(bits))).then_some(id)
}

/// The number that a category has in all releases.
fn category_number(category: Category) -> Option<u16> {
    super::shape::position(category)
}

fn check(family: &[u8], id: TokenId, keys: &SessionKeys) -> u64 {
    let tag = keys.stand_in_tag(&[
        family,
        id.category.name().as_bytes(),
        &id.number.to_be_bytes(),
        &id.spelling.index().to_be_bytes(),
    ]);
    tag.iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}
