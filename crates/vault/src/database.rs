//! A database of either engine, open, with its schema and its keys.
//!
//! In: an address, where the master keys are, whose database it is. Out: reads and writes on it. Invariant: what is open
//! has the newest schema, belongs to the region that asked for it, and every master key that sealed something in it is
//! known. Not here: what is stored (`sessions`, `catalog`, `port`).

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use uuid::Uuid;

use crate::data_keys;
use crate::error::StoreError;
use crate::link::{Link, Statement, values};
use crate::lookup::{Generations, LookupKeys};
use crate::master_key::{KeySource, MasterKeys, Missing};
use crate::migrations;
use crate::postgres::PostgresStore;
use crate::regions::RegionName;
use crate::sessions::Used;
use crate::sqlite::{self, SqliteStore};
use crate::together::Together;

/// A future that borrows the connection for as long as it runs.
pub(crate) type Running<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;
/// What is to be done with a connection, inside one transaction.
pub(crate) type Work<T> = Box<dyn for<'a> FnOnce(&'a mut Link) -> Running<'a, T> + Send>;

/// Where a database is and which keys open it.
#[derive(Clone)]
pub struct DatabaseConfig {
    /// Path of a SQLite file, `sqlite:PATH`, or `postgres://...`. May hold a password.
    pub address: String,
    /// Where the master keys are.
    pub keys: KeySource,
    /// Whose database it is: written into a new one, and checked ever after.
    pub region: RegionName,
}

impl fmt::Debug for DatabaseConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseConfig")
            .field("address", &"..")
            .field("keys", &self.keys)
            .field("region", &self.region)
            .finish()
    }
}

/// An open database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    name: String,
    keys: MasterKeys,
    lookups: LookupKeys,
    generations: Generations,
    metas: Metas,
}

/// Questions for sessions by id and tenant.
type Metas = Together<(Uuid, Uuid), Result<Option<Used>, StoreError>>;

enum Engine {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Database({})", self.inner.name)
    }
}

impl Database {
    /// Opens a database, brings its schema to the newest step and checks the master keys. With SQLite both the file and
    /// the key file are made on first use; with PostgreSQL the key must be there.
    ///
    /// # Errors
    /// When the database cannot be reached or written, its schema is newer than this program, it belongs to another
    /// region, or a master key is missing, malformed, readable by others, or not the one.
    pub async fn open(config: &DatabaseConfig) -> Result<Self, StoreError> {
        let address = config.address.as_str();
        let (engine, name) = if is_postgres(address) {
            let (store, name) = PostgresStore::open(address).await?;
            (Engine::Postgres(store), name)
        } else {
            let path = sqlite_path(address)?;
            (Engine::Sqlite(SqliteStore::open(&path).await?), path.display().to_string())
        };
        match prepare(&engine, config, &name).await {
            Ok(keys) => {
                let (lookups, generations) = (LookupKeys::default(), Generations::default());
                let metas = Together::default();
                Ok(Self { inner: Arc::new(Inner { engine, name, keys, lookups, generations, metas }) })
            }
            Err(error) => {
                engine.close().await;
                Err(error)
            }
        }
    }

    /// What errors and logs call it: the path, or host, port and name; never a password.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Writes what waits, and ends all connections.
    pub async fn close(&self) {
        self.inner.engine.close().await;
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// When it gives none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let mut link = self.reader().await?;
        link.rows("SELECT 1", Vec::new()).await.map(drop)
    }

    pub(crate) fn keys(&self) -> &MasterKeys {
        &self.inner.keys
    }

    pub(crate) fn lookups(&self) -> &LookupKeys {
        &self.inner.lookups
    }

    pub(crate) fn generations(&self) -> &Generations {
        &self.inner.generations
    }

    pub(crate) fn metas(&self) -> &Metas {
        &self.inner.metas
    }

    /// A connection for reading.
    pub(crate) async fn reader(&self) -> Result<Link, StoreError> {
        self.inner.engine.reader().await
    }

    /// Runs `work` in a transaction; it is done for good when this answers.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Link) -> Running<'a, T> + Send + 'static,
    {
        self.inner.engine.write(Box::new(work)).await
    }

