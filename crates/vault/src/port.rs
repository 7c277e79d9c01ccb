//! The gateway's port on a database: tokens outlive the process, and any process may answer.
//!
//! In: wants and ids, as the port has them. Out: ids and entries. Invariant: equal wants get equal ids, whoever asks and
//! from whichever process, since the row of the session is locked while a batch is taken in; numbers come from one
//! statement and are never given twice, not even after a session was erased; a batch is taken in whole or not at all. A
//! batch costs a fixed number of statements, whatever its size up to [`ROWS`]. Not here: the text of tokens.

mod batch;
mod entry;

use std::sync::Arc;

use cloakgate_cloak::{Entry, Interned, Vault, VaultError, VaultFuture, Version, Wanted};
use cloakgate_vocab::{Category, Secret, SessionId, TokenId};
use uuid::Uuid;

use crate::data_keys::{self, Owner, Wrapped};
use crate::database::Database;
use crate::error::StoreError;
use crate::link::{Link, Value, places, values};
use crate::memory::Limits;
use crate::moment::Moment;
use crate::seal::{Place, SealingKey, digest_of};

/// Rows of one statement.
const ROWS: usize = 1000;
/// Sessions that are erased in one transaction.
const ERASE_BATCH: i64 = 200;

/// Among what numbers are unique.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Numbers {
    /// The tokens of a session.
    OfSession,
    /// The tokens of all sessions of this profile: for plain tokens, which carry nothing of their session.
    OfProfile(String),
}

/// Keeps the sessions of a gateway in a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct DatabaseVault {
    database: Database,
    limits: Arc<Limits>,
    numbers: Numbers,
}

impl DatabaseVault {
    /// A vault in `database` with these limits.
    #[must_use]
    pub fn new(database: Database, limits: Limits, numbers: Numbers) -> Self {
        Self { database, limits: Arc::new(limits), numbers }
    }

    /// A secret of a session, the same in every process and after every start: the keys of its tokens and of its known
    /// values can be derived from it.
    ///
    /// # Errors
    /// When the key is damaged, or the database fails.
    pub async fn root(&self, session: &SessionId) -> Result<Secret<32>, StoreError> {
        let key = data_keys::load_or_make(&self.database, owner_of(session)).await?;
        // It is what the caller asked for.
        Ok(Secret::new(*key.derive("root of a session").expose()))
    }

    /// Erases a session with its key; true when there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase(&self, session: &SessionId) -> Result<bool, StoreError> {
        let sql = "DELETE FROM data_keys WHERE id = $1";
        Ok(self.database.change(sql, values![owner_of(session).id]).await? > 0)
    }

    /// Erases the sessions that were last used before a moment; how many there were.
    ///
    /// # Errors
    /// When the database fails; what was erased until then stays erased.
    pub async fn sweep(&self, unused_since: Moment) -> Result<u64, StoreError> {
        let sql = "DELETE FROM data_keys WHERE id IN \
                   (SELECT id FROM token_sessions WHERE used_at < $1 LIMIT $2)";
        let mut erased = 0;
        loop {
            match self.database.change(sql, values![unused_since.millis(), ERASE_BATCH]).await? {
                0 => return Ok(erased),
                batch => erased += batch,
            }
        }
    }

    async fn take_in(
        &self,
        session: &SessionId,
        since: Version,
        wanted: Vec<Wanted>,
    ) -> Result<Interned, VaultError> {
        let owner = owner_of(session);
        let batch = batch::Batch {
            session: session.clone(),
            owner,
            scope: match &self.numbers {
                Numbers::OfSession => owner.id,
                Numbers::OfProfile(name) => Uuid::from_bytes(digest_of("profile", name.as_bytes())),
            },
            limits: Arc::clone(&self.limits),
            since,
            wanted,
        };
        let database = self.database.clone();
        let taken = self.database.write(move |link| {
            Box::pin(async move {
                let opened = open_session(link, &database, owner).await?;
                batch.take_in(link, opened).await
            })
        });
        taken.await.map_err(store_error)?
    }

    async fn look_up(&self, session: &SessionId, ids: &[TokenId]) -> Result<Vec<Option<Entry>>, StoreError> {
        let owner = owner_of(session);
        let mut link = self.database.reader().await?;
        let keys = (self.database.keys(), self.database.name());
        let Some(key) = data_keys::load(&mut link, keys, owner).await? else {
            return Ok(vec![None; ids.len()]);
        };
        let mut found = std::collections::HashMap::new();
        for ids in ids.chunks(ROWS) {
            let sql = format!(
                "SELECT category, number, spelling, sealed FROM token_entries \
                 WHERE session = $1 AND (category, number, spelling) IN (VALUES {})",
                places(2, ids.len(), 3)
            );
            let mut values = values![owner.id];
            values.extend(ids.iter().flat_map(|id| token_values(*id)));
            for row in link.rows(sql, values).await? {
                let place = (row.text(0)?, row.count(1)?, row.count(2)?);
                found.insert(place, row.bytes(3)?);
            }
        }
        let entry = |id: &TokenId| {
            let place = (id.category.name().to_owned(), u64::from(id.number), u64::from(id.spelling.index()));
            let sealed = found.get(&place)?;
            Some(open_entry(&key, owner, *id, sealed))
        };
        ids.iter().map(|id| entry(id).transpose()).collect()
    }
}

