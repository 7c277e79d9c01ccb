//! Sessions of the service: what uncloaks a text, sealed.
//!
//! In: the state of a session as bytes, keyed hashes of its values. Out: the state again, for the tenant that owns it.
//! Invariant: a state opens only as the version that it was written as, of the session that it was written for; of two
//! extensions from one version one succeeds; what is past its end is not loaded even before it is swept. Not here: what
//! is in a state.

mod ending;

use std::collections::HashMap;
use std::time::Duration;

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::data_keys::{Owner, Wrapped};
use crate::database::Database;
use crate::error::StoreError;
use crate::link::{Row, Value, values};
use crate::lookup::{ValueHash, lookup_owner};
use crate::moment::{Moment, millis_of};
use crate::seal::{Place, SealingKey};
use crate::together::Outcome;

pub use ending::{Ended, NewEnd};

/// Bytes of one session's state.
pub const MAX_STATE_BYTES: usize = 256 << 20;
/// Hashes of values that one call may bring.
pub const MAX_NEW_VALUES: usize = 200_000;
/// Sessions on one page.
pub const MAX_PAGE: u32 = 1000;
/// Sessions that are erased in one transaction.
const ERASE_BATCH: i64 = 200;
/// Sealing more than this takes longer than a turn on the reactor may.
const LARGE_BYTES: usize = 512 << 10;

/// When a session ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lifetime {
    /// Never.
    Endless,
    /// At a moment.
    Until(Moment),
    /// So long after it was last used.
    Sliding(Duration),
}

/// A session to be made.
#[derive(Clone, Copy)]
pub struct NewSession<'a> {
    /// Its id, which is all that a client has to find it by: random.
    pub id: Uuid,
    /// Whose it is.
    pub tenant: Uuid,
    /// Which server made it.
    pub server: Uuid,
    /// With which settings.
    pub settings: Uuid,
    /// What uncloaks.
    pub state: &'a [u8],
    /// Hashes of its values.
    pub values: &'a [ValueHash],
    /// When it ends.
    pub lifetime: Lifetime,
}

/// What may be told about a session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SessionMeta {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub tenant: Uuid,
    /// Which server it is bound to.
    pub server: Uuid,
    /// With which settings it was made.
    pub settings: Uuid,
    /// Rises with each extension, from 1.
    pub version: u64,
    /// When it was made.
    pub created_at: Moment,
    /// When it was last extended.
    pub updated_at: Moment,
    /// When it ends, if it does.
    pub expires_at: Option<Moment>,
}

/// A session that was loaded.
#[derive(Clone, Eq, PartialEq)]
pub struct StoredSession {
    /// What uncloaks; wiped when it is dropped.
    pub state: Zeroizing<Vec<u8>>,
    /// What may be told.
    pub meta: SessionMeta,
}

impl std::fmt::Debug for StoredSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredSession").field("meta", &self.meta).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for NewSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What may be told about a session, and how long it goes on after a use.
#[derive(Clone, Debug)]
pub(crate) struct Used {
    meta: SessionMeta,
    slides: Option<i64>,
}

/// What is added to a session.
#[derive(Clone, Copy)]
pub struct Extension<'a> {
    /// The version that the new state was made from.
    pub from: u64,
    /// The whole new state.
    pub state: &'a [u8],
    /// Hashes of the values that it did not have before.
    pub values: &'a [ValueHash],
}

/// What became of an extension.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Extended {
    /// It is stored, as this version.
    To(u64),
    /// Another one was first: load the session again.
    Conflict,
    /// The session is not there, is not this tenant's, or has ended.
    Gone,
}

/// Where a page of a list begins: after this session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct After {
    /// When it was made.
    pub created_at: Moment,
    /// Its id.
    pub id: Uuid,
}

/// The sessions of a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sessions {
    database: Database,
}

macro_rules! meta {
    () => {
        "s.id, s.tenant, s.server, s.settings, s.version, s.created_at, s.updated_at, s.expires_at"
    };
}

