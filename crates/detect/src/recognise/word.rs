//! What begins at the start of a word: the gate before all recognisers of words.
//!
//! In: text and the offset of the first byte of a word (a run of letters and digits; words that begin with a digit
//! too). Out: hits. Invariant: a word that is nothing is rejected by a look at its first four bytes and one table; the
//! left boundary is checked by each recogniser. Not here: the formats.

use super::boundary::{at, run_end};
use super::{Hit, azure, hex_key, iban, ipv6, jwt, mac, vendor, wallet};

/// Reports what begins at `start`.
pub(crate) fn word_at(text: &str, start: usize, out: &mut Vec<Hit>) {
    let Some(&[first, second, third, fourth]) =
        text.as_bytes().get(start..).and_then(|rest| rest.first_chunk::<4>())
    else {
        return;
    };
    if first >= 0x80 {
        return;
    }
    if vendor::may_begin([first, second, third]) {
        vendor::vendor_at(text, start, out);
        if (first, second, third) == (b'e', b'y', b'J') {
            out.extend(jwt::jwt_at(text, start));
        }
    }
    if first.is_ascii_alphabetic()
        && second.is_ascii_alphabetic()
        && third.is_ascii_digit()
        && fourth.is_ascii_digit()
    {
        out.extend(iban::iban_at(text, start));
    }
    if first.is_ascii_hexdigit() {
        hexadecimal(text, start, out);
    }
    if wallet::may_begin(first, second) {
        out.extend(wallet::wallet_at(text, start));
    }
    out.extend(azure::client_secret_at(text, start));
}

/// Addresses and keys whose first group is hex digits: a separator must follow within a few bytes.
fn hexadecimal(text: &str, start: usize, out: &mut Vec<Hit>) {
    let end = run_end(text, start, 5, |byte| byte.is_ascii_hexdigit());
    match (end - start, at(text, end)) {
        (2, b':' | b'-') | (4, b'.') => {
            out.extend(mac::mac_at(text, start));
            out.extend(ipv6::ipv6_at(text, start));
        }
        (1..=4, b':') => out.extend(ipv6::ipv6_at(text, start)),
        (1..=4, _) if start > 1 && at(text, start - 1) == b':' && at(text, start - 2) == b':' => {
            out.extend(ipv6::ipv6_at(text, start));
        }
        (5, _) => {
            out.extend(hex_key::hex_key_at(text, start));
            out.extend(vendor::bot_token_at(text, start));
        }
        _ => {}
    }
}
