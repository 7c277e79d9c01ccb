//! Data keys: one a session, one a tenant for look-ups, one for the catalog; each wrapped by a master key.
//!
//! In: an owner. Out: its key. Invariant: a wrapped key opens for its owner and tenant alone; the row that holds it is
//! the only place from which it can be had, so deleting the row erases whatever it sealed. Not here: what data keys
//! seal.

use uuid::Uuid;

use crate::database::Database;
use crate::error::StoreError;
use crate::link::{Link, Row, Statement, Value, values};
use crate::master_key::{KeyError, KeyId, MasterKeys, check_place};
use crate::moment::Moment;
use crate::seal::{KEY_BYTES, Place, SealingKey, digest_of};

const CHECK: &[u8] = b"cloakgate";
/// Data keys that are wrapped anew in one transaction.
const ROTATION_BATCH: i64 = 256;

/// Whose key it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Owner {
    pub(crate) id: Uuid,
    pub(crate) tenant: Uuid,
}

impl Owner {
    /// The owner of a kind that has no id of its own, within a tenant.
    pub(crate) fn named(kind: &str, name: &[u8], tenant: Uuid) -> Self {
        Self { id: Uuid::from_bytes(digest_of(kind, name)), tenant }
    }

    fn place(self) -> Place {
        Place::new("data key").with(self.id.as_bytes()).with(self.tenant.as_bytes())
    }
}

/// A data key as it is stored.
pub(crate) struct Wrapped {
    owner: Owner,
    by: KeyId,
    bytes: Vec<u8>,
}

impl Wrapped {
    /// Wraps with the newest master key.
    pub(crate) fn new(keys: &MasterKeys, owner: Owner, key: &SealingKey) -> Result<Self, StoreError> {
        // It is wrapped here.
        let bytes = keys.newest_key().seal(key.expose(), &owner.place())?;
        Ok(Self { owner, by: keys.newest(), bytes })
    }

    /// Reads `key_id` and `wrapped`, the first of them at `column`.
    pub(crate) fn read(row: &Row, column: usize, owner: Owner) -> Result<Self, StoreError> {
        Ok(Self { owner, by: KeyId::new(row.array(column)?), bytes: row.bytes(column + 1)? })
    }

    pub(crate) fn open(&self, keys: &MasterKeys, database: &str) -> Result<SealingKey, StoreError> {
        let master = keys.key(self.by).ok_or_else(|| keys.unknown(self.by, database))?;
        let damaged = StoreError::Damaged { what: "the data key of", id: self.owner.id };
        let Ok(opened) = master.open(&self.bytes, &self.owner.place()) else { return Err(damaged) };
        let mut bytes = zeroize::Zeroizing::new([0; KEY_BYTES]);
        if opened.len() != KEY_BYTES {
            return Err(damaged);
        }
        bytes.copy_from_slice(&opened);
        Ok(SealingKey::new(*bytes))
    }

    /// The statement that adds the row.
    pub(crate) fn insertion(&self) -> Statement {
        let sql = "INSERT INTO data_keys (id, tenant, key_id, wrapped) VALUES ($1, $2, $3, $4)";
        (sql, self.values())
    }

    /// What it means that [`insertion`](Self::insertion) failed.
    pub(crate) fn refused(&self, error: StoreError) -> StoreError {
        if error.is_duplicate() {
            return StoreError::Exists { what: "session", id: self.owner.id };
        }
        if error.is_orphan() { KeyError::Retired(self.by).into() } else { error }
    }

    /// Adds the row unless the owner has a key already.
    pub(crate) async fn insert_first(&self, link: &mut Link) -> Result<(), StoreError> {
        let sql = "INSERT INTO data_keys (id, tenant, key_id, wrapped) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (id) DO NOTHING";
        match link.execute(sql, self.values()).await {
            Err(error) => Err(self.refused(error)),
            Ok(_) => Ok(()),
        }
    }

    fn values(&self) -> Vec<Value> {
        let Owner { id, tenant } = self.owner;
        values![id, tenant, self.by.bytes(), self.bytes.clone()]
    }
}

/// The key of an owner, if there is one.
pub(crate) async fn load(
    link: &mut Link,
    (keys, database): (&MasterKeys, &str),
    owner: Owner,
) -> Result<Option<SealingKey>, StoreError> {
    let sql = "SELECT key_id, wrapped FROM data_keys WHERE id = $1 AND tenant = $2";
    match link.row(sql, values![owner.id, owner.tenant]).await? {
        Some(row) => Wrapped::read(&row, 0, owner)?.open(keys, database).map(Some),
        None => Ok(None),
    }
}

/// The key of an owner; made when there is none. Of two that ask at once both get the same.
pub(crate) async fn load_or_make(database: &Database, owner: Owner) -> Result<SealingKey, StoreError> {
    let keys = (database.keys(), database.name());
    let mut link = database.reader().await?;
    if let Some(key) = load(&mut link, keys, owner).await? {
        return Ok(key);
    }
    drop(link);
    let fresh = Wrapped::new(database.keys(), owner, &SealingKey::random()?)?;
    database.write(move |link| Box::pin(async move { fresh.insert_first(link).await })).await?;
    let mut link = database.reader().await?;
    let missing = StoreError::Damaged { what: "the data key of", id: owner.id };
    load(&mut link, keys, owner).await?.ok_or(missing)
}

