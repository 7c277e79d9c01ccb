//! Counts of what servers did, and when keys were last used.
//!
//! In: events of requests. Out: counters of the catalog, some seconds later. Invariant: a request never waits for a count;
//! a count that could not be written is tried again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cloakgate_cloak::text::Field;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use uuid::Uuid;

use crate::fault::Fault;
use crate::records::{LastUse, Records};

/// Kind of the counters of servers.
const KIND: &str = "usage";

/// What is counted of a server.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Counted {
    /// Calls of `cloak`.
    Cloak,
    /// Values of a field that were replaced.
    Cloaked(Field),
    /// Calls of `uncloak`.
    Uncloak,
    /// Places that were restored.
    Restored,
    /// Places that show a mask.
    Masked,
    /// Places that were left since the key may not see their values.
    Withheld,
    /// Places that were left since nothing says their values.
    Unresolved,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cloak => f.write_str("cloak"),
            Self::Cloaked(field) => write!(f, "cloaked.{field}"),
            Self::Uncloak => f.write_str("uncloak"),
            Self::Restored => f.write_str("restored"),
            Self::Masked => f.write_str("masked"),
            Self::Withheld => f.write_str("withheld"),
            Self::Unresolved => f.write_str("unresolved"),
        }
    }
}

/// Counts of one server, by day. They are named when they are written, which is once for thousands of calls.
type Counts = HashMap<(Date, Counted), i64>;

/// Counts that are not written yet.
#[derive(Default)]
pub(crate) struct Usage {
    counts: Mutex<HashMap<Uuid, Counts>>,
    uses: Mutex<HashMap<Uuid, i64>>,
}

impl Usage {
    /// Adds to counts of a server, for today.
    pub(crate) fn count(&self, server: Uuid, counts: impl IntoIterator<Item = (Counted, u32)>) {
        let day = Offset::UTC.to_datetime(Timestamp::now()).date();
        let mut held = locked(&self.counts);
        let of_server = held.entry(server).or_default();
        for (what, number) in counts {
            *of_server.entry((day, what)).or_default() += i64::from(number);
        }
    }

    /// Notes that a key was used.
    pub(crate) fn note_use(&self, key: Uuid, at: i64) {
        locked(&self.uses).insert(key, at);
    }

    /// Writes what is not written.
    ///
    /// # Errors
    /// When the catalog fails; what was not written is kept.
    pub(crate) async fn flush(&self, records: &Records) -> Result<(), Fault> {
        let counts = std::mem::take(&mut *locked(&self.counts));
        let mut failed = None;
        for (server, counts) in counts {
            let named: Vec<(String, i64)> =
                counts.iter().map(|((day, what), number)| (format!("{day} {what}"), *number)).collect();
            let pairs: Vec<(&str, i64)> = named.iter().map(|(name, number)| (&**name, *number)).collect();
            if let Err(fault) = records.count(KIND, server, &pairs).await {
                self.put_back(server, counts);
                failed = Some(fault);
            }
        }
        let uses = std::mem::take(&mut *locked(&self.uses));
        for (key, at) in uses {
            records.put_last_use(key, &LastUse { at }).await?;
        }
        failed.map_or(Ok(()), Err)
    }

    /// Counts of a server: day, name, number.
    ///
    /// # Errors
    /// When the catalog fails.
    pub(crate) async fn of(records: &Records, server: Uuid) -> Result<Vec<(String, String, i64)>, Fault> {
        let counters = records.counters(KIND, server).await?;
        let split = |(name, number): (String, i64)| {
            let (day, name) = name.split_once(' ')?;
            Some((day.to_owned(), name.to_owned(), number))
        };
        Ok(counters.into_iter().filter_map(split).collect())
    }

    fn put_back(&self, server: Uuid, counts: Counts) {
        let mut held = locked(&self.counts);
        let of_server = held.entry(server).or_default();
        for (what, number) in counts {
            *of_server.entry(what).or_default() += number;
        }
    }
}

fn locked<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
