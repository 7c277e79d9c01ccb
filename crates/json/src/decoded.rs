//! The text of a string with escapes undone, and the way back from its offsets to those of the raw bytes.
//!
//! In: what stands between the quotes of a scanned string. Out: text, and spans of the raw form for spans of
//! the text. Invariant: a span comes back with whole escapes, so replacing it leaves valid JSON. Not here:
//! checking escapes (the scanner did; a malformed one reads as U+FFFD).

use std::borrow::Cow;

use cloakgate_vocab::Span;
use memchr::memchr;

use crate::document::narrow;

/// One escape: where it stands in the text and in the raw form, and how long it is there.
#[derive(Clone, Copy, Debug)]
struct Escape {
    decoded: u32,
    raw: u32,
    decoded_len: u8, // 1 to 4
    raw_len: u8,     // 1 to 12
}

/// A string's text with a map back to its raw form. Borrows when there is no escape.
#[derive(Clone)]
pub struct Decoded<'a> {
    raw: &'a str,
    text: Cow<'a, str>,
    escapes: Vec<Escape>, // in order of both offsets
    lossy: bool,
}

impl<'a> Decoded<'a> {
    /// Decodes what stands between the quotes of a scanned string. It must be shorter than 4 GiB, as in every
    /// message that the scanner accepts.
    #[must_use]
    pub fn new(raw: &'a str) -> Self {
        let mut escapes = Vec::new();
        let mut lossy = false;
        let text = unescape(raw, |decoded, raw, piece| {
            lossy |= piece.lossy;
            escapes.push(Escape {
                decoded: narrow(decoded),
                raw: narrow(raw),
                decoded_len: piece.character.len_utf8() as u8,
                raw_len: piece.raw_len,
            });
        });
        Self { raw, text, escapes, lossy }
    }

    /// The decoded text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offset in the raw form of the character at `decoded_offset`, which is on a character boundary of the
    /// text; inside a character that was escaped, the start of the escape. Past the end, the length of the
    /// raw form.
    #[must_use]
    pub fn raw_offset(&self, decoded_offset: usize) -> usize {
        self.locate(decoded_offset, Side::Start)
    }

    /// The raw form of a span of the text, with whole escapes.
    #[must_use]
    pub fn raw_span(&self, decoded: Span) -> Span {
        let start = self.locate(decoded.start(), Side::Start);
        let side = if decoded.is_empty() { Side::Start } else { Side::End };
        let end = self.locate(decoded.end(), side);
        Span::sized(start, end.saturating_sub(start))
    }

    /// True when the text has U+FFFD where the raw form has the escape of a lone surrogate.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.lossy
    }

    fn locate(&self, offset: usize, side: Side) -> usize {
        if offset >= self.text.len() {
            return self.raw.len();
        }
        let before = self.escapes.partition_point(|escape| escape.decoded as usize <= offset);
        let Some(escape) = before.checked_sub(1).and_then(|place| self.escapes.get(place)) else {
            return offset;
        };
        let inside = offset - escape.decoded as usize;
        let (start, end) = (escape.raw as usize, escape.raw as usize + usize::from(escape.raw_len));
        match inside.checked_sub(usize::from(escape.decoded_len)) {
            Some(past) => end + past,
            None if inside == 0 => start,
            None => match side {
                Side::Start => start,
                Side::End => end,
            },
        }
    }
}

/// Prints no text: it may be personal.
impl std::fmt::Debug for Decoded<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoded").field("lossy", &self.lossy).finish_non_exhaustive()
    }
}

/// Which end of an escape an offset inside it goes to.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

/// What one escape stands for.
struct Piece {
    character: char,
    raw_len: u8,
    lossy: bool,
}

impl Piece {
    const fn new(character: char, raw_len: u8) -> Self {
        Self { character, raw_len, lossy: false }
    }

    const fn replaced(raw_len: u8) -> Self {
        Self { character: char::REPLACEMENT_CHARACTER, raw_len, lossy: true }
    }
}

/// The text of `raw`, with U+FFFD for each lone surrogate.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    unescape(raw, |_, _, _| ())
}

