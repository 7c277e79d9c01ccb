//! Ids as numbers below a bound that look random, and the way back.
//!
//! In: an id, a size, a tweak. Out: a number below the size. Invariant: for one key, size and tweak the mapping is
//! one to one; only one number in two to the `redundancy` comes back as an id, whoever made it up. Not here: how a
//! number is written.

use cloakgate_vocab::{Category, Spelling, TokenId};

use crate::keys::SessionKeys;

/// Spellings of one identity that have a number; further ones have none.
const SPELLINGS: u64 = 4;
/// Rounds of the Feistel network; eight keep known pairs from telling others.
const ROUNDS: u8 = 8;
/// Steps until a number of the network falls below the size; four are expected at most.
const MAX_STEPS: u32 = 1 << 10;
/// Largest size, so that the halves of the network fit 32 bits.
pub(super) const MAX_SIZE: u64 = 1 << 62;

/// Ids of some categories as numbers below a size.
#[derive(Clone, Copy)]
pub(super) struct Numbering<'a> {
    /// The categories that have numbers, in an order that only ever grows at the end.
    pub(super) categories: &'a [Category],
    /// Room for so many categories, at least those that there are.
    pub(super) slots: u64,
    /// Numbers lie below it; at most `MAX_SIZE`.
    pub(super) size: u64,
    /// Bits of a number that verify it.
    pub(super) redundancy: u32,
    /// What tells this numbering from others of the same size.
    pub(super) tweak: &'a [u8],
}

impl Numbering<'_> {
    /// The number of an id; `None` when it has none: another category, or no room.
    pub(super) fn number(&self, id: TokenId, keys: &SessionKeys) -> Option<u64> {
        let slot = self.categories.iter().position(|category| *category == id.category)?;
        let spelling = u64::from(id.spelling.index());
        if spelling >= SPELLINGS {
            return None;
        }
        let plain = (u64::from(id.number) * self.slots + u64::try_from(slot).ok()?) * SPELLINGS + spelling;
        if plain >= self.size >> self.redundancy {
            return None;
        }
        let network = Network::of(self, keys);
        let mut number = plain;
        for _ in 0..MAX_STEPS {
            number = network.forward(number);
            if number < self.size {
                return Some(number);
            }
        }
        None
    }

    /// The id of a number, if it has one.
    pub(super) fn id(&self, number: u64, keys: &SessionKeys) -> Option<TokenId> {
        if number >= self.size {
            return None;
        }
        let network = Network::of(self, keys);
        let mut plain = number;
        for _ in 0..MAX_STEPS {
            plain = network.back(plain);
            if plain < self.size {
                break;
            }
        }
        if plain >= self.size >> self.redundancy {
            return None;
        }
        let spelling = Spelling::new(u32::try_from(plain % SPELLINGS).ok()?);
        let rest = plain / SPELLINGS;
        let category = *self.categories.get(usize::try_from(rest % self.slots).ok()?)?;
        Some(TokenId { category, number: u32::try_from(rest / self.slots).ok()?, spelling })
    }
}

/// A permutation of the numbers of an even count of bits.
struct Network<'a> {
    keys: &'a SessionKeys,
    tweak: &'a [u8],
    size: u64,
    half_bits: u32, // 1..=31
}

impl<'a> Network<'a> {
    fn of(numbering: &Numbering<'a>, keys: &'a SessionKeys) -> Self {
        let bits = u64::BITS - numbering.size.saturating_sub(1).leading_zeros();
        Self { keys, tweak: numbering.tweak, size: numbering.size, half_bits: bits.div_ceil(2).clamp(1, 31) }
    }

    fn mask(&self) -> u64 {
        (1 << self.half_bits) - 1
    }

    fn forward(&self, number: u64) -> u64 {
        let (mut left, mut right) = (number >> self.half_bits, number & self.mask());
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ self.scramble(round, right));
        }
        left << self.half_bits | right
    }

    fn back(&self, number: u64) -> u64 {
        let (mut left, mut right) = (number >> self.half_bits, number & self.mask());
        for round in (0..ROUNDS).rev() {
            (left, right) = (right ^ self.scramble(round, left), left);
        }
        left << self.half_bits | right
    }

    fn scramble(&self, round: u8, half: u64) -> u64 {
        let tag = self.keys.stand_in_tag(&[
            b"round",
            self.tweak,
            &self.size.to_be_bytes(),
            &[round],
            &half.to_be_bytes(),
        ]);
        tag.iter().take(8).fold(0, |bits: u64, byte| bits << 8 | u64::from(*byte)) & self.mask()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

    use super::Numbering;
    use crate::keys::SessionKeys;

    fn keys(root: u8) -> SessionKeys {
        SessionKeys::derive(&Secret::new([root; 32]))
    }

    const CATEGORIES: &[Category] = &[Category::Phone, Category::Ssn, Category::Literal];

    #[test]
    fn numbers_lead_back_to_their_ids_and_no_two_are_the_same() {
        for (size, redundancy) in [(8_000_000, 7), (1 << 28, 8), (336 * 6900, 3), (1 << 62, 20), (9_999, 2)] {
            let numbering = Numbering { categories: CATEGORIES, slots: 4, size, redundancy, tweak: b"t" };
            let mut seen = HashSet::new();
            for number in 0..100 {
                for (slot, spelling) in [(0, 0), (1, 3), (2, 1)] {
                    let id =
                        TokenId { category: CATEGORIES[slot], number, spelling: Spelling::new(spelling) };
                    let written = numbering.number(id, &keys(1)).unwrap();
                    assert!(written < size && seen.insert(written));
                    assert_eq!(numbering.id(written, &keys(1)), Some(id));
                }
            }
        }
    }

    #[test]
    fn what_has_no_room_has_no_number() {
        let numbering =
            Numbering { categories: CATEGORIES, slots: 4, size: 8_000_000, redundancy: 7, tweak: b"t" };
        let id = TokenId { category: Category::Ssn, number: 0, spelling: Spelling::new(0) };
        for id in [
            TokenId { category: Category::Email, ..id },
            TokenId { spelling: Spelling::new(4), ..id },
            TokenId { number: 3_907, ..id },
            TokenId { number: u32::MAX, ..id },
        ] {
            assert_eq!(numbering.number(id, &keys(1)), None);
        }
        assert!(numbering.number(TokenId { number: 3_900, ..id }, &keys(1)).is_some());
    }

    #[test]
    fn few_numbers_of_others_verify() {
        let numbering =
            Numbering { categories: CATEGORIES, slots: 3, size: 8_000_000, redundancy: 7, tweak: b"t" };
        let verified = (0..4_000).filter(|n| numbering.id(1_000_000 + n * 1_001, &keys(1)).is_some()).count();
        assert!((5..90).contains(&verified), "{verified} of 4,000, and one in 128 is expected");
        let id = TokenId { category: Category::Ssn, number: 0, spelling: Spelling::new(0) };
        assert_ne!(numbering.number(id, &keys(1)), numbering.number(id, &keys(2)));
    }
}
