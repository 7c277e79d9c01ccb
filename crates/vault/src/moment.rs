//! A point in time as stores keep it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since the beginning of 1970, UTC.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Moment(i64);

impl Moment {
    /// The moment so many milliseconds after the beginning of 1970, UTC.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// The present by the clock of this machine.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// Milliseconds since the beginning of 1970, UTC.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// So much later.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(millis_of(duration)))
    }
}

pub(crate) fn millis_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
