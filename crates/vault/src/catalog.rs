//! The catalog: small versioned documents and counters.
//!
//! In: JSON texts under a kind and an id. Out: the same, by id or page by page under a parent. Invariant: a document
//! changes only from the version that its editor saw; its text is sealed, since settings and terms may name people, and
//! opens only as that version of that document. Not here: what the documents mean.

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::data_keys::{self, Owner};
use crate::database::Database;
use crate::error::StoreError;
use crate::link::{Row, places, values};
use crate::moment::Moment;
use crate::seal::{Place, SealingKey};
use crate::sessions::{After, MAX_PAGE};

/// Bytes of one document.
pub const MAX_DOCUMENT_BYTES: usize = 4 << 20;
/// Counters of one call.
pub const MAX_COUNTS: usize = 1000;

/// A document.
#[derive(Clone, Eq, PartialEq)]
pub struct Document {
    /// Kind: the name of a collection.
    pub kind: String,
    /// Its id within the kind.
    pub id: Uuid,
    /// What it belongs to; nil where it belongs to nothing.
    pub parent: Uuid,
    /// JSON text.
    pub body: String,
    /// Rises with each change, from 1.
    pub version: u64,
    /// When it was made.
    pub created_at: Moment,
    /// When it was last changed.
    pub updated_at: Moment,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, id, version, .. } = self;
        f.debug_struct("Document")
            .field("kind", kind)
            .field("id", id)
            .field("version", version)
            .finish_non_exhaustive()
    }
}

/// Which documents a call may change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Precondition {
    /// Whatever version is there.
    Any,
    /// This version only.
    Version(u64),
}

/// What became of a change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Changed {
    /// It is done; the document has this version now, or had it when it was deleted.
    Version(u64),
    /// Another one was first.
    Conflict,
    /// There is no such document.
    Missing,
}

/// The catalog of a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Catalog {
    database: Database,
    key: SealingKey,
}

impl Catalog {
    /// The catalog of `database`.
    ///
    /// # Errors
    /// When its key is damaged, or the database fails.
    pub async fn open(database: Database) -> Result<Self, StoreError> {
        let key = data_keys::load_or_make(&database, Owner::named("catalog", &[], Uuid::nil())).await?;
        Ok(Self { database, key })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is one of this kind and id; when it is too large; when the database fails.
    pub async fn insert(
        &self,
        kind: &str,
        id: Uuid,
        parent: Uuid,
        body: &str,
    ) -> Result<Document, StoreError> {
        let now = Moment::now();
        let sealed = self.seal(kind, id, 1, body)?;
        let sql = "INSERT INTO documents (kind, id, parent, version, body, created_at, updated_at) \
                   VALUES ($1, $2, $3, 1, $4, $5, $5)";
        match self.database.change(sql, values![kind, id, parent, sealed, now.millis()]).await {
            Err(error) if error.is_duplicate() => Err(StoreError::Exists { what: "document", id }),
            Err(error) => Err(error),
            Ok(_) => Ok(Document {
                kind: kind.to_owned(),
                id,
                parent,
                body: body.to_owned(),
                version: 1,
                created_at: now,
                updated_at: now,
            }),
        }
    }

    /// Replaces the text of a document.
    ///
    /// # Errors
    /// When it is too large, or the database fails.
    pub async fn put(
        &self,
        kind: &str,
        id: Uuid,
        body: &str,
        only: Precondition,
    ) -> Result<Changed, StoreError> {
        loop {
            let seen = match (self.version(kind, id).await?, only) {
                (None, _) => return Ok(Changed::Missing),
                (Some(seen), Precondition::Version(wanted)) if seen != wanted => {
                    return Ok(Changed::Conflict);
                }
                (Some(seen), _) => seen,
            };
            let sealed = self.seal(kind, id, seen + 1, body)?;
            let sql = "UPDATE documents SET version = version + 1, body = $1, updated_at = $2 \
                       WHERE kind = $3 AND id = $4 AND version = $5";
            let version = number(seen)?;
            let row = values![sealed, Moment::now().millis(), kind, id, version];
            match (self.database.change(sql, row).await?, only) {
                (0, Precondition::Version(_)) => return Ok(Changed::Conflict),
                // Another one was first, and whatever is there may be replaced: once more.
                (0, Precondition::Any) => {}
                _ => return Ok(Changed::Version(seen + 1)),
            }
        }
    }

    /// Deletes a document.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete(&self, kind: &str, id: Uuid, only: Precondition) -> Result<Changed, StoreError> {
        let seen = match (self.version(kind, id).await?, only) {
            (None, _) => return Ok(Changed::Missing),
            (Some(seen), Precondition::Version(wanted)) if seen != wanted => return Ok(Changed::Conflict),
            (Some(seen), _) => seen,
        };
        let (sql, wanted) = match only {
            Precondition::Any => ("DELETE FROM documents WHERE kind = $1 AND id = $2", values![kind, id]),
            Precondition::Version(version) => {
                let sql = "DELETE FROM documents WHERE kind = $1 AND id = $2 AND version = $3";
                (sql, values![kind, id, number(version)?])
            }
        };
        match (self.database.change(sql, wanted).await?, only) {
            (0, Precondition::Version(_)) => Ok(Changed::Conflict),
            (0, Precondition::Any) => Ok(Changed::Missing),
            _ => Ok(Changed::Version(seen)),
        }
    }