/// Begins a statement about any number of 16-byte values that follow each other in one: with one text for all numbers it
/// stays prepared. `n` counts them.
macro_rules! packed {
    ($values:literal) => {
        concat!(
            "WITH RECURSIVE packed (n) AS (SELECT 0 WHERE length(",
            $values,
            ") >= 16 UNION ALL SELECT n + 1 FROM packed WHERE (n + 2) * 16 <= length(",
            $values,
            ")) "
        )
    };
}

/// What may be told about the sessions of packed ids.
const SELECT_METAS: &str = concat!(
    packed!("$1"),
    "SELECT ",
    meta!(),
    ", s.slides_ms FROM packed CROSS JOIN sessions s WHERE s.id = substr($1, n * 16 + 1, 16)"
);

/// Adds packed hashes to a session.
const INSERT_VALUES: &str = concat!(
    packed!("$3"),
    "INSERT INTO session_values (tenant, generation, hash, session) \
     SELECT $1, $2, substr($3, n * 16 + 1, 16), $4 FROM packed WHERE true \
     ON CONFLICT (tenant, generation, hash, session) DO NOTHING"
);

/// Begins a statement about the sessions of tenant `$1` that hold the value `$2`: a walk from generation to generation,
/// with one look into each.
macro_rules! having_value {
    () => {
        "WITH RECURSIVE generations (n) AS (\
           SELECT MIN(generation) FROM session_values WHERE tenant = $1 \
           UNION ALL \
           SELECT (SELECT MIN(generation) FROM session_values WHERE tenant = $1 AND generation > n) \
           FROM generations WHERE n IS NOT NULL), \
         found (session) AS (\
           SELECT v.session FROM generations CROSS JOIN session_values v \
           WHERE v.tenant = $1 AND v.generation = n AND v.hash = $2)"
    };
}

impl Sessions {
    /// The sessions of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }

    /// Stores a new session; when this answers, it is there for good.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is one of this id; when it is too large; when the database fails.
    pub async fn create(&self, new: NewSession<'_>, now: Moment) -> Result<(), StoreError> {
        check_size(new.state, new.values)?;
        let owner = Owner { id: new.id, tenant: new.tenant };
        let key = SealingKey::random()?;
        let wrapped = Wrapped::new(self.database.keys(), owner, &key)?;
        let sealed = seal(&key, owner, 1, new.state).await?;
        let (expires_at, slides) = match new.lifetime {
            Lifetime::Endless => (None, None),
            Lifetime::Until(end) => (Some(end.millis()), None),
            Lifetime::Sliding(length) => (Some(now.after(length).millis()), Some(millis_of(length))),
        };
        let row = values![
            new.id,
            new.tenant,
            new.server,
            new.settings,
            1,
            sealed,
            now.millis(),
            now.millis(),
            slides,
            expires_at
        ];
        let sql = "INSERT INTO sessions (id, tenant, server, settings, version, state, \
                   created_at, updated_at, slides_ms, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let values = (INSERT_VALUES, self.value_row(owner, new.values));
        let statements = vec![wrapped.insertion(), (sql, row), values];
        let created = self.database.write_all(statements).await;
        created.map_err(|error| wrapped.refused(error))
    }

    /// Loads a session. `None`: it is not there, it is another tenant's, or it has ended; which of them is not told.
    ///
    /// # Errors
    /// When what is stored is damaged, or the database fails.
    pub async fn load(
        &self,
        id: Uuid,
        tenant: Uuid,
        now: Moment,
    ) -> Result<Option<StoredSession>, StoreError> {
        let sql = "SELECT s.id, s.tenant, s.server, s.settings, s.version, s.created_at, s.updated_at, \
                   s.expires_at, s.slides_ms, s.state, k.key_id, k.wrapped \
                   FROM sessions s JOIN data_keys k ON k.id = s.id AND k.tenant = s.tenant \
                   WHERE s.id = $1 AND s.tenant = $2 AND (s.expires_at IS NULL OR s.expires_at > $3)";
        let mut link = self.database.reader().await?;
        let Some(row) = link.row(sql, values![id, tenant, now.millis()]).await? else { return Ok(None) };
        drop(link);
        let mut meta = read_meta(&row)?;
        let owner = Owner { id, tenant };
        let key = Wrapped::read(&row, 10, owner)?.open(self.database.keys(), self.database.name())?;
        let state = open(&key, owner, meta.version, row.bytes(9)?).await?;
        if let (Some(slides), Some(end)) = (row.maybe_number(8)?, meta.expires_at) {
            meta.expires_at = Some(self.slide(id, end, slides, now).await?);
        }
        Ok(Some(StoredSession { state, meta }))
    }

