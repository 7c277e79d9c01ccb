//! Writes text as the inside of a JSON string.
//!
//! In: text. Out: bytes that stand between quotes. Invariant: decoding them gives the text back; only what
//! RFC 8259 section 7 asks for is escaped, so other characters stay readable. Not here: quotes, other values.

/// Appends `text`, escaped, without quotes.
pub fn encode(text: &str, out: &mut Vec<u8>) {
    out.reserve(text.len());
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        let (plain, from_special) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(plain);
        let Some((special, after)) = from_special.split_first() else {
            return;
        };
        push_escape(*special, out);
        rest = after;
    }
    out.extend_from_slice(rest);
}

fn push_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        control => {
            let digit =
                |nibble: u8| char::from_digit(u32::from(nibble), 16).map_or(b'0', |digit| digit as u8);
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(control >> 4), digit(control & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn only_what_must_be_is_escaped() {
        for (text, expected) in [
            ("", ""),
            ("plain é 😀 / \u{7f}\u{2028}", "plain é 😀 / \u{7f}\u{2028}"),
            ("a\"b\\c", r#"a\"b\\c"#),
            ("\u{8}\u{c}\n\r\t", r"\b\f\n\r\t"),
            ("\u{0}\u{1f}", r"\u0000\u001f"),
            ("\n\n", r"\n\n"),
        ] {
            let mut out = b"> ".to_vec();
            encode(text, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("> {expected}"));
        }
    }
}
