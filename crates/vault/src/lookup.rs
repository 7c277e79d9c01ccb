//! Finds a value without keeping it: keyed hashes under a key of the tenant.
//!
//! In: a value. Out: its hash, the same for every way to write it that differs only in case and blanks. Invariant: the key
//! is a data key like any other, so it survives the rotation of master keys, and hashes of one tenant say nothing about
//! those of another. Not here: which sessions hold the value (`sessions`).

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::data_keys::{self, Owner};
use crate::database::Database;
use crate::error::StoreError;
use crate::moment::Moment;
use crate::seal::SealingKey;

/// Hashes of one generation, roughly. More of them: more pages that each commit writes. Fewer: more generations to look
/// into when a value is to be found.
const GENERATION: u64 = 512;
/// Look-up keys that are kept at hand; past it they are read again.
const MAX_KEYS: usize = 4096;

/// Keyed hash of a value.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ValueHash([u8; 16]);

impl ValueHash {
    pub(crate) const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

impl fmt::Debug for ValueHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ValueHash(..)")
    }
}

/// The key by which values of one tenant are hashed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LookupKey(SealingKey);

impl LookupKey {
    /// The hash of a value; case and the length of blanks make no difference.
    #[must_use]
    pub fn hash(&self, value: &str) -> ValueHash {
        let mut folded = Zeroizing::new(String::with_capacity(value.len() + 8));
        for word in value.split_whitespace() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.extend(word.chars().flat_map(char::to_lowercase));
        }
        ValueHash(self.0.hash(&[folded.as_bytes()]))
    }
}

/// Look-up keys that were read already. A look-up key never changes and outlives all else of its tenant.
#[derive(Default)]
pub(crate) struct LookupKeys(Mutex<HashMap<Uuid, LookupKey>>);

/// Counts the hashes that this process writes. A generation is the moment of the start and a number, so that no process
/// goes on with that of another; where two share one, it is only larger.
pub(crate) struct Generations {
    start: i64,
    written: AtomicU64,
}

impl Default for Generations {
    fn default() -> Self {
        Self { start: Moment::now().millis(), written: AtomicU64::new(0) }
    }
}

impl Generations {
    /// The generation of so many hashes that are written next.
    pub(crate) fn of_next(&self, hashes: usize) -> i64 {
        let before = self.written.fetch_add(hashes as u64, Ordering::Relaxed);
        self.start.saturating_add_unsigned(before / GENERATION)
    }
}

impl Database {
    /// The look-up key of a tenant, made on first use.
    ///
    /// # Errors
    /// When the database fails or the key is damaged.
    pub async fn lookup_key(&self, tenant: Uuid) -> Result<LookupKey, StoreError> {
        let known = &self.lookups().0;
        if let Some(key) = known.lock().unwrap_or_else(PoisonError::into_inner).get(&tenant) {
            return Ok(key.clone());
        }
        let key = LookupKey(data_keys::load_or_make(self, lookup_owner(tenant)).await?);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KEYS {
            known.clear();
        }
        known.insert(tenant, key.clone());
        Ok(key)
    }
}

/// Who owns the look-up key of a tenant.
pub(crate) fn lookup_owner(tenant: Uuid) -> Owner {
    Owner::named("look-up key", tenant.as_bytes(), tenant)
}

#[cfg(test)]
mod tests {
    use super::{GENERATION, Generations, LookupKey};
    use crate::seal::SealingKey;

    #[test]
    fn a_generation_ends_when_it_is_full() {
        let generations = Generations::default();
        let first = generations.of_next(1);
        assert_eq!(generations.of_next(usize::try_from(GENERATION).unwrap() - 1), first);
        assert_eq!(generations.of_next(5), first + 1);
    }

    #[test]
    fn ways_to_write_a_value_share_a_hash_and_other_values_do_not() {
        let key = LookupKey(SealingKey::new([3; 32]));
        for (name, one, other, same) in [
            ("case", "Alice Johnson", "ALICE johnson", true),
            ("blanks", " Alice\u{a0} Johnson\n", "Alice Johnson", true),
            ("another", "Alice Johnson", "Alice Johnsen", false),
            ("joined", "Alice Johnson", "AliceJohnson", false),
        ] {
            assert_eq!(key.hash(one) == key.hash(other), same, "{name}");
        }
        let other = LookupKey(SealingKey::new([4; 32]));
        assert_ne!(key.hash("Alice"), other.hash("Alice"));
    }
}