    /// What may be told about a session, for whoever has its state already. `None` as for [`Sessions::load`], and it
    /// counts as a use just so. Callers who ask at the same time are answered by one query.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn look_up(
        &self,
        id: Uuid,
        tenant: Uuid,
        now: Moment,
    ) -> Result<Option<SessionMeta>, StoreError> {
        let found = match self.database.metas().join((id, tenant)).await {
            Outcome::Answered(answer) => answer?,
            Outcome::Lost => self.metas(&[(id, tenant)]).await?.pop().flatten(),
            Outcome::Ask(turn) => match self.metas(&turn.questions).await {
                Ok(found) => {
                    let mut found = found.into_iter();
                    let own = found.next().flatten();
                    turn.answer(found.map(Ok));
                    own
                }
                Err(error) => {
                    let others = turn.questions.len() - 1;
                    turn.answer((0..others).map(|_| Err(error.again())));
                    return Err(error);
                }
            },
        };
        let Some(Used { mut meta, slides }) = found else { return Ok(None) };
        if let Some(end) = meta.expires_at {
            if end <= now {
                return Ok(None);
            }
            if let Some(slides) = slides {
                meta.expires_at = Some(self.slide(id, end, slides, now).await?);
            }
        }
        Ok(Some(meta))
    }

    /// What may be told about sessions, in the order of the questions.
    async fn metas(&self, asked: &[(Uuid, Uuid)]) -> Result<Vec<Option<Used>>, StoreError> {
        let ids: Vec<u8> = asked.iter().flat_map(|(id, _)| id.into_bytes()).collect();
        let rows = self.database.reader().await?.rows(SELECT_METAS, values![ids]).await?;
        let mut found = HashMap::with_capacity(rows.len());
        for row in &rows {
            let meta = read_meta(row)?;
            found.insert((meta.id, meta.tenant), Used { meta, slides: row.maybe_number(8)? });
        }
        Ok(asked.iter().map(|place| found.get(place).cloned()).collect())
    }

    /// What [`INSERT_VALUES`] takes.
    fn value_row(&self, owner: Owner, hashes: &[ValueHash]) -> Vec<Value> {
        let generation = self.database.generations().of_next(hashes.len());
        let all: Vec<u8> = hashes.iter().flat_map(|hash| hash.bytes()).collect();
        values![owner.tenant, generation, all, owner.id]
    }

    /// Moves the end of a session that is used. A use that would move it by less than a sixteenth is not written, so
    /// that reading seldom writes.
    async fn slide(&self, id: Uuid, end: Moment, slides: i64, now: Moment) -> Result<Moment, StoreError> {
        let wanted = now.millis().saturating_add(slides);
        if wanted.saturating_sub(end.millis()) < slides / 16 {
            return Ok(end);
        }
        // It may have been given an end meanwhile that does not move.
        let sql = "UPDATE sessions SET expires_at = $1 WHERE id = $2 AND expires_at < $1 AND slides_ms = $3";
        self.database.change(sql, values![wanted, id, slides]).await?;
        Ok(Moment::from_millis(wanted))
    }

    /// Replaces the state of a session, if it is still the version that the new state was made from.
    ///
    /// # Errors
    /// When it is too large, its key is damaged, or the database fails.
    pub async fn extend(
        &self,
        id: Uuid,
        tenant: Uuid,
        extension: Extension<'_>,
        now: Moment,
    ) -> Result<Extended, StoreError> {
        check_size(extension.state, extension.values)?;
        let owner = Owner { id, tenant };
        let mut link = self.database.reader().await?;
        let keys = (self.database.keys(), self.database.name());
        let Some(key) = crate::data_keys::load(&mut link, keys, owner).await? else {
            return Ok(Extended::Gone);
        };
        drop(link);
        let version = extension.from + 1;
        let from = i64::try_from(extension.from).map_err(|_| StoreError::Malformed { column: 0 })?;
        let sealed = seal(&key, owner, version, extension.state).await?;
        let row = values![from + 1, sealed, now.millis(), id, tenant, from];
        let added = self.value_row(owner, extension.values);
        self.database
            .write(move |link| {
                Box::pin(async move {
                    let sql = "UPDATE sessions SET version = $1, state = $2, updated_at = $3, \
                               expires_at = CASE WHEN slides_ms IS NULL THEN expires_at ELSE $3 + slides_ms END \
                               WHERE id = $4 AND tenant = $5 AND version = $6 \
                               AND (expires_at IS NULL OR expires_at > $3)";
                    if link.execute(sql, row).await? == 1 {
                        link.execute(INSERT_VALUES, added).await?;
                        return Ok(Extended::To(version));
                    }
                    let sql = "SELECT 1 FROM sessions WHERE id = $1 AND tenant = $2 \
                               AND (expires_at IS NULL OR expires_at > $3)";
                    let there = link.row(sql, values![id, tenant, now.millis()]).await?;
                    Ok(if there.is_some() { Extended::Conflict } else { Extended::Gone })
                })
            })
            .await
    }

    /// The sessions of a tenant, newest first; of one server only, where one is named.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(
        &self,
        tenant: Uuid,
        server: Option<Uuid>,
        after: Option<After>,
        limit: u32,
    ) -> Result<Vec<SessionMeta>, StoreError> {
        let after = after.unwrap_or(After { created_at: Moment::from_millis(i64::MAX), id: Uuid::max() });
        let sql = concat!(
            "SELECT ",
            meta!(),
            " FROM sessions s WHERE s.tenant = $1 AND ($2 IS NULL OR s.server = $2) \
             AND (s.created_at, s.id) < ($3, $4) ORDER BY s.created_at DESC, s.id DESC LIMIT $5"
        );
        let limit = i64::from(limit.min(MAX_PAGE));
        let values = values![tenant, server, after.created_at.millis(), after.id, limit];
        let rows = self.database.reader().await?.rows(sql, values).await?;
        rows.iter().map(read_meta).collect()
    }

    /// Binds all sessions of one server to another; how many there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rebind(&self, tenant: Uuid, from: Uuid, to: Uuid) -> Result<u64, StoreError> {
        let sql = "UPDATE sessions SET server = $1 WHERE tenant = $2 AND server = $3";
        self.database.change(sql, values![to, tenant, from]).await
    }

    /// Sessions of a tenant that hold a value.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_by_value(&self, tenant: Uuid, value: ValueHash) -> Result<Vec<Uuid>, StoreError> {
        let sql = concat!(having_value!(), " SELECT DISTINCT session FROM found ORDER BY session");
        let rows = self.database.reader().await?.rows(sql, values![tenant, value.bytes()]).await?;
        rows.iter().map(|row| row.id(0)).collect()
    }

    /// Erases a session with its key; true when there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase(&self, id: Uuid, tenant: Uuid) -> Result<bool, StoreError> {
        if lookup_owner(tenant).id == id {
            return Ok(false);
        }
        let sql = "DELETE FROM data_keys WHERE id = $1 AND tenant = $2";
        Ok(self.database.change(sql, values![id, tenant]).await? > 0)
    }

    /// Erases every session of a tenant that holds a value; how many there were.
    ///
    /// # Errors
    /// When the database fails; what was erased until then stays erased.
    pub async fn erase_by_value(&self, tenant: Uuid, value: ValueHash) -> Result<u64, StoreError> {
        let sql = concat!(
            having_value!(),
            " DELETE FROM data_keys WHERE id IN (SELECT session FROM found LIMIT $3)"
        );
        self.erase_all(sql, values![tenant, value.bytes(), ERASE_BATCH]).await
    }

    /// Erases every session of a tenant; how many there were. The look-up key stays: it seals nothing.
    ///
    /// # Errors
    /// When the database fails; what was erased until then stays erased.
    pub async fn erase_tenant(&self, tenant: Uuid) -> Result<u64, StoreError> {
        let sql = "DELETE FROM data_keys WHERE id IN \
                   (SELECT id FROM data_keys WHERE tenant = $1 AND id <> $2 LIMIT $3)";
        self.erase_all(sql, values![tenant, lookup_owner(tenant).id, ERASE_BATCH]).await
    }

    /// Erases what has ended; how many sessions there were.
    ///
    /// # Errors
    /// When the database fails; what was erased until then stays erased.
    pub async fn sweep(&self, now: Moment) -> Result<u64, StoreError> {
        let sql = "DELETE FROM data_keys WHERE id IN \
                   (SELECT id FROM sessions WHERE expires_at IS NOT NULL AND expires_at <= $1 LIMIT $2)";
        self.erase_all(sql, values![now.millis(), ERASE_BATCH]).await
    }

    /// In batches, so that nobody waits long for the writer.
    async fn erase_all(&self, sql: &'static str, values: Vec<Value>) -> Result<u64, StoreError> {
        let mut erased = 0;
        loop {
            match self.database.change(sql, values.clone()).await? {
                0 => return Ok(erased),
                batch => erased += batch,
            }
        }
    }
}

