//! Base58 with check bytes, as Bitcoin and its relatives write keys and addresses.
//!
//! In: at most 120 letters and their alphabet. Out: version and payload, when the last four bytes are the first four of the
//! double SHA-256 of the rest. Worked example: `1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2` decodes to 25 bytes that begin with 00.
//! Source: Bitcoin Core, `src/base58.cpp`; XRP Ledger documentation, "base58 encodings".
//! Invariant: work is bounded by the square of 120. Not here: which version belongs to which currency.

use super::sha256::sha256;

const MAX_LETTERS: usize = 120;
const MAX_BYTES: usize = 96;

/// The order of the letters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Order {
    /// Bitcoin and most others.
    Bitcoin,
    /// XRP Ledger.
    Ripple,
}

impl Order {
    fn letters(self) -> &'static [u8; 58] {
        match self {
            Self::Bitcoin => b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
            Self::Ripple => b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
        }
    }
}

/// Version and payload without the check bytes, when they are right.
pub(super) fn decode_checked(text: &[u8], order: Order) -> Option<Vec<u8>> {
    let bytes = decode(text, order)?;
    let (content, check) = bytes.split_last_chunk::<4>()?;
    let digest = sha256(&sha256(content));
    (digest.first_chunk::<4>() == Some(check)).then(|| content.to_vec())
}

fn decode(text: &[u8], order: Order) -> Option<Vec<u8>> {
    if text.len() > MAX_LETTERS {
        return None;
    }
    let letters = order.letters();
    // little-endian while it grows
    let mut bytes: Vec<u8> = Vec::with_capacity(MAX_BYTES);
    for letter in text {
        let mut carry = letters.iter().position(|known| known == letter)?;
        for byte in &mut bytes {
            carry += usize::from(*byte) * 58;
            *byte = (carry & 0xFF) as u8;
            carry >>= 8;
        }
        while carry > 0 {
            bytes.push((carry & 0xFF) as u8);
            carry >>= 8;
        }
    }
    let zeros = text.iter().take_while(|&letter| Some(letter) == letters.first()).count();
    bytes.resize(bytes.len() + zeros, 0);
    bytes.reverse();
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Order, decode_checked};

    #[test]
    fn check_bytes_decide() {
        let content = decode_checked(b"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", Order::Bitcoin).unwrap();
        assert_eq!((content.len(), content[0]), (21, 0));
        assert!(decode_checked(b"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3", Order::Bitcoin).is_none());
        assert_eq!(
            decode_checked(b"rrrrrrrrrrrrrrrrrrrrrhoLvTp", Order::Ripple).map(|content| content.len()),
            Some(21)
        );
        assert!(decode_checked(b"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNV0", Order::Bitcoin).is_none());
        assert!(decode_checked(b"", Order::Bitcoin).is_none());
    }
}