/// Ids of the master keys that sealed something here.
pub(crate) async fn used_keys(link: &mut Link) -> Result<Vec<KeyId>, StoreError> {
    let rows = link.rows("SELECT key_id FROM master_keys", Vec::new()).await?;
    rows.iter().map(|row| Ok(KeyId::new(row.array(0)?))).collect()
}

/// Checks that every master key in use is known and is the one it says; records the newest.
pub(crate) async fn check(link: &mut Link, keys: &MasterKeys, database: &str) -> Result<(), StoreError> {
    for row in link.rows("SELECT key_id, check_record FROM master_keys", Vec::new()).await? {
        let id = KeyId::new(row.array(0)?);
        let key = keys.key(id).ok_or_else(|| keys.unknown(id, database))?;
        match key.open(&row.bytes(1)?, &check_place(id)) {
            Ok(opened) if opened.as_slice() == CHECK => {}
            _ => return Err(KeyError::Check(id).into()),
        }
    }
    let newest = keys.newest();
    let record = keys.newest_key().seal(CHECK, &check_place(newest))?;
    let sql = "INSERT INTO master_keys (key_id, check_record, created_at) VALUES ($1, $2, $3) \
               ON CONFLICT (key_id) DO NOTHING";
    link.execute(sql, values![newest.bytes(), record, Moment::now().millis()]).await.map(drop)
}

/// What a rotation did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Rotated {
    /// Data keys that were wrapped anew.
    pub rewrapped: u64,
    /// Data keys that do not open any more and were left as they are.
    pub damaged: u64,
    /// Master keys that nothing needs any more: they can be taken out of the key file.
    pub retired: Vec<KeyId>,
}

impl Database {
    /// How many data keys another master key than the newest wraps.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn to_rotate(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM data_keys WHERE key_id <> $1";
        let row = self.reader().await?.row(sql, values![self.keys().newest().bytes()]).await?;
        row.map_or(Ok(0), |row| row.count(0))
    }

    /// Wraps every data key with the newest master key, in batches, while others read and write; `after_each` is told
    /// after each batch what was done until then. What is sealed under the data keys stays as it is.
    ///
    /// # Errors
    /// When the database fails; what was done until then stays.
    pub async fn rotate(&self, mut after_each: impl FnMut(&Rotated) + Send) -> Result<Rotated, StoreError> {
        let mut rotated = Rotated::default();
        let used = used_keys(&mut self.reader().await?).await?;
        for old in used.into_iter().filter(|id| *id != self.keys().newest()) {
            let mut after = Uuid::nil();
            while let Some(last) = self.rewrap(old, after, &mut rotated).await? {
                after = last;
                after_each(&rotated);
            }
            let sql = "DELETE FROM master_keys WHERE key_id = $1 \
                       AND NOT EXISTS (SELECT 1 FROM data_keys WHERE data_keys.key_id = $1)";
            match self.change(sql, values![old.bytes()]).await {
                Ok(0) => {}
                Ok(_) => rotated.retired.push(old),
                // Someone wrapped with it just now: it is still needed.
                Err(error) if error.is_orphan() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(rotated)
    }

    /// One batch; the last owner of it, if there was one.
    async fn rewrap(
        &self,
        old: KeyId,
        after: Uuid,
        rotated: &mut Rotated,
    ) -> Result<Option<Uuid>, StoreError> {
        let sql = "SELECT id, tenant, key_id, wrapped FROM data_keys WHERE key_id = $1 AND id > $2 \
                   ORDER BY id LIMIT $3";
        let rows = self.reader().await?.rows(sql, values![old.bytes(), after, ROTATION_BATCH]).await?;
        let (mut last, mut fresh) = (None, Vec::with_capacity(rows.len()));
        for row in &rows {
            let owner = Owner { id: row.id(0)?, tenant: row.id(1)? };
            last = Some(owner.id);
            match Wrapped::read(row, 2, owner)?.open(self.keys(), self.name()) {
                Ok(key) => fresh.push(Wrapped::new(self.keys(), owner, &key)?),
                Err(StoreError::Damaged { .. }) => rotated.damaged += 1,
                Err(error) => return Err(error),
            }
        }
        rotated.rewrapped += self
            .write(move |link| {
                Box::pin(async move {
                    let mut changed = 0;
                    for Wrapped { owner, by, bytes } in fresh {
                        let sql = "UPDATE data_keys SET key_id = $1, wrapped = $2 \
                                   WHERE id = $3 AND key_id = $4";
                        let row = values![by.bytes(), bytes, owner.id, old.bytes()];
                        changed += link.execute(sql, row).await?;
                    }
                    Ok(changed)
                })
            })
            .await?;
        Ok(last)
    }
}
