//! Runs of base64 and hex whose text holds a value.
//!
//! In: a text. Out: one finding for the whole run: to open it would break what the run belongs to. A value of a checked
//! kind counts in any run; a phone number, an address of a machine and what a key or a cue word names count where the
//! run reads as words, or is the value alone: random bytes hardly ever do. Invariant: a run that
//! does not begin with readable text is given up after its first bytes; long stretches without runs are skipped
//! without reading each byte.

use cloakgate_vocab::{Category, Finding, Span, Strength};

/// Shortest run of base64: the shortest address of mail has some ten bytes.
const MIN_RUN: usize = 16;
/// Longest run in bytes that is decoded.
const MAX_RUN: usize = 1 << 20;
/// Bytes that are decoded first, to see whether the run is text at all.
const HEAD: usize = 24;

/// Finds runs that hold values; `find` finds values in the text of a run.
pub(super) fn findings(text: &str, find: &mut dyn FnMut(&str) -> Vec<Finding>) -> Vec<Finding> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(run) = next_run(bytes, at) {
        at = run.end();
        if run.len() > MAX_RUN {
            continue;
        }
        match strongest(bytes, run, find) {
            Some(finding) => found.push(on_run(bytes, finding, run)),
            // A path before it: `/v1/dGhp...`.
            None => found.extend(segments(bytes, run).filter_map(|segment| {
                strongest(bytes, segment, find).map(|finding| on_run(bytes, finding, segment))
            })),
        }
    }
    found
}

fn in_run(byte: u8) -> bool {
    IN_RUN.get(usize::from(byte)).copied().unwrap_or(false)
}

static IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let sign = byte as u8;
        #[expect(clippy::indexing_slicing, reason = "a byte is less than the length of the table")]
        {
            table[byte] = sign.is_ascii_alphanumeric() || matches!(sign, b'+' | b'/' | b'-' | b'_');
        }
        byte += 1;
    }
    table
};

/// The next run of at least `MIN_RUN` bytes. The last byte of where a run would lie is read first, so most words
/// are passed in one step.
fn next_run(bytes: &[u8], mut start: usize) -> Option<Span> {
    loop {
        let window = bytes.get(start..start + MIN_RUN)?;
        match window.iter().rposition(|byte| !in_run(*byte)) {
            Some(gap) => start += gap + 1,
            None => {
                let rest = bytes.get(start..)?;
                let len = rest.iter().position(|byte| !in_run(*byte)).unwrap_or(rest.len());
                return Some(Span::sized(start, len));
            }
        }
    }
}

/// Parts of a run between slashes, where there is more than one.
fn segments(bytes: &[u8], run: Span) -> impl Iterator<Item = Span> {
    let part = bytes.get(run.range()).unwrap_or_default();
    let mut start = run.start();
    let several = part.contains(&b'/');
    part.split(|byte| *byte == b'/').filter_map(move |segment| {
        let span = Span::sized(start, segment.len());
        start += segment.len() + 1;
        (several && segment.len() >= MIN_RUN).then_some(span)
    })
}

/// The finding as one of the whole run, padding included.
fn on_run(bytes: &[u8], mut finding: Finding, run: Span) -> Finding {
    let padding =
        bytes.get(run.end()..).unwrap_or_default().iter().take(2).take_while(|byte| **byte == b'=').count();
    finding.pieces = vec![Span::sized(run.start(), run.len() + padding)];
    finding.decoded = None;
    finding
}

/// The strongest finding that counts in the text of a run.
fn strongest(bytes: &[u8], run: Span, find: &mut dyn FnMut(&str) -> Vec<Finding>) -> Option<Finding> {
    let part = bytes.get(run.range())?;
    let hex = part.len().is_multiple_of(2) && part.iter().all(u8::is_ascii_hexdigit);
    let text = if hex { text_of(part, decode_hex) } else { None }.or_else(|| text_of(part, decode_base64))?;
    let words = has_words(&text);
    let counts = |finding: &Finding| {
        let stands = words || finding.hull().len() == text.trim().len();
        finding.category.is_checked_kind() || (stands && tells(finding))
    };
    find(&text)
        .into_iter()
        .filter(counts)
        .max_by_key(|finding| (finding.strength, std::cmp::Reverse(finding.category)))
}

/// What tells in readable text, though it has no check.
fn tells(finding: &Finding) -> bool {
    finding.strength >= Strength::Context || matches!(finding.category, Category::Phone | Category::IpAddress)
}

/// A word of three letters or more, in small letters but for the first, or in capitals; most of all other runs of
/// letters are such words too.
fn has_words(text: &str) -> bool {
    let (mut words, mut others) = (0, 0);
    for run in text.split(|c: char| !c.is_alphabetic()).filter(|run| run.chars().nth(2).is_some()) {
        let small = run.chars().skip(1).all(|c| !c.is_uppercase());
        let capitals = run.chars().all(|c| !c.is_lowercase());
        if small || capitals {
            words += 1;
        } else {
            others += 1;
        }
    }
    words > others
}

/// The readable text of a run.
fn text_of(part: &[u8], decode: fn(&[u8]) -> Option<Vec<u8>>) -> Option<String> {
    let head = decode(part.get(..HEAD.min(part.len() / 4 * 4))?)?;
    if !is_readable(&head) {
        return None;
    }
    let text = String::from_utf8(decode(part)?).ok()?;
    text.chars().all(|c| !c.is_control() || c.is_whitespace()).then_some(text)
}

/// No control characters, and UTF-8 as far as it goes.
fn is_readable(head: &[u8]) -> bool {
    let valid = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    valid
        && head.iter().all(|byte| *byte >= b' ' || matches!(byte, b'\n' | b'\r' | b'\t'))
        && !head.contains(&0x7f)
}

fn decode_hex(part: &[u8]) -> Option<Vec<u8>> {
    part.chunks(2)
        .map(|pair| match pair {
            [high, low] => {
                let value = char::from(*high).to_digit(16)? * 16 + char::from(*low).to_digit(16)?;
                u8::try_from(value).ok()
            }
            _ => None,
        })
        .collect()
}

/// Both alphabets; a remainder of one sign is left out.
fn decode_base64(part: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(part.len() / 4 * 3 + 2);
    let mut bits = 0u32;
    let mut count = 0u32;
    for byte in part {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, decode_hex, has_words, next_run};
    use cloakgate_vocab::Span;

    #[test]
    fn runs_are_found_and_decoded() {
        assert_eq!(next_run(b"short words only, and more of them", 0), None);
        assert_eq!(next_run(b"a dGhpcyBpcyBtQHgu b", 0), Some(Span::sized(2, 16)));
        assert_eq!(decode_base64(b"dGhpcw").as_deref(), Some(&b"this"[..]));
        assert_eq!(decode_base64(b"dG*p"), None);
        assert_eq!(decode_hex(b"7468").as_deref(), Some(&b"th"[..]));
        assert_eq!(decode_hex(b"7g"), None);
    }

    #[test]
    fn texts_have_words_and_other_bytes_do_not() {
        for text in [
            "about 203.0.113.7 we know",
            "tel:+442079460958",
            "HOST=203.0.113.7",
            "Ünïcode",
            "{\"ip\":\"1\",\"host\":1}",
        ] {
            assert!(has_words(text), "{text}");
        }
        for text in ["203.0.113.7", "+33 6 12 34 56 78", "q7 Zt8u 203.0.113.7", "aXbYcZ pQrSt 1.2", ""] {
            assert!(!has_words(text), "{text}");
        }
    }
}
