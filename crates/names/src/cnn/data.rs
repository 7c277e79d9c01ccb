//! The packed model, section by section.
//!
//! In: the bytes of `english.cnn`, which `cargo xtask data` writes. Out: its sections and the numbers in them. Invariant:
//! what is cut short or holds too much is `None`, never a part of it.

/// Numbers of a row: of an embedding, of a word's vector, of a token on its way through the network.
pub(super) const WIDTH: usize = 96;
const MAGIC: &[u8] = b"cnn-en-1";

/// A row of numbers.
pub(super) type Row = [f32; WIDTH];

/// The row of what is not there.
pub(super) const ZERO: Row = [0.0; WIDTH];

/// Sections of the file that were not read yet.
pub(super) struct Sections {
    rest: &'static [u8],
}

impl Sections {
    /// All sections of a file.
    pub(super) fn of(file: &'static [u8]) -> Option<Self> {
        Some(Self { rest: file.strip_prefix(MAGIC)? })
    }

    /// The next section.
    // Inlined twenty times over, the compiler spends minutes on what the lengths say of each other.
    #[inline(never)]
    pub(super) fn next(&mut self) -> Option<&'static [u8]> {
        let (length, rest) = self.rest.split_first_chunk()?;
        let (section, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.rest = rest;
        Some(section)
    }

    /// Whether all was read.
    pub(super) const fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Strings, bytes and numbers of a section, one after another.
pub(super) struct Items {
    rest: &'static [u8],
}

impl Items {
    pub(super) const fn of(section: &'static [u8]) -> Self {
        Self { rest: section }
    }

    pub(super) const fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn byte(&mut self) -> Option<usize> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some((*byte).into())
    }

    #[inline(never)]
    pub(super) fn string(&mut self) -> Option<&'static str> {
        let length = self.byte()?;
        let (string, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(string).ok()
    }

    /// So many half floats.
    #[inline(never)]
    pub(super) fn halves(&mut self, count: usize) -> Option<Vec<f32>> {
        let (bytes, rest) = self.rest.split_at_checked(count.checked_mul(2)?)?;
        self.rest = rest;
        Some(halves(bytes).collect())
    }

    /// So many floats.
    #[inline(never)]
    pub(super) fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let (bytes, rest) = self.rest.split_at_checked(count.checked_mul(4)?)?;
        self.rest = rest;
        Some(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A row of floats.
    pub(super) fn row(&mut self) -> Option<Row> {
        self.floats(WIDTH)?.try_into().ok()
    }
}

/// All strings of a section.
pub(super) fn strings(section: &'static [u8]) -> Option<Vec<&'static str>> {
    let mut items = Items::of(section);
    let mut strings = Vec::new();
    while !items.is_done() {
        strings.push(items.string()?);
    }
    Some(strings)
}

/// Half floats as numbers.
pub(super) fn halves(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().map(|bytes| half(u16::from_le_bytes(*bytes)))
}

/// The number that a half float stands for; infinity and what is no number do not occur.
#[inline]
fn half(bits: u16) -> f32 {
    /// 2^112: the distance of the two formats' exponents.
    const RESCALE: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = f32::from_bits(u32::from(bits & 0x7FFF) << 13) * RESCALE;
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::{Items, Sections, half, strings};

    #[test]
    fn half_floats_are_read() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x0400, 6.103_515_6e-5),
            (0xB555, -0.333_251_95),
        ] {
            assert!((half(bits) - number).abs() <= f32::EPSILON * number.abs(), "{bits:x}");
        }
    }

    #[test]
    fn what_is_cut_short_is_nothing() {
        assert!(Sections::of(b"cnn-en-").is_none());
        let mut sections = Sections::of(b"cnn-en-1\x02\0\0\0ab\x03\0\0\0cd").unwrap();
        assert_eq!(sections.next(), Some(&b"ab"[..]));
        assert_eq!(sections.next(), None);
        assert!(!sections.is_done());
        assert_eq!(strings(b"\x01a\x02bc"), Some(vec!["a", "bc"]));
        assert_eq!(strings(b"\x01a\x03bc"), None);
        assert_eq!(strings(b"\x01\xFF"), None);
        assert_eq!(Items::of(b"\0\0\0").floats(1), None);
        assert_eq!(Items::of(b"\0\x3C\0\x40").halves(2), Some(vec![1.0, 2.0]));
    }
}