    /// Runs statements in a transaction; they are done for good when this answers.
    pub(crate) async fn write_all(&self, statements: Vec<Statement>) -> Result<(), StoreError> {
        match &self.inner.engine {
            Engine::Sqlite(store) => store.write_all(statements).await,
            Engine::Postgres(store) => {
                store.write(Box::new(move |link| Box::pin(link.execute_all(statements)))).await
            }
        }
    }

    /// Runs one statement in a transaction; the number of rows that it changed.
    pub(crate) async fn change(
        &self,
        sql: &'static str,
        values: Vec<crate::link::Value>,
    ) -> Result<u64, StoreError> {
        self.write(move |link| Box::pin(link.execute(sql, values))).await
    }
}

impl Engine {
    async fn reader(&self) -> Result<Link, StoreError> {
        match self {
            Self::Sqlite(store) => store.reader().await,
            Self::Postgres(store) => store.link().await,
        }
    }

    async fn write<T: Send + 'static>(&self, work: Work<T>) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(store) => store.write(work).await,
            Self::Postgres(store) => store.write(work).await,
        }
    }

    async fn close(&self) {
        match self {
            Self::Sqlite(store) => store.close().await,
            Self::Postgres(store) => store.close().await,
        }
    }
}

/// Schema, region and keys, in one transaction: of processes that start at once, one does it and the others find it
/// done.
async fn prepare(engine: &Engine, config: &DatabaseConfig, name: &str) -> Result<MasterKeys, StoreError> {
    let (config, name) = (config.clone(), name.to_owned());
    let work: Work<MasterKeys> = Box::new(move |link| {
        Box::pin(async move {
            migrations::migrate(link, &name).await?;
            claim(link, &config.region, &name).await?;
            let used = data_keys::used_keys(link).await?;
            let missing =
                if used.is_empty() && !link.is_postgres() { Missing::Make } else { Missing::Refuse };
            let keys = MasterKeys::load_or(&config.keys, missing)?;
            data_keys::check(link, &keys, &name).await?;
            Ok(keys)
        })
    });
    engine.write(work).await
}

/// Writes whose database it is into a new one; refuses that of another region.
async fn claim(link: &mut Link, region: &RegionName, database: &str) -> Result<(), StoreError> {
    let insert = "INSERT INTO facts (name, value) VALUES ('region', $1) ON CONFLICT (name) DO NOTHING";
    link.execute(insert, values![region.as_str()]).await?;
    let found = link.row("SELECT value FROM facts WHERE name = 'region'", Vec::new()).await?;
    let found = found.map_or(Ok(String::new()), |row| row.text(0))?;
    if found == region.as_str() {
        return Ok(());
    }
    Err(StoreError::WrongRegion { database: database.to_owned(), found, wanted: region.as_str().to_owned() })
}

fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

fn sqlite_path(address: &str) -> Result<std::path::PathBuf, StoreError> {
    let path = sqlite::path_of(address);
    if address.trim().is_empty() || path.as_os_str().is_empty() {
        return Err(StoreError::Address("is empty"));
    }
    // An address of another database, or a slip in the name of ours: it may hold a password, so it is not shown.
    if !address.starts_with("sqlite:") && address.contains("://") {
        return Err(StoreError::Address("names a database that is not supported"));
    }
    if address.contains('?') || path.as_os_str() == ":memory:" {
        return Err(StoreError::Address("has options, which a SQLite file does not take"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::sqlite_path;
    use crate::error::StoreError;

    #[test]
    fn addresses_are_read_or_refused_without_being_shown() {
        for (address, path) in [
            ("data/a.db", "data/a.db"),
            ("sqlite:data/a.db", "data/a.db"),
            ("sqlite:///var/lib/a.db", "/var/lib/a.db"),
        ] {
            assert_eq!(sqlite_path(address).unwrap().to_str(), Some(path));
        }
        for address in
            ["", "sqlite:", "mysql://u:hunter2@h/d", "postgress://u:hunter2@h/d", ":memory:", "a?x=hunter2"]
        {
            let error = sqlite_path(address).unwrap_err();
            assert!(matches!(error, StoreError::Address(_)), "{address}");
            assert!(!format!("{error} {error:?}").contains("hunter2"));
        }
    }
}