/// Undoes escapes, telling `note` the offset of each in the text and in `raw`.
fn unescape<'a>(raw: &'a str, mut note: impl FnMut(usize, usize, &Piece)) -> Cow<'a, str> {
    let Some(first) = memchr(b'\\', raw.as_bytes()) else {
        return Cow::Borrowed(raw);
    };
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut next = Some(first);
    while let Some((plain, escape)) = next.and_then(|at| rest.split_at_checked(at)) {
        text.push_str(plain);
        let piece = read_escape(escape.as_bytes());
        note(text.len(), raw.len() - escape.len(), &piece);
        text.push(piece.character);
        rest = escape.get(usize::from(piece.raw_len)..).unwrap_or_default();
        next = memchr(b'\\', rest.as_bytes());
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Reads the escape that `bytes` begin with.
fn read_escape(bytes: &[u8]) -> Piece {
    let simple = |character| Piece::new(character, 2);
    match bytes.get(1) {
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => code_unit(bytes, 0).map_or(Piece::replaced(1), |unit| read_unit(bytes, unit)),
        _ => Piece::replaced(1),
    }
}

fn read_unit(bytes: &[u8], unit: u16) -> Piece {
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return Piece::new(character, 6);
    }
    let pair = code_unit(bytes, 6).and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
    pair.map_or(Piece::replaced(6), |character| Piece::new(character, 12))
}

/// The code unit of the `\uXXXX` at `at`.
fn code_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..)?.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use cloakgate_vocab::Span;

    use super::{Decoded, decode};

    #[test]
    fn escapes_are_undone() {
        for (raw, text, lossy) in [
            ("", "", false),
            ("plain é", "plain é", false),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t", false),
            (r"\u00e9\u00E9\u0000", "éé\0", false),
            (r"\ud83d\ude00!", "😀!", false),
            (r"\ud83d", "\u{fffd}", true),
            (r"\ude00\ud83d", "\u{fffd}\u{fffd}", true),
            (r"\ud83d\ud83d\ude00", "\u{fffd}😀", true),
            (r"\ud83dx\ude00", "\u{fffd}x\u{fffd}", true),
            (r"\ud83d\n", "\u{fffd}\n", true),
            (r"\ufffd", "\u{fffd}", false),
            // What the scanner refuses still does no harm.
            (r"\", "\u{fffd}", true),
            (r"\x", "\u{fffd}x", true),
            (r"\u12", "\u{fffd}u12", true),
            (r"\é", "\u{fffd}é", true),
        ] {
            let decoded = Decoded::new(raw);
            assert_eq!((decoded.text(), decoded.is_lossy()), (text, lossy), "{raw}");
            assert_eq!(decode(raw), text, "{raw}");
        }
        assert!(matches!(Decoded::new("plain").text, Cow::Borrowed(_)));
    }

    #[test]
    fn spans_cover_whole_escapes() {
        // Text: m é @ x 😀 ! with offsets 0, 1..3, 3, 4, 5..9, 9.
        let raw = r"m\u00e9\u0040x\ud83d\ude00!";
        let decoded = Decoded::new(raw);
        assert_eq!(decoded.text(), "mé@x😀!");
        for (start, end, expected) in [
            (0, 1, "m"),
            (0, 3, r"m\u00e9"),
            (1, 3, r"\u00e9"),
            (3, 4, r"\u0040"),
            (1, 4, r"\u00e9\u0040"),
            (4, 5, "x"),
            (5, 9, r"\ud83d\ude00"),
            (4, 10, r"x\ud83d\ude00!"),
            (0, 10, raw),
            (9, 10, "!"),
            // Inside a character: the whole escape.
            (2, 3, r"\u00e9"),
            (5, 7, r"\ud83d\ude00"),
            (6, 7, r"\ud83d\ude00"),
            (3, 3, ""),
            (10, 10, ""),
            (50, 60, ""),
        ] {
            let span = decoded.raw_span(Span::new(start, end).unwrap());
            assert_eq!(span.of(raw), Some(expected), "{start}..{end}");
        }
        let offsets: Vec<_> =
            [0, 1, 2, 3, 4, 5, 7, 9, 10, 11].map(|offset| decoded.raw_offset(offset)).to_vec();
        assert_eq!(offsets, [0, 1, 1, 7, 13, 14, 14, 26, 27, 27]);
    }

    #[test]
    fn without_escapes_offsets_stay() {
        let decoded = Decoded::new("aéb");
        assert_eq!([0, 1, 3, 4, 9].map(|offset| decoded.raw_offset(offset)), [0, 1, 3, 4, 4]);
        assert_eq!(decoded.raw_span(Span::sized(1, 2)), Span::sized(1, 2));
    }

    #[test]
    fn debug_output_holds_no_text() {
        assert_eq!(format!("{:?}", Decoded::new("marie@example.org")), "Decoded { lossy: false, .. }");
    }
}
