//! Classes of characters in the tokenizer's rules.

/// A letter of any script that the rules know.
pub(super) const ALPHA: u16 = 1;
/// A lower-case letter, or one without case, or a quote.
pub(super) const LOWER_OR_QUOTE: u16 = 1 << 1;
/// An upper-case letter, or one without case, or a quote.
pub(super) const UPPER_OR_QUOTE: u16 = 1 << 2;
/// A lower-case letter, or one without case.
pub(super) const LOWER: u16 = 1 << 3;
/// An upper-case letter, or one without case.
pub(super) const UPPER: u16 = 1 << 4;
/// A symbol such as a dingbat.
pub(super) const ICON: u16 = 1 << 5;
/// A character that is a prefix wherever it stands first.
pub(super) const PREFIX: u16 = 1 << 6;
/// A character that is a suffix wherever it stands last.
pub(super) const SUFFIX: u16 = 1 << 7;
/// What a full stop is a suffix after.
pub(super) const BEFORE_STOP: u16 = 1 << 8;
/// A sign of a currency, which is a suffix after a digit.
pub(super) const CURRENCY: u16 = 1 << 9;
/// Of Unicode's category L.
pub(super) const LETTER: u16 = 1 << 10;
/// A digit, superscripts and circled ones too.
pub(super) const DIGIT: u16 = 1 << 11;
/// A decimal digit.
pub(super) const DECIMAL: u16 = 1 << 12;
/// A letter, a number, or `_`.
pub(super) const WORD: u16 = 1 << 13;

/// Which character is in which classes.
pub(super) struct Classes {
    ascii: [u16; 128],
    /// First and last character with their classes, in order.
    ranges: Vec<(u32, u32, u16)>,
}

impl Classes {
    pub(super) fn read(section: &'static [u8]) -> Option<Self> {
        let (rows, []) = section.as_chunks::<10>() else { return None };
        let ranges: Vec<_> = rows
            .iter()
            .map(|[a, b, c, d, e, f, g, h, low, high]| {
                let first = u32::from_le_bytes([*a, *b, *c, *d]);
                (first, u32::from_le_bytes([*e, *f, *g, *h]), u16::from_le_bytes([*low, *high]))
            })
            .collect();
        let mut ascii = [0; 128];
        for (character, classes) in (0..).zip(&mut ascii) {
            *classes = search(&ranges, character);
        }
        Some(Self { ascii, ranges })
    }

    /// The classes of a character, a bit each.
    #[inline]
    pub(super) fn of(&self, character: char) -> u16 {
        let code = u32::from(character);
        self.ascii.get(code as usize).copied().unwrap_or_else(|| search(&self.ranges, code))
    }

    /// Whether a character, if there is one, is in one of these classes.
    #[inline]
    pub(super) fn has(&self, character: Option<char>, classes: u16) -> bool {
        character.is_some_and(|character| self.of(character) & classes != 0)
    }
}

fn search(ranges: &[(u32, u32, u16)], code: u32) -> u16 {
    let next = ranges.partition_point(|(first, ..)| *first <= code);
    let range = next.checked_sub(1).and_then(|place| ranges.get(place));
    range.filter(|(_, last, _)| code <= *last).map_or(0, |(.., classes)| *classes)
}

/// Whether the tokenizer takes a character for white space: Unicode's, and the four separators of ASCII.
#[inline]
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1C}'..='\u{1F}')
}
