//! What each feature says for each label, one probe a feature.
//!
//! Layout of the file: slots of eight bytes, `check: u16`, then six weights, signed: beginning and inside of a person,
//! a place, an organisation, against being none of them. A slot whose check is 0 is empty. A feature lies at most
//! [`REACH`] slots after its place. Invariant: a feature that was not learnt says nothing, but for one in ten thousand.

use super::hash::Hash;

/// Labels besides "none".
pub const LABELS: usize = 6;
/// Bytes of a slot.
const SLOT: usize = 8;
/// Slots in which a feature may lie.
const REACH: usize = 12;

/// The table of weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights<'a> {
    slots: &'a [u8],
    count: u64, // places for features, without the room after the last
}

impl<'a> Weights<'a> {
    /// The table in these bytes, or `None` when they are none.
    #[must_use]
    pub(super) fn new(slots: &'a [u8]) -> Option<Self> {
        let count = (slots.len() / SLOT).checked_sub(REACH)?;
        (count > 0 && slots.len().is_multiple_of(SLOT)).then_some(Self { slots, count: count as u64 })
    }

    /// Adds what the feature says.
    pub(super) fn add(&self, feature: Hash, sum: &mut [i32; LABELS]) {
        let (place, check) = place(feature, self.count);
        let slots = self.slots.get(place * SLOT..).unwrap_or_default();
        for slot in slots.chunks_exact(SLOT).take(REACH) {
            let &[low, high, ref weights @ ..] = slot else { return };
            match u16::from_le_bytes([low, high]) {
                0 => return,
                other if other == check => {
                    for (sum, weight) in sum.iter_mut().zip(weights) {
                        *sum += i32::from(weight.cast_signed());
                    }
                    return;
                }
                _ => {}
            }
        }
    }

    /// The bytes of a table of `count` places. The first features are the most important: later ones that
    /// find no slot are left out. Returns how many were.
    #[must_use]
    pub(super) fn pack(features: &[(Hash, [i8; LABELS])], count: usize) -> (Vec<u8>, usize) {
        let mut slots = vec![0; (count + REACH) * SLOT];
        let mut left_out = 0;
        for (feature, weights) in features {
            let (place, check) = place(*feature, count as u64);
            let near = slots.get_mut(place * SLOT..).unwrap_or_default();
            let free = near
                .chunks_exact_mut(SLOT)
                .take(REACH)
                .find(|slot| slot.iter().take(2).all(|byte| *byte == 0));
            let Some(slot) = free else {
                left_out += 1;
                continue;
            };
            let bytes =
                check.to_le_bytes().into_iter().chain(weights.iter().map(|weight| weight.cast_unsigned()));
            slot.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = byte);
        }
        (slots, left_out)
    }
}

const fn place(feature: Hash, count: u64) -> (usize, u16) {
    let check = (feature >> 48) as u16;
    let place = ((feature & 0xffff_ffff) * count) >> 32;
    (place as usize, if check == 0 { 1 } else { check })
}