fn check_size(state: &[u8], values: &[ValueHash]) -> Result<(), StoreError> {
    if state.len() > MAX_STATE_BYTES {
        return Err(StoreError::TooMuch { what: "bytes of a session", max: MAX_STATE_BYTES });
    }
    if values.len() > MAX_NEW_VALUES {
        return Err(StoreError::TooMuch { what: "new values of a session", max: MAX_NEW_VALUES });
    }
    Ok(())
}

fn read_meta(row: &Row) -> Result<SessionMeta, StoreError> {
    Ok(SessionMeta {
        id: row.id(0)?,
        tenant: row.id(1)?,
        server: row.id(2)?,
        settings: row.id(3)?,
        version: row.count(4)?,
        created_at: Moment::from_millis(row.number(5)?),
        updated_at: Moment::from_millis(row.number(6)?),
        expires_at: row.maybe_number(7)?.map(Moment::from_millis),
    })
}

fn place(owner: Owner, version: u64) -> Place {
    Place::new("session").with(owner.id.as_bytes()).with(owner.tenant.as_bytes()).number(version)
}

async fn seal(key: &SealingKey, owner: Owner, version: u64, state: &[u8]) -> Result<Vec<u8>, StoreError> {
    if state.len() < LARGE_BYTES {
        return key.seal(state, &place(owner, version));
    }
    let (key, state) = (key.clone(), Zeroizing::new(state.to_vec()));
    let sealing = tokio::task::spawn_blocking(move || key.seal(&state, &place(owner, version)));
    sealing.await.map_err(|_| StoreError::Closed)?
}

async fn open(
    key: &SealingKey,
    owner: Owner,
    version: u64,
    sealed: Vec<u8>,
) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    let damaged = |_| StoreError::Damaged { what: "session", id: owner.id };
    if sealed.len() < LARGE_BYTES {
        return key.open(&sealed, &place(owner, version)).map_err(damaged);
    }
    let key = key.clone();
    let opening = tokio::task::spawn_blocking(move || key.open(&sealed, &place(owner, version)));
    opening.await.map_err(|_| StoreError::Closed)?.map_err(damaged)
}
