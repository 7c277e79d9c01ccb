//! Bytes that are read from the front.
//!
//! In: bytes of a file or a store. Out: parts of them. Invariant: reading never panics and never takes more than there
//! is; what is cut off is `None`. Not here: what the bytes mean.

/// What is still to be read.
#[derive(Clone, Copy, Debug)]
pub struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    /// The next so many bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// The next so many bytes as text.
    pub fn text(&mut self, count: usize) -> Option<&'a str> {
        str::from_utf8(self.take(count)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::ByteReader;

    #[test]
    fn parts_come_in_order_and_what_is_cut_off_is_none() {
        let mut bytes = ByteReader(b"\x01ab\xc3\xa9\xff");
        assert_eq!((bytes.byte(), bytes.array()), (Some(1), Some(*b"ab")));
        assert_eq!(bytes.text(3), None, "no UTF-8");
        let mut bytes = ByteReader("é".as_bytes());
        assert_eq!((bytes.take(3), bytes.text(2), bytes.byte()), (None, Some("é"), None));
    }
}
