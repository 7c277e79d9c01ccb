//! What can go wrong in a store, and what to do about it.
//!
//! Invariant: no value, no key, no password of an address is in any of these, in `Display` or in `Debug`: what a
//! driver says is passed on only where it cannot quote a row.

use std::fmt;

use uuid::Uuid;

use crate::master_key::KeyError;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The address of the database cannot be read.
    #[error(
        "the address of the database {0}: give the path of a file, sqlite:PATH, or postgres://USER@HOST/NAME"
    )]
    Address(&'static str),
    /// The file cannot be opened or made.
    #[error("cannot open the database file {path}: {advice}")]
    File {
        /// The file.
        path: String,
        /// What to do.
        advice: &'static str,
        /// What SQLite said.
        #[source]
        source: Cause,
    },
    /// The server does not answer, or does not let us in.
    #[error("cannot use the database {database}: {advice}")]
    Server {
        /// Host, port and name; never user or password.
        database: String,
        /// What to do.
        advice: &'static str,
        /// What the driver said.
        #[source]
        source: Cause,
    },
    /// A newer version of the program has been here.
    #[error(
        "the database {database} has schema {found}, and this version knows up to {known}: start a newer version, or restore the backup made before the upgrade"
    )]
    NewerSchema {
        /// Which database.
        database: String,
        /// Its schema.
        found: u32,
        /// The newest schema of this version.
        known: u32,
    },
    /// A step of the schema failed; the database is as it was.
    #[error("cannot bring the schema of {database} to step {step}; it was left as it was")]
    Migration {
        /// Which database.
        database: String,
        /// The step that failed.
        step: u32,
        /// What went wrong.
        #[source]
        source: Box<StoreError>,
    },
    /// The master key cannot be used.
    #[error("cannot use the master key")]
    Key(#[from] KeyError),
    /// The database belongs to another region.
    #[error(
        "the database {database} belongs to region `{found}`, not to `{wanted}`: check the addresses of the regions"
    )]
    WrongRegion {
        /// Which database.
        database: String,
        /// Whose it is.
        found: String,
        /// Who asked for it.
        wanted: String,
    },
    /// No such region.
    #[error("region `{0}` is not active")]
    UnknownRegion(String),
    /// The name of a region breaks its rule.
    #[error("a region is named by 1 to 32 lower-case letters, digits and `-`")]
    RegionName,
    /// What was to be made is there already.
    #[error("{what} {id} exists already")]
    Exists {
        /// Kind of thing.
        what: &'static str,
        /// Which one.
        id: Uuid,
    },
    /// A row is not what this program wrote there: changed, cut off, or moved from elsewhere.
    #[error("{what} {id} is damaged or was changed by others; it was not used")]
    Damaged {
        /// Kind of thing.
        what: &'static str,
        /// Which one.
        id: Uuid,
    },
    /// A column holds what it cannot hold.
    #[error("a row is malformed in column {column}")]
    Malformed {
        /// Position of the column in the answer.
        column: usize,
    },
    /// More is asked at once than one call may.
    #[error("{what} may be at most {max}")]
    TooMuch {
        /// What is too large.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// Too many writes wait already.
    #[error("the database is busy: more writes wait than it can take")]
    Busy,
    /// The database took too long.
    #[error("the database did not answer within {seconds} s")]
    TimedOut {
        /// How long was waited.
        seconds: u64,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// No random bytes are to be had.
    #[error("the system gives no random bytes")]
    Random,
    /// A statement failed.
    #[error("the database refused a statement")]
    Query(#[source] Cause),
}

/// What a driver said, without anything that could quote a row.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Cause {
    text: String,
    kind: CauseKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CauseKind {
    /// The key is there already.
    Duplicate,
    /// What the row refers to is not there.
    Orphan,
    /// Someone else holds the lock.
    Locked,
    /// Waiting took too long.
    TimedOut,
    /// The pool has been closed.
    Closed,
    Other,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Cause {
    pub(crate) const fn kind(&self) -> CauseKind {
        self.kind
    }

    pub(crate) fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(database) => {
                let code = database.code().unwrap_or_default().into_owned();
                let kind = match database.kind() {
                    sqlx::error::ErrorKind::UniqueViolation => CauseKind::Duplicate,
                    sqlx::error::ErrorKind::ForeignKeyViolation => CauseKind::Orphan,
                    _ if is_locked(&code) => CauseKind::Locked,
                    _ if code == "57014" => CauseKind::TimedOut,
                    _ => CauseKind::Other,
                };
                // Classes 22 and 23 of SQLSTATE quote the data that they complain about.
                let quotes = code.len() == 5 && (code.starts_with("22") || code.starts_with("23"));
                let said = if quotes { database.constraint() } else { Some(database.message()) };
                let said = said.map(|said| format!(": {said}")).unwrap_or_default();
                Self { text: format!("code {code}{said}"), kind }
            }
            sqlx::Error::Io(error) => Self { text: error.to_string(), kind: CauseKind::Other },
            sqlx::Error::Tls(error) => Self { text: format!("TLS: {error}"), kind: CauseKind::Other },
            sqlx::Error::PoolTimedOut => {
                Self { text: "no connection became free in time".to_owned(), kind: CauseKind::TimedOut }
            }
            sqlx::Error::PoolClosed => Self { text: "closed".to_owned(), kind: CauseKind::Closed },
            // The others quote columns, values or configuration.
            _ => Self { text: "the driver failed".to_owned(), kind: CauseKind::Other },
        }
    }
}

/// SQLite: busy or locked (with its extended codes); PostgreSQL: lock not available, deadlock.
fn is_locked(code: &str) -> bool {
    if let Ok(number) = code.parse::<u32>()
        && code.len() < 5
    {
        return matches!(number & 0xff, 5 | 6);
    }
    matches!(code, "55P03" | "40P01" | "40001")
}

impl StoreError {
    #[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
    pub(crate) fn query(error: sqlx::Error) -> Self {
        let cause = Cause::of(&error);
        match cause.kind() {
            CauseKind::Closed => Self::Closed,
            CauseKind::Locked => Self::Busy,
            _ => Self::Query(cause),
        }
    }

    /// The same failure, for another who asked: what failed is told to each of a group.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Query(cause) => Self::Query(cause.clone()),
            Self::Busy => Self::Busy,
            Self::TimedOut { seconds } => Self::TimedOut { seconds: *seconds },
            _ => Self::Closed,
        }
    }

    /// True when a row with this key is there already.
    pub(crate) fn is_duplicate(&self) -> bool {
        matches!(self, Self::Query(cause) if cause.kind() == CauseKind::Duplicate)
    }

    /// True when the row that this one refers to is not there.
    pub(crate) fn is_orphan(&self) -> bool {
        matches!(self, Self::Query(cause) if cause.kind() == CauseKind::Orphan)
    }
}
