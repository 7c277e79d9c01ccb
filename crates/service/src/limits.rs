//! How often a token may ask.
//!
//! In: who asks, and when. Out: yes, or in how many seconds. Invariant: memory is bounded; whoever has not asked for long
//! is forgotten, which is the same as a full bucket.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Most buckets that are kept.
const MAX_BUCKETS: usize = 10_000;

/// How fast buckets fill, and what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// Requests a second.
    pub(crate) per_second: f64,
    /// Requests at once.
    pub(crate) burst: f64,
}

/// One bucket for each who asks.
pub(crate) struct Buckets<K> {
    rate: Rate,
    held: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl<K: Eq + Hash> Buckets<K> {
    /// Buckets that are full.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, held: Mutex::default() }
    }

    /// Takes one request out of a bucket.
    ///
    /// # Errors
    /// The seconds until there is one, at least 1, when it is empty.
    pub(crate) fn take(&self, who: K, now: Instant) -> Result<(), u64> {
        let Rate { per_second, burst } = self.rate;
        let filled = |bucket: &Bucket| {
            (bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * per_second).min(burst)
        };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= MAX_BUCKETS && !held.contains_key(&who) {
            held.retain(|_, bucket| filled(bucket) < burst);
            if held.len() >= MAX_BUCKETS {
                // So many at once are no ordinary load; all of them wait.
                return Err(1);
            }
        }
        let bucket = held.entry(who).or_insert(Bucket { left: burst, at: now });
        let left = filled(bucket);
        *bucket = Bucket { left: if left < 1.0 { left } else { left - 1.0 }, at: now };
        if left >= 1.0 { Ok(()) } else { Err(((1.0 - left) / per_second).ceil().max(1.0) as u64) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let buckets = Buckets::new(Rate { per_second: 2.0, burst: 3.0 });
        let start = Instant::now();
        for _ in 0..3 {
            assert_eq!(buckets.take("a", start), Ok(()));
        }
        assert_eq!(buckets.take("a", start), Err(1));
        assert_eq!(buckets.take("b", start), Ok(()));
        assert_eq!(buckets.take("a", start + Duration::from_millis(500)), Ok(()));
        assert_eq!(buckets.take("a", start + Duration::from_millis(500)), Err(1));
    }

    #[test]
    fn memory_is_bounded() {
        let buckets = Buckets::new(Rate { per_second: 1.0, burst: 2.0 });
        let start = Instant::now();
        for who in 0..MAX_BUCKETS {
            assert_eq!(buckets.take(who, start), Ok(()));
        }
        assert_eq!(buckets.take(MAX_BUCKETS, start), Err(1));
        // Once the others' are full again they are forgotten.
        assert_eq!(buckets.take(MAX_BUCKETS, start + Duration::from_secs(2)), Ok(()));
    }
}
