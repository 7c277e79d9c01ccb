//! Addresses and private keys of crypto-currencies.
//!
//! Formats and check rules:
//! - base58 with check bytes (`base58.rs`), 25 bytes: Bitcoin `1`, `3`; Litecoin `L`, `M`; Dogecoin `D`; Dash `X`; Tron `T`;
//!   Zcash `t1`, `t3`; XRP `r` (own letter order). Private keys in wallet import form (`5`, `K`, `L`, 51-52 letters) and
//!   extended keys (`xprv`, `xpub`, 111 letters).
//! - bech32 (`bech32.rs`): Bitcoin `bc1`, `tb1`; Litecoin `ltc1`; Cardano `addr1`, `stake1`; Cosmos `cosmos1`; Nostr keys `nsec1`.
//! - Ethereum and compatible: `0x` and 40 hex digits; in mixed case a digit is a capital when the matching digit of the
//!   Keccak-256 of the small letters is 8 or more (EIP-55): `0x52908400098527886E0F7030069857D2E4169EE7`. Another mixture is a
//!   weaker find. Behind words such as `commit` or `hash` it is none.
//! - Monero: 95 letters that begin with `4` or `8`, 106 with a payment id (its check uses another hash; length and letters decide).
//!
//! `1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2` is an address, `...NVN3` is none. Sources: BIP 13, 32, 173, 350; EIP-55; XRP Ledger docs;
//! Tron, Zcash and Monero protocol documents.
//!
//! In: text and a word start. Out: one hit over the whole word. Invariant: reads at most 130 bytes.
//! Not here: seed phrases, transaction hashes.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::base58::{Order, decode_checked};
use super::bech32::is_bech32;
use super::boundary::{at, before, is_identifier, reads, run_end, run_start};
use super::keccak::keccak256;
use super::plausible::has_spread;

const MAX_LETTERS: usize = 128;

/// First letters of base58 addresses and keys.
pub(super) const fn is_first(first: u8) -> bool {
    matches!(first, b'1' | b'3' | b'4' | b'5' | b'8' | b'D' | b'K' | b'L' | b'M' | b'T' | b't' | b'X' | b'r')
}

/// Reports the address or key that is the word at `start`.
pub(super) fn wallet_at(text: &str, start: usize) -> Option<Hit> {
    // every address is longer than nearly every word
    if !at(text, start + 24).is_ascii_alphanumeric() || !at(text, start + 12).is_ascii_alphanumeric() {
        return None;
    }
    let end = run_end(text, start, MAX_LETTERS, |byte| byte.is_ascii_alphanumeric());
    if end - start < 25 || is_identifier(before(text, start)) || is_identifier(at(text, end)) {
        return None;
    }
    let word = text.as_bytes().get(start..end)?;
    let found = match word {
        [b'0', b'x' | b'X', digits @ ..] => return ethereum(text, start, digits),
        [b'4' | b'8', ..] if matches!(word.len(), 95 | 106) => {
            let base58 = word.iter().all(|letter| !matches!(letter, b'0' | b'O' | b'I' | b'l'));
            (base58 && has_spread(word)).then_some((Category::CryptoWallet, Strength::Shape))
        }
        _ => checked(word).map(|category| (category, Strength::Checked)),
    };
    found.map(|(category, strength)| Hit::new(start, end, category, "wallet", strength))
}

fn checked(word: &[u8]) -> Option<Category> {
    let heads: [&[u8]; 6] = [b"bc1", b"tb1", b"ltc1", b"addr1", b"stake1", b"cosmos1"];
    let begins = |head: &[u8]| word.get(..head.len()).is_some_and(|found| found.eq_ignore_ascii_case(head));
    if heads.into_iter().any(begins) {
        return is_bech32(word).then_some(Category::CryptoWallet);
    }
    if begins(b"nsec1") {
        return is_bech32(word).then_some(Category::Secret);
    }
    let order = if word.first() == Some(&b'r') { Order::Ripple } else { Order::Bitcoin };
    // 25 bytes give 25 to 35 letters, keys 51, 52 or 111
    if !matches!(word.len(), 25..=36 | 51 | 52 | 111) {
        return None;
    }
    let content = decode_checked(word, order)?;
    match (word, content.as_slice()) {
        ([b'x', b'p', b'r', b'v', ..], content) if content.len() == 78 => Some(Category::Secret),
        ([b'x', b'p', b'u', b'b', ..], content) if content.len() == 78 => Some(Category::CryptoWallet),
        (_, [0x80, ..]) if matches!(content.len(), 33 | 34) => Some(Category::Secret),
        (_, [0x1C, 0xB8 | 0xBD, ..]) if content.len() == 22 => Some(Category::CryptoWallet),
        (_, [0x00 | 0x05 | 0x16 | 0x1E | 0x30 | 0x32 | 0x41 | 0x4C | 0x10, ..]) if content.len() == 21 => {
            Some(Category::CryptoWallet)
        }
        _ => None,
    }
}

fn ethereum(text: &str, start: usize, digits: &[u8]) -> Option<Hit> {
    if digits.len() != 40 || !digits.iter().all(u8::is_ascii_hexdigit) || !has_spread(digits) {
        return None;
    }
    let mixed = digits.iter().any(|digit| matches!(digit, b'a'..=b'f'))
        && digits.iter().any(|digit| matches!(digit, b'A'..=b'F'));
    let proven = mixed && has_right_case(digits)?;
    if !proven && follows_hash_word(text, start) {
        return None;
    }
    let strength = if proven { Strength::Checked } else { Strength::Shape };
    Some(Hit::new(start, start + 42, Category::CryptoWallet, "ethereum", strength))
}

fn has_right_case(digits: &[u8]) -> Option<bool> {
    let digest = keccak256(&digits.to_ascii_lowercase())?;
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]);
    Some(
        digits.iter().zip(nibbles).all(|(digit, nibble)| {
            !digit.is_ascii_alphabetic() || digit.is_ascii_uppercase() == (nibble >= 8)
        }),
    )
}

fn follows_hash_word(text: &str, start: usize) -> bool {
    let gap = run_start(text, start, 4, |byte| !byte.is_ascii_alphanumeric());
    let word = run_start(text, gap, 12, |byte| byte.is_ascii_alphabetic());
    ["commit", "hash", "sha", "txid", "blob", "tree", "digest", "revision"]
        .iter()
        .any(|known| known.len() == gap - word && reads(text, word, known))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use cloakgate_vocab::Category::{CryptoWallet, Secret};

    #[test]
    fn addresses() {
        check_words(
            CryptoWallet,
            &[
                "to «1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2».",
                "«3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy»",
                "«bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4»",
                "«BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4»",
                "«bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0»",
                "«0x52908400098527886E0F7030069857D2E4169EE7»",
                "«0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed»",
                "«0xde709f2102306220921060314715629080e2fb77»",
                "\"«rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY»\"",
                "é«1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2»é",
                "«TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t»",
                "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
                "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN",
                "x1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
                "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2x",
                "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
                "0x52908400098527886E0F7030069857D2E4169EE",
                "0x52908400098527886E0F7030069857D2E4169EE7a",
                "commit 0xde709f2102306220921060314715629080e2fb77",
                "0x0000000000000000000000000000000000000000",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "11111111111111111111111111111111",
                "0xde709f2102306220921060314715629080e2fb77de709f2102306220921060314715629080",
            ],
        );
    }

    #[test]
    fn private_keys() {
        check_words(
            Secret,
            &[
                "«5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ»",
                "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK",
            ],
        );
    }
}
