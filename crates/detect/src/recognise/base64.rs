//! Decoding of the two base64 alphabets (RFC 4648 sections 4 and 5), for checks that look inside a value.
//!
//! In: letters without padding, of either alphabet. Out: bytes, or nothing when a letter is foreign.
//! Invariant: the output is at most three quarters of the input. Not here: finding base64 in text.

/// The decoded bytes; padding at the end is allowed, bits that fill no byte are dropped.
pub(super) fn decode(letters: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    let padding = letters.iter().rev().take_while(|&&letter| letter == b'=').count();
    for &letter in letters.get(..letters.len() - padding)? {
        bits = bits << 6 | u32::from(value(letter)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xFF) as u8);
        }
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn vectors_of_the_standard() {
        for (letters, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(decode(letters.as_bytes()).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(decode(b"-_8="), decode(b"+/8="));
        assert_eq!(decode(b"Zm9 v"), None);
    }
}
