//! The bytes of a file as text.

/// How many bytes decide whether a file is text.
const SNIFFED_BYTES: usize = 8 << 10;

/// The text of a file, or `None` when it is none. UTF-16 is told by its mark; bytes that are no UTF-8 stand for one
/// character each run, so that lines and columns hold.
pub(super) fn text(bytes: Vec<u8>) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return Some(utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return Some(utf16(rest, u16::from_be_bytes));
    }
    if bytes.iter().take(SNIFFED_BYTES).any(|byte| *byte == 0) {
        return None;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes());
            let broken = text.chars().take(SNIFFED_BYTES).filter(|c| *c == char::REPLACEMENT_CHARACTER);
            // Old one-byte encodings have a few such letters; compressed data is full of them.
            (broken.count() * 8 <= text.chars().take(SNIFFED_BYTES).count()).then(|| text.into_owned())
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(unit);
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn text_is_told_from_binary_data() {
        let noise: Vec<u8> = (128..=255).collect();
        for (bytes, expected) in [
            (b"abc".to_vec(), Some("abc")),
            (Vec::new(), Some("")),
            (b"caf\xe9 au lait".to_vec(), Some("caf\u{fffd} au lait")),
            (b"\xff\xfea\0\n\0".to_vec(), Some("a\n")),
            (b"\xfe\xff\0a\0\n".to_vec(), Some("a\n")),
            (b"\x7fELF\0\0".to_vec(), None),
            (noise, None),
        ] {
            assert_eq!(text(bytes).as_deref(), expected);
        }
    }
}
