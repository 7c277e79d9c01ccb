//! What was found in texts that were read before.
//!
//! Invariant: no text is kept, only a 128-bit hash of it under a key that is drawn at start and never leaves; the
//! number of entries and of mentions is bounded. The older half goes at once when the younger half is full, and what
//! is asked for again is young again.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use crate::mention::Mention;

/// Most texts in one half.
const MAX_TEXTS: usize = 16_384;
/// Most mentions in one half.
const MAX_MENTIONS: usize = 65_536;

/// The hash of a text.
pub(super) type Key = u128;

/// What was found in a text, shared.
pub(super) type Found = Arc<[Mention]>;

/// The bounded memory of texts.
pub(super) struct Cache {
    key: (u64, u64),
    halves: Mutex<Halves>,
}

#[derive(Default)]
struct Halves {
    young: HashMap<Key, Found>,
    old: HashMap<Key, Found>,
    /// Mentions in the young half.
    mentions: usize,
}

impl Cache {
    pub(super) fn new() -> Self {
        let draw = || RandomState::new().build_hasher().finish();
        Self { key: (draw(), draw()), halves: Mutex::default() }
    }

    /// The hash of a text.
    pub(super) fn key(&self, text: &str) -> Key {
        let mut hasher = SipHasher13::new_with_keys(self.key.0, self.key.1);
        hasher.write(text.as_bytes());
        hasher.finish128().as_u128()
    }

    /// What was found in the text of that hash.
    pub(super) fn recall(&self, key: Key) -> Option<Found> {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = halves.young.get(&key) {
            return Some(Arc::clone(found));
        }
        let found = halves.old.remove(&key)?;
        halves.add(key, Arc::clone(&found));
        Some(found)
    }

    /// Remembers what was found.
    pub(super) fn remember(&self, key: Key, found: Found) {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner).add(key, found);
    }
}

impl Halves {
    fn add(&mut self, key: Key, found: Found) {
        let full = self.young.len() >= MAX_TEXTS || self.mentions + found.len() > MAX_MENTIONS;
        if full {
            self.old = std::mem::take(&mut self.young);
            self.mentions = 0;
        }
        if found.len() <= MAX_MENTIONS {
            self.mentions += found.len();
            self.young.insert(key, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::*;
    use crate::mention::Kind;

    fn found(count: usize) -> Found {
        let mention = Mention { span: Span::sized(0, 1), kind: Kind::Person, score: 1.0 };
        vec![mention; count].into()
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let cache = Cache::new();
        cache.remember(0, found(1));
        for key in 1..=4 * MAX_TEXTS as u128 {
            cache.remember(key, found(0));
            assert_eq!(cache.recall(0), Some(found(1)));
        }
        assert!(cache.recall(1).is_none());
        let halves = cache.halves.lock().unwrap();
        assert!(halves.young.len() + halves.old.len() <= 2 * MAX_TEXTS);
    }

    #[test]
    fn mentions_are_bounded_and_a_text_with_too_many_is_not_kept() {
        let cache = Cache::new();
        cache.remember(0, found(MAX_MENTIONS + 1));
        assert!(cache.recall(0).is_none());
        for key in 1..=200 {
            cache.remember(key, found(MAX_MENTIONS / 16));
        }
        let halves = cache.halves.lock().unwrap();
        let kept: usize = halves.young.values().chain(halves.old.values()).map(|found| found.len()).sum();
        assert!(kept <= 2 * MAX_MENTIONS);
    }

    #[test]
    fn each_cache_has_a_key_of_its_own() {
        let (one, other) = (Cache::new(), Cache::new());
        assert_eq!(one.key("Aino"), one.key("Aino"));
        assert_ne!(one.key("Aino"), one.key("aino"));
        assert_ne!(one.key("Aino"), other.key("Aino"));
    }
}
