//! Gives a session another end.
//!
//! In: a session and when it is to end. Out: what may be told of it then, or why it keeps its end. Invariant: of an end
//! that was given and a use that moves the end, the given one stays.

use uuid::Uuid;

use super::{SessionMeta, Sessions};
use crate::error::StoreError;
use crate::link::values;
use crate::moment::Moment;

/// When a session is to end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NewEnd {
    /// At this moment, unless it ends sooner already.
    Sooner(Moment),
    /// At this moment.
    At(Moment),
    /// Never.
    Never,
}

/// What became of a new end.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ended {
    /// The session ends so from now on, whether it is used or not.
    Changed(SessionMeta),
    /// It ends sooner than that, and keeps its end.
    Later,
    /// The session is not there, is not this tenant's, or has ended.
    Gone,
}

impl Sessions {
    /// Gives a session another end. Its end moves no more when it is used.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end(&self, id: Uuid, tenant: Uuid, end: NewEnd, now: Moment) -> Result<Ended, StoreError> {
        let (sql, at) = match end {
            NewEnd::Sooner(at) => (
                "UPDATE sessions SET expires_at = $1, slides_ms = NULL WHERE id = $2 AND tenant = $3 \
                 AND (expires_at IS NULL OR expires_at > $4) AND (expires_at IS NULL OR expires_at >= $1)",
                Some(at.millis()),
            ),
            NewEnd::At(at) => (CHANGE, Some(at.millis())),
            NewEnd::Never => (CHANGE, None),
        };
        let changed = self.database.change(sql, values![at, id, tenant, now.millis()]).await?;
        let found = self.metas(&[(id, tenant)]).await?.pop().flatten().map(|used| used.meta);
        let found = found.filter(|meta| meta.expires_at.is_none_or(|end| end > now));
        match found {
            None => Ok(Ended::Gone),
            Some(_) if changed == 0 => Ok(Ended::Later),
            Some(meta) => Ok(Ended::Changed(meta)),
        }
    }
}

const CHANGE: &str = "UPDATE sessions SET expires_at = $1, slides_ms = NULL WHERE id = $2 AND tenant = $3 \
                      AND (expires_at IS NULL OR expires_at > $4)";
