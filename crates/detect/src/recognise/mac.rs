//! Hardware addresses of network interfaces.
//!
//! Issuer: IEEE Registration Authority (OUI, positions 1-6) and the maker (positions 7-12). Format: six pairs of hex
//! digits by `:` or `-`, eight for EUI-64, or three groups of four by dots. Check rule: none; a longer chain of pairs
//! (fingerprints) is no address, nor are all ones or all zeros. `00:1B:44:11:3A:B7` is one; `12-34-56-78-90-12`, digits
//! by dashes, is a number. Source: IEEE 802-2014 section 8, "Guidelines for Use of EUI".
//!
//! In: text and a word start. Out: one hit. Invariant: reads at most 24 bytes. Not here: addresses without separators.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier};

/// Reports the address that begins at `start`, a hex digit.
pub(super) fn mac_at(text: &str, start: usize) -> Option<Hit> {
    let (separator, width) = match (at(text, start + 2), at(text, start + 4)) {
        (separator @ (b':' | b'-'), _) => (separator, 2),
        (_, b'.') => (b'.', 4),
        _ => return None,
    };
    let previous = before(text, start);
    // `[.1FD7.0020.0002]` is a weight of collation.
    if is_identifier(previous)
        || (separator == b'.' && previous == b'.')
        || (previous == separator && at_hex(text, start.wrapping_sub(2)))
    {
        return None;
    }
    let groups = count_groups(text, start, separator, width);
    let wanted = if width == 2 { groups == 6 || (groups == 8 && separator == b':') } else { groups == 3 };
    let end = start + groups * (width + 1) - 1;
    let next = at(text, end);
    if !wanted || is_identifier(next) || (next == separator && at_hex(text, end + 1)) {
        return None;
    }
    let address = text.get(start..end)?;
    let digits = || address.bytes().filter(u8::is_ascii_hexdigit);
    let letters = digits().any(|digit| digit.is_ascii_alphabetic());
    let first = at(text, start);
    let constant =
        matches!(first, b'0' | b'f' | b'F') && digits().all(|digit| digit.eq_ignore_ascii_case(&first));
    // only a colon tells digits alone from dates and numbers
    let shaped = letters || separator == b':';
    (shaped && !constant).then(|| Hit::new(start, end, Category::MacAddress, "mac", Strength::Checked))
}

fn at_hex(text: &str, index: usize) -> bool {
    at(text, index).is_ascii_hexdigit()
}

/// Number of groups of exactly `width` hex digits in the chain.
fn count_groups(text: &str, start: usize, separator: u8, width: usize) -> usize {
    let mut groups = 0;
    let mut position = start;
    while groups < 9 && (position..position + width).all(|index| at_hex(text, index)) {
        groups += 1;
        position += width;
        if at(text, position) != separator {
            break;
        }
        position += 1;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::MacAddress;

    #[test]
    fn addresses() {
        check_words(
            MacAddress,
            &[
                "at «00:1B:44:11:3A:B7» on eth0",
                "«00-1b-44-11-3a-b7»",
                "«001b.4411.3ab7».",
                "«00:11:22:33:44:55»",
                "é«aa:bb:cc:dd:ee:f0»é",
                "=«02:42:ac:11:00:02»,",
                "«00:1b:44:ff:fe:11:3a:b7»",
            ],
        );
    }

    #[test]
    fn look_alikes() {
        check_words(
            MacAddress,
            &[
                "ff:ff:ff:ff:ff:ff",
                "00:00:00:00:00:00",
                "00:1B:44:11:3A",
                "00:1B:44:11:3A:B7:99",
                "00:1B:44:11:3A:B77",
                "12-34-56-78-90-12",
                "SHA1 aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd",
                "12:34:56",
                "x00:1B:44:11:3A:B7",
                "00:1B-44:11:3A:B7",
                "1234.5678.9012",
            ],
        );
    }
}