    /// A document.
    ///
    /// # Errors
    /// When it is damaged, or the database fails.
    pub async fn get(&self, kind: &str, id: Uuid) -> Result<Option<Document>, StoreError> {
        let sql = "SELECT id, parent, version, body, created_at, updated_at FROM documents \
                   WHERE kind = $1 AND id = $2";
        let row = self.database.reader().await?.row(sql, values![kind, id]).await?;
        row.map(|row| self.read(kind, &row)).transpose()
    }

    /// Documents of a kind under a parent, oldest first.
    ///
    /// # Errors
    /// When one is damaged, or the database fails.
    pub async fn list(
        &self,
        kind: &str,
        parent: Uuid,
        after: Option<After>,
        limit: u32,
    ) -> Result<Vec<Document>, StoreError> {
        let after = after.unwrap_or(After { created_at: Moment::from_millis(i64::MIN), id: Uuid::nil() });
        let sql = "SELECT id, parent, version, body, created_at, updated_at FROM documents \
                   WHERE kind = $1 AND parent = $2 AND (created_at, id) > ($3, $4) \
                   ORDER BY created_at, id LIMIT $5";
        let limit = i64::from(limit.min(MAX_PAGE));
        let values = values![kind, parent, after.created_at.millis(), after.id, limit];
        let rows = self.database.reader().await?.rows(sql, values).await?;
        rows.iter().map(|row| self.read(kind, row)).collect()
    }

    /// Adds to counters, all of them or none.
    ///
    /// # Errors
    /// When there are more than [`MAX_COUNTS`], or the database fails.
    pub async fn count(&self, kind: &str, id: Uuid, counts: &[(&str, i64)]) -> Result<(), StoreError> {
        if counts.is_empty() {
            return Ok(());
        }
        if counts.len() > MAX_COUNTS {
            return Err(StoreError::TooMuch { what: "counters of one call", max: MAX_COUNTS });
        }
        let mut sums = std::collections::BTreeMap::new();
        for (name, count) in counts {
            *sums.entry(*name).or_insert(0i64) += count;
        }
        let sql = format!(
            "INSERT INTO counters (kind, id, name, total) VALUES {} \
             ON CONFLICT (kind, id, name) DO UPDATE SET total = counters.total + excluded.total",
            places(1, sums.len(), 4)
        );
        let values = sums.into_iter().flat_map(|(name, count)| values![kind, id, name, count]).collect();
        self.database.write(move |link| Box::pin(link.execute(sql, values))).await.map(drop)
    }

    /// The counters of an id, by name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts(&self, kind: &str, id: Uuid) -> Result<Vec<(String, i64)>, StoreError> {
        let sql = "SELECT name, total FROM counters WHERE kind = $1 AND id = $2 ORDER BY name";
        let rows = self.database.reader().await?.rows(sql, values![kind, id]).await?;
        rows.iter().map(|row| Ok((row.text(0)?, row.number(1)?))).collect()
    }

    async fn version(&self, kind: &str, id: Uuid) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT version FROM documents WHERE kind = $1 AND id = $2";
        let row = self.database.reader().await?.row(sql, values![kind, id]).await?;
        row.map(|row| row.count(0)).transpose()
    }

    fn seal(&self, kind: &str, id: Uuid, version: u64, body: &str) -> Result<Vec<u8>, StoreError> {
        if body.len() > MAX_DOCUMENT_BYTES {
            return Err(StoreError::TooMuch { what: "bytes of a document", max: MAX_DOCUMENT_BYTES });
        }
        self.key.seal(body.as_bytes(), &place(kind, id, version))
    }

    fn read(&self, kind: &str, row: &Row) -> Result<Document, StoreError> {
        let (id, version) = (row.id(0)?, row.count(2)?);
        let damaged = StoreError::Damaged { what: "document", id };
        let Ok(mut body) = self.key.open(&row.bytes(3)?, &place(kind, id, version)) else {
            return Err(damaged);
        };
        let Ok(body) = String::from_utf8(std::mem::take(&mut *body)).map_err(|error| {
            Zeroizing::new(error.into_bytes());
        }) else {
            return Err(damaged);
        };
        Ok(Document {
            kind: kind.to_owned(),
            id,
            parent: row.id(1)?,
            body,
            version,
            created_at: Moment::from_millis(row.number(4)?),
            updated_at: Moment::from_millis(row.number(5)?),
        })
    }
}

fn place(kind: &str, id: Uuid, version: u64) -> Place {
    Place::new("document").with(kind.as_bytes()).with(id.as_bytes()).number(version)
}

fn number(version: u64) -> Result<i64, StoreError> {
    i64::try_from(version).map_err(|_| StoreError::Malformed { column: 0 })
}
