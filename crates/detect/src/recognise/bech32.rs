//! Bech32 and Bech32m check characters.
//!
//! Format: a readable part, `1`, then letters of a 32-character set, the last six of which check; one case throughout.
//! Check rule: a polynomial over the readable part and the values leaves 1 (BIP 173) or 0x2bc830a3 (BIP 350).
//! `A12UEL5L` (readable part `a`, no data) leaves 1.
//!
//! In: the whole string. Out: right or not. Invariant: linear. Not here: which readable parts exist.

const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// True when the check characters fit.
pub(super) fn is_bech32(text: &[u8]) -> bool {
    let mixed = text.iter().any(u8::is_ascii_lowercase) && text.iter().any(u8::is_ascii_uppercase);
    let Some(separator) = text.iter().rposition(|&byte| byte == b'1') else { return false };
    let (Some(readable), Some(data)) = (text.get(..separator), text.get(separator + 1..)) else {
        return false;
    };
    if mixed || readable.is_empty() || data.len() < 6 {
        return false;
    }
    let high = readable.iter().map(|byte| byte.to_ascii_lowercase() >> 5);
    let low = readable.iter().map(|byte| byte & 0x1F);
    let mut sum = high.chain([0]).chain(low).fold(1, |sum, value| step(sum, u32::from(value)));
    for byte in data {
        let Some(value) = LETTERS.iter().position(|letter| *letter == byte.to_ascii_lowercase()) else {
            return false;
        };
        sum = step(sum, value as u32);
    }
    matches!(sum, 1 | 0x2bc8_30a3)
}

fn step(sum: u32, value: u32) -> u32 {
    let top = sum >> 25;
    let shifted = (sum & 0x01FF_FFFF) << 5 ^ value;
    GENERATOR
        .iter()
        .enumerate()
        .filter(|(bit, _)| top >> bit & 1 == 1)
        .fold(shifted, |sum, (_, generator)| sum ^ generator)
}

#[cfg(test)]
mod tests {
    use super::is_bech32;

    #[test]
    fn vectors_of_the_proposals() {
        for text in [
            "A12UEL5L",
            "a12uel5l",
            "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
            "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
            "?1v759aa",
        ] {
            assert!(is_bech32(text.as_bytes()), "{text}");
        }
        for text in ["A12UEL5l", "a12uel5m", "1qqqqqq", "abc", "", "split1cheo2y9e2w"] {
            assert!(!is_bech32(text.as_bytes()), "{text}");
        }
    }
}
