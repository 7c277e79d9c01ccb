//! What begins at the start of a word: the gate before all recognisers of words.
//!
//! In: text and the offset of the first byte of a word (a run of letters and digits; words that begin with a digit
//! too). Out: hits. Invariant: a word that is nothing is rejected by its first eight bytes without a loop; the left
//! boundary is checked by each recogniser. Not here: the formats.

use super::boundary::{at, before, run_end};
use super::{
    Hit, accounts, azure, crypt_hash, discord, hex_key, iban, inner_mark, ipv6, jwt, legacy_vault, mac,
    named_key, national, putty, vendor, wallet,
};

/// Reports what begins at `start`.
#[inline]
pub(crate) fn word_at(text: &str, start: usize, out: &mut Vec<Hit>) {
    let Some(rest) = text.as_bytes().get(start..) else { return };
    let head = match rest.first_chunk::<8>() {
        Some(head) => *head,
        None => padded(rest),
    };
    if may_begin(head, before(text, start)) {
        ask_all(text, start, head, out);
    }
}

/// False when nothing can begin with the text, whatever its end.
pub(crate) fn may_begin_word(text: &str) -> bool {
    text.as_bytes().first_chunk::<8>().is_none_or(|head| may_begin(*head, 0))
}

/// The last bytes of a text, filled up with NUL.
#[cold]
fn padded(rest: &[u8]) -> [u8; 8] {
    let mut head = [0; 8];
    for (place, byte) in head.iter_mut().zip(rest) {
        *place = *byte;
    }
    head
}

/// The first five bytes of each kind, as classes: `A` letter, `D` digit, `H` hex digit, `W` letter or digit, `~` any byte,
/// `-` a `-` or `:`, `$` first letter of a base58 address, `!+^=` the first letters of a decimal number in base64, `P`
/// itself, `K` the first letter of `sk`, `pk`, `rk`, `J` what ends a head that is a word, else the byte in any case.
const HEADS: [&[u8; 5]; 35] = [
    b"AADD~", b"HH-HH", b"HHHH.", b"H:~~~", b"HH:~~", b"HHH:~", b"HHHH:", b"HHHHH", b"$WWWW", b"0xHHH",
    b"bc1WW", b"tb1WW", b"ltc1W", b"addr1", b"stake", b"cosmo", b"nsec1", b"xpWWW", b"!+^=W", b"atlas",
    b"mmk~~", b"s.WWW", b"Priva", b"nPriv", b"KkJ~~", b"keyJ~", b"token", b"secre", b"apiJ~", b"acces",
    b"authJ", b"P<WWW", b"i<WWW", b"a<WWW", b"c<WWW",
];

/// For each of the five places and each byte: which heads it fits, one bit each.
static FITS: [[u64; 256]; 5] = {
    let mut tables = [[0; 256]; 5];
    let mut place = 0;
    while place < 5 {
        let mut byte = 0;
        while byte < 256 {
            let mut head = 0;
            while head < HEADS.len() {
                #[expect(
                    clippy::indexing_slicing,
                    reason = "evaluated by the compiler only, and bounded by the loops"
                )]
                if fits(HEADS[head][place], byte as u8) {
                    tables[place][byte] |= 1 << head;
                }
                head += 1;
            }
            byte += 1;
        }
        place += 1;
    }
    tables
};

const fn fits(class: u8, byte: u8) -> bool {
    match class {
        b'A' => byte.is_ascii_alphabetic(),
        b'D' => byte.is_ascii_digit(),
        b'H' => byte.is_ascii_hexdigit(),
        b'W' => byte.is_ascii_alphanumeric(),
        b'~' => true,
        b'-' => matches!(byte, b'-' | b':'),
        b'$' => wallet::is_first(byte),
        b'!' => matches!(byte, b'M'..=b'O'),
        b'+' => matches!(byte, b'D' | b'T' | b'j' | b'z'),
        b'^' => matches!(byte, b'A' | b'E' | b'I' | b'M' | b'Q' | b'U' | b'Y' | b'c' | b'g' | b'k'),
        b'=' => matches!(byte, b'w'..=b'z' | b'0'..=b'5'),
        b'P' => byte == b'P',
        b'K' => matches!(byte | 0x20, b's' | b'p' | b'r'),
        b'J' => matches!(byte, b'_' | b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'k'),
        exact => exact == byte.to_ascii_lowercase(),
    }
}

/// A superset of what the recognisers accept. One branch decides: each test by itself is hard to predict, and a table
/// look is cheaper than a wrong guess.
#[inline]
fn may_begin(head: [u8; 8], previous: u8) -> bool {
    let [first, second, third, ..] = head;
    let masks = FITS.iter().zip(head).map(|(table, byte)| table.get(usize::from(byte)).copied().unwrap_or(0));
    let family = masks.fold(u64::MAX, |all, mask| all & mask) != 0;
    let compressed = (previous == b':') & first.is_ascii_hexdigit();
    let behind_dollar = previous == b'$';
    vendor::may_begin([first, second, third]) | family | compressed | behind_dollar | has_tilde(head)
}

/// True when a `~` is among the eight bytes: the one mark of a client secret of Entra ID.
#[inline]
fn has_tilde(head: [u8; 8]) -> bool {
    let different = u64::from_le_bytes(head) ^ u64::from_le_bytes([b'~'; 8]);
    different.wrapping_sub(0x0101_0101_0101_0101) & !different & 0x8080_8080_8080_8080 != 0
}

#[inline(never)]
fn ask_all(text: &str, start: usize, head: [u8; 8], out: &mut Vec<Hit>) {
    let [first, second, third, fourth, ..] = head;
    if vendor::may_begin([first, second, third]) {
        vendor::vendor_at(text, start, out);
        if (first, second, third) == (b'e', b'y', b'J') {
            out.extend(jwt::jwt_at(text, start));
        }
    }
    let country = first.is_ascii_alphabetic() && second.is_ascii_alphabetic();
    if country && third.is_ascii_digit() && fourth.is_ascii_digit() {
        out.extend(iban::iban_at(text, start));
    }
    if first.is_ascii_hexdigit() {
        hexadecimal(text, start, out);
    }
    match (first, second) {
        (b'M'..=b'O', b'D' | b'T' | b'j' | b'z') => out.extend(discord::bot_token_at(text, start)),
        (b'a', b't') => out.extend(inner_mark::terraform_at(text, start)),
        (b'm', b'm') => out.extend(inner_mark::maxmind_at(text, start)),
        (b's', b'.') => out.extend(legacy_vault::legacy_token_at(text, start)),
        (b'P' | b'I' | b'A' | b'C', b'<') => out.extend(national::mrz::mrz_at(text, start)),
        (b'P', b'r') => out.extend(putty::putty_at(text, start)),
        // the tail of an escaped line break, which is no word
        (b'n', b'P') if before(text, start) == b'\\' => out.extend(putty::putty_at(text, start + 1)),
        _ => {}
    }
    if matches!(first | 0x20, b'a' | b'k' | b'p' | b'r' | b's' | b't') {
        out.extend(named_key::named_key_at(text, start));
    }
    if before(text, start) == b'$' {
        out.extend(crypt_hash::crypt_hash_at(text, start));
    }
    out.extend(wallet::wallet_at(text, start));
    if has_tilde(head) {
        out.extend(azure::client_secret_at(text, start));
    }
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
            out.extend(accounts::application_token_at(text, start));
        }
        _ => {}
    }
}
