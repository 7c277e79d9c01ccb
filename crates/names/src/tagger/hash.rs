//! Numbers that stand for words and for features.
//!
//! Invariant: the same characters give the same number on every machine and in every release: files hold them.

/// A number that stands for a word or a feature.
pub type Hash = u64;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const OTHER: u64 = 0xd6e8_feb8_6659_fd93;

/// The hash of the characters so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running(u64);

impl Default for Running {
    fn default() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }
}

impl Running {
    pub(super) const fn add(&mut self, c: char) {
        self.0 = (self.0.rotate_left(5) ^ c as u64).wrapping_mul(MULTIPLIER);
    }

    pub(super) const fn finish(self) -> Hash {
        self.0 ^ (self.0 >> 32)
    }
}

/// One number for two, in this order.
pub(super) const fn pair(one: Hash, other: Hash) -> Hash {
    (one.wrapping_mul(OTHER) ^ other).rotate_left(23).wrapping_mul(MULTIPLIER)
}

/// The number of a feature: its kind and what was seen.
pub(super) const fn feature(kind: u64, seen: Hash) -> Hash {
    let mixed = (seen ^ kind.wrapping_mul(OTHER)).wrapping_mul(MULTIPLIER);
    mixed ^ (mixed >> 29)
}
