//! Numbers that look random and are the same for the same seed.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number (SplitMix64).
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number under `limit`, or 0 when that is 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or_default()
    }

    /// True in so many of a hundred cases.
    pub(super) const fn percent(&mut self, share: u64) -> bool {
        self.next() % 100 < share
    }

    /// One of them, the default when there are none.
    pub(super) fn of<T: Clone + Default>(&mut self, choices: &[T]) -> T {
        choices.get(self.below(choices.len())).cloned().unwrap_or_default()
    }

    /// One of them, the first ones more often.
    pub(super) fn of_first<T: Clone + Default>(&mut self, choices: &[T]) -> T {
        let place = self.below(choices.len()).min(self.below(choices.len()));
        choices.get(place).cloned().unwrap_or_default()
    }
}
