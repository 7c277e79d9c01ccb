//! Numbers and strings as bytes.
//!
//! In: numbers, strings. Out: bytes, and back. Invariant: reading never panics, never takes more than the bytes hold,
//! and allocates nothing by a length that was only claimed. Not here: what the numbers mean.

use super::SessionError;

/// Writes numbers by seven bits a byte, strings after their lengths.
#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn size(&mut self, size: usize) {
        self.number(size as u64);
    }

    pub(super) fn string(&mut self, string: &str) {
        self.size(string.len());
        self.raw(string.as_bytes());
    }
}

/// Reads what a writer wrote.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], SessionError> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(SessionError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], SessionError> {
        self.take(N)?.try_into().map_err(|_| SessionError::Damaged)
    }

    pub(super) fn byte(&mut self) -> Result<u8, SessionError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn number(&mut self) -> Result<u64, SessionError> {
        let mut number = 0u64;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (bits << shift) >> shift != bits {
                return Err(SessionError::Damaged);
            }
            number |= bits << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    pub(super) fn small(&mut self) -> Result<u32, SessionError> {
        u32::try_from(self.number()?).map_err(|_| SessionError::Damaged)
    }

    /// A length or count: each thing that is counted takes at least one byte.
    pub(super) fn size(&mut self) -> Result<usize, SessionError> {
        let size = usize::try_from(self.number()?).map_err(|_| SessionError::Damaged)?;
        if size > self.0.len() { Err(SessionError::Damaged) } else { Ok(size) }
    }

    pub(super) fn string(&mut self) -> Result<&'a str, SessionError> {
        let len = self.size()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| SessionError::Damaged)
    }

    /// As many things as are counted, each read by `one`.
    pub(super) fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, SessionError>,
    ) -> Result<Vec<T>, SessionError> {
        let mut list = Vec::new();
        for _ in 0..self.size()? {
            list.push(one(self)?);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Writer};

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut writer = Writer::default();
            writer.number(number);
            assert_eq!(Reader(&writer.0).number(), Ok(number));
            assert!(Reader(&writer.0[..writer.0.len() - 1]).number().is_err());
        }
        assert!(Reader(&[0xff; 11]).number().is_err());
        assert!(Reader(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]).number().is_err());
    }

    #[test]
    fn a_claimed_length_takes_nothing() {
        let mut writer = Writer::default();
        writer.number(u64::MAX);
        assert!(Reader(&writer.0).string().is_err());
        assert!(Reader(&writer.0).list(Reader::byte).is_err());
        assert!(Reader(&[2, 0xff, 0xff]).string().is_err());
    }
}
