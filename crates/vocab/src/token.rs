//! The parts of a token's name: category, number of the identity, spelling.
//!
//! A token is written `[EMAIL_0b_k7q]`: category, number, letters of the spelling (none for the first), three
//! check characters. Reading and checking tokens is `cloak`'s work; here is only what a token names.

use std::fmt;

use crate::Category;

/// The 32 check characters: digits and lower-case letters without i, l, o and u, which are misread.
pub const CHECK_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Check characters in a token; a chance hit is one in 32 768.
pub const CHECK_LEN: usize = 3;

/// Which exact form of an identity a token stands for. The first form has no letters, the second is `b`, then
/// `c` to `z`, `aa`, `ab` and so on.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Spelling(u32);

impl Spelling {
    /// The spelling with this index; 0 is the first seen.
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Position in the order in which the spellings were seen.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// Reads the letters of a token, in any case. `a` is the first spelling written out, which nobody writes,
    /// so it is refused, as is what does not fit 32 bits.
    #[must_use]
    pub fn from_letters(letters: &str) -> Option<Self> {
        let mut index: u32 = 0;
        for byte in letters.bytes() {
            if !byte.is_ascii_alphabetic() {
                return None;
            }
            let digit = u32::from(byte.to_ascii_lowercase() - b'a') + 1;
            index = index.checked_mul(26)?.checked_add(digit)?;
        }
        match index {
            0 => Some(Self(0)),
            1 => None,
            n => Some(Self(n - 1)),
        }
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return Ok(());
        }
        // Bijective base 26: a = 1 ... z = 26, aa = 27.
        let mut letters = [0u8; 8];
        let mut length = 0;
        let mut rest = u64::from(self.0) + 1;
        while rest > 0 {
            rest -= 1;
            let digit = u8::try_from(rest % 26).unwrap_or(0);
            if let Some(slot) = letters.get_mut(length) {
                *slot = b'a' + digit;
            }
            length += 1;
            rest /= 26;
        }
        for letter in letters.iter().take(length).rev() {
            write!(f, "{}", char::from(*letter))?;
        }
        Ok(())
    }
}

/// What a token names: one spelling of one identity of one category, within a session.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct TokenId {
    /// Kind of value.
    pub category: Category,
    /// Number of the identity among those of its category in the session, from 0.
    pub number: u32,
    /// Which exact form.
    pub spelling: Spelling,
}

#[cfg(test)]
mod tests {
    use super::Spelling;

    #[test]
    fn spelling_letters_round_trip() {
        for (index, letters) in
            [(0, ""), (1, "b"), (25, "z"), (26, "aa"), (27, "ab"), (701, "zz"), (702, "aaa")]
        {
            assert_eq!(Spelling::new(index).to_string(), letters);
            assert_eq!(Spelling::from_letters(letters), Some(Spelling::new(index)), "{letters}");
        }
        assert_eq!(Spelling::new(u32::MAX).to_string().len(), 7);
        assert_eq!(Spelling::from_letters("a"), None);
        assert_eq!(Spelling::from_letters("zzzzzzzzz"), None);
        assert_eq!(Spelling::from_letters("AB"), Some(Spelling::new(27)));
    }
}
