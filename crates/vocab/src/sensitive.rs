//! Wrappers that keep found values and credentials out of logs, errors and serialisers.
//!
//! Invariant: neither type has `Display`, `Serialize` or `Deref`; `Debug` prints a constant; memory is wiped
//! on drop. `expose` is the one way in, and each call says in a comment why it may look.

use std::fmt;

use zeroize::Zeroize;

/// A value that was found in somebody's data: an address, a name, a number.
///
/// Equality is ordinary (not constant-time): it decides identity, never access.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct Sensitive(Box<str>);

impl Sensitive {
    /// Wraps a found value.
    #[must_use]
    pub fn new(value: impl Into<Box<str>>) -> Self {
        Self(value.into())
    }

    /// The value itself. Say at the call why it may be looked at.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sensitive(..)")
    }
}

impl Drop for Sensitive {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Key material or a credential. Compared in constant time.
#[derive(Clone)]
pub struct Secret<const N: usize>([u8; N]);

impl<const N: usize> Secret<N> {
    /// Wraps key bytes.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// The bytes themselves. Say at the call why they may be looked at.
    #[must_use]
    pub const fn expose(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Debug for Secret<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl<const N: usize> PartialEq for Secret<N> {
    fn eq(&self, other: &Self) -> bool {
        // Access may hang on this, so every byte is looked at whatever the first ones say.
        self.0.iter().zip(other.0.iter()).fold(0u8, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}

impl<const N: usize> Eq for Secret<N> {}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::{Secret, Sensitive};

    #[test]
    fn debug_never_prints_the_value() {
        assert_eq!(format!("{:?}", Sensitive::new("marie.dubois@example.eu")), "Sensitive(..)");
        assert_eq!(format!("{:?}", Secret::new([7u8; 32])), "Secret(..)");
    }

    #[test]
    fn secrets_compare_by_every_byte() {
        assert_eq!(Secret::new([1u8, 2]), Secret::new([1u8, 2]));
        assert_ne!(Secret::new([1u8, 2]), Secret::new([1u8, 3]));
    }
}
