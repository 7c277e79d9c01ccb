//! Internet addresses of version 6.
//!
//! Issuer: IANA and the regional registries. Format: eight groups of up to four hex digits by `:`, one run of zero
//! groups as `::`, the last two groups also as an IPv4 address, a zone behind `%` (RFC 4291 section 2.2, RFC 4007
//! section 11). Check rule: the form parses; compressed forms also begin in a range that is assigned (2000::/3, fc00::/7,
//! fe80::/10, 64:ff9b::/96, ::ffff:0:0/96), which `std::vec`, `a::b` and `12:34:56` do not.
//! `2001:db8::8a2e:370:7334` is an address. `::`, `::1` and multicast (ff00::/8) say nothing about anybody.
//!
//! In: text and a word start. Out: one hit. Invariant: reads at most 64 bytes. Not here: prefixes and ports.

use std::net::Ipv6Addr;

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier, run_end};

const MAX_ADDRESS: usize = 45;

/// Reports the address that begins at `start` or with a `::` before it.
pub(super) fn ipv6_at(text: &str, start: usize) -> Option<Hit> {
    let first = run_end(text, start, 5, |byte| byte.is_ascii_hexdigit());
    let compressed_head = before(text, start) == b':';
    if first - start > 4 || (at(text, first) != b':' && !compressed_head) {
        return None;
    }
    let start = if compressed_head { start.checked_sub(2)? } else { start };
    let previous = before(text, start);
    if (compressed_head && at(text, start) != b':')
        || is_identifier(previous)
        || matches!(previous, b':' | b'.')
    {
        return None;
    }
    let run =
        run_end(text, start, MAX_ADDRESS + 1, |byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'));
    let mut end = run;
    while at(text, end.wrapping_sub(1)) == b'.'
        || (before(text, end) == b':' && before(text, end - 1) != b':')
    {
        end -= 1;
    }
    if is_identifier(at(text, run)) {
        return None;
    }
    let address: Ipv6Addr = text.get(start..end)?.parse().ok()?;
    let written = text.get(start..end)?;
    if !is_plausible(written, address) {
        return None;
    }
    let end = zone_end(text, end);
    Some(Hit::new(start, end, Category::IpAddress, "ipv6", Strength::Checked))
}

fn is_plausible(written: &str, address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    if address.is_loopback() || address.is_unspecified() || address.is_multicast() {
        return false;
    }
    if !written.contains("::") {
        // eight pairs are a longer hardware address
        return written.split(':').any(|group| group.len() > 2);
    }
    let assigned = matches!(first, 0x2000..=0x3fff | 0xfc00..=0xfdff | 0xfe80..=0xfebf)
        || (first, second) == (0x64, 0xff9b);
    let mapped = address.to_ipv4_mapped().is_some() && written.contains('.');
    let groups = written.split(':').filter(|group| !group.is_empty()).count();
    assigned || mapped || groups >= 5
}

/// `%eth0` behind the address.
fn zone_end(text: &str, end: usize) -> usize {
    if at(text, end) != b'%' || !at(text, end + 1).is_ascii_alphanumeric() {
        return end;
    }
    run_end(text, end + 1, 15, |byte| is_identifier(byte) || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::IpAddress;

    #[test]
    fn addresses() {
        check_words(
            IpAddress,
            &[
                "from «2001:db8::8a2e:370:7334» port",
                "«2001:db8:0:0:0:0:2:1».",
                "[«2001:db8::1»]:443",
                "«fe80::1ff:fe23:4567:890a%eth0»",
                "«::ffff:203.0.113.7»",
                "«fd00::1»/64",
                "«64:ff9b::cb00:7107»",
                "«6e40:4041:c617:e898:c11:40d2:c669:2eb4»",
                "é«2001:db8::1»é",
                "«2001:db8::»",
                "http://[«2001:db8::1»]/",
            ],
        );
    }

    #[test]
    fn look_alikes() {
        check_words(
            IpAddress,
            &[
                "std::vec",
                "a::b",
                "12:34:56",
                "::1",
                "::",
                "ff02::1",
                "dead::beef",
                "2001:db8::g",
                "2001:db8:::1",
                "x2001:db8::1",
                "2001:db8::12345",
                "00:1B:44:11:3A:B7",
                "1:2:3:4:5:6:7",
                "fe::fe()",
                "ab:cd:ef:01:23:45:67:89",
                "fade::new",
                "crate::fd::open",
            ],
        );
    }
}