impl Vault for DatabaseVault {
    fn intern<'a>(
        &'a self,
        session: &'a SessionId,
        since: Version,
        wanted: Vec<Wanted>,
    ) -> VaultFuture<'a, Interned> {
        Box::pin(self.take_in(session, since, wanted))
    }

    fn resolve<'a>(
        &'a self,
        session: &'a SessionId,
        ids: Vec<TokenId>,
    ) -> VaultFuture<'a, Vec<Option<Entry>>> {
        Box::pin(async move { self.look_up(session, &ids).await.map_err(store_error) })
    }
}

fn store_error(error: StoreError) -> VaultError {
    VaultError::Store(Box::new(error))
}

fn owner_of(session: &SessionId) -> Owner {
    let tenant = Uuid::from_bytes(digest_of("tenant", b"gateways"));
    Owner::named("session of a gateway", session.to_string().as_bytes(), tenant)
}

/// A session that nobody else changes until the transaction ends.
struct Opened {
    key: SealingKey,
    entries: usize,
    known: u64,
}

async fn open_session(link: &mut Link, database: &Database, owner: Owner) -> Result<Opened, StoreError> {
    let now = Moment::now().millis();
    // To change the row is to lock it, in both engines.
    let lock = "UPDATE token_sessions SET used_at = $2 WHERE id = $1 RETURNING entries, known";
    let mut row = link.row(lock, values![owner.id, now]).await?;
    if row.is_none() {
        Wrapped::new(database.keys(), owner, &SealingKey::random()?)?.insert_first(link).await?;
        let insert = "INSERT INTO token_sessions (id, entries, known, used_at) VALUES ($1, 0, 0, $2) \
                      ON CONFLICT (id) DO NOTHING";
        link.execute(insert, values![owner.id, now]).await?;
        row = link.row(lock, values![owner.id, now]).await?;
    }
    let damaged = || StoreError::Damaged { what: "session of a gateway", id: owner.id };
    let row = row.ok_or_else(damaged)?;
    let key = data_keys::load(link, (database.keys(), database.name()), owner).await?;
    let entries = usize::try_from(row.count(0)?).map_err(|_| damaged())?;
    Ok(Opened { key: key.ok_or_else(damaged)?, entries, known: row.count(1)? })
}

fn token_values(id: TokenId) -> Vec<Value> {
    values![id.category.name(), i64::from(id.number), i64::from(id.spelling.index())]
}

fn entry_place(owner: Owner, id: TokenId) -> Place {
    Place::new("token entry")
        .with(owner.id.as_bytes())
        .with(id.category.name().as_bytes())
        .number(id.number.into())
        .number(id.spelling.index().into())
}

fn open_entry(key: &SealingKey, owner: Owner, id: TokenId, sealed: &[u8]) -> Result<Entry, StoreError> {
    let damaged = || StoreError::Damaged { what: "a token of session", id: owner.id };
    let opened = key.open(sealed, &entry_place(owner, id)).map_err(|_| damaged())?;
    let (form, provenance) = entry::read(&opened).ok_or_else(damaged)?;
    Ok(Entry { id, form, provenance })
}

/// Category by the name that it is stored under.
fn category_of(name: &str) -> Result<Category, StoreError> {
    name.parse().map_err(|_| StoreError::Malformed { column: 0 })
}
