//! Makes empty databases of one engine, and does to them what their owner would never do.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use cloakgate_testkit::Postgres;
use cloakgate_vault::{Database, DatabaseConfig, KeySource, new_key_line};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgConnection};

pub(crate) struct World {
    engine: Engine,
    folder: PathBuf,
    made: AtomicU32,
}

enum Engine {
    Sqlite,
    Postgres(Postgres),
}

impl World {
    pub(crate) fn sqlite() -> Self {
        Self { engine: Engine::Sqlite, folder: folder("sqlite"), made: AtomicU32::new(0) }
    }

    pub(crate) fn postgres() -> Self {
        let engine = Engine::Postgres(Postgres::start().unwrap_or_else(|error| panic!("{error}")));
        Self { engine, folder: folder("postgres"), made: AtomicU32::new(0) }
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self.engine, Engine::Sqlite)
    }

    /// An empty database and a key file of its own.
    pub(crate) fn config(&self, region: &str) -> DatabaseConfig {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let key = self.folder.join(format!("{number}.key"));
        write_private(&key, new_key_line().unwrap().as_bytes());
        let address = match &self.engine {
            Engine::Sqlite => self.folder.join(format!("{number}.db")).display().to_string(),
            Engine::Postgres(server) => server.new_database().unwrap(),
        };
        DatabaseConfig { address, keys: KeySource::File(key), region: region.parse().unwrap() }
    }

    pub(crate) async fn database(&self) -> Database {
        Database::open(&self.config("eu")).await.unwrap()
    }

    /// Runs SQL behind the back of the store, without its rules.
    pub(crate) async fn tamper(&self, config: &DatabaseConfig, sql: &str) {
        let sql = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        match &self.engine {
            Engine::Sqlite => {
                let options = SqliteConnectOptions::new().filename(&config.address).foreign_keys(false);
                let mut link = options.connect().await.unwrap();
                link.execute(sql).await.unwrap();
                link.close().await.unwrap();
            }
            Engine::Postgres(_) => {
                let mut link = PgConnection::connect(&config.address).await.unwrap();
                link.execute(sql).await.unwrap();
                link.close().await.unwrap();
            }
        }
    }

    /// An id or other bytes as SQL writes them.
    pub(crate) fn literal(&self, bytes: &[u8]) -> String {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.is_sqlite() { format!("X'{digits}'") } else { format!("'\\x{digits}'::bytea") }
    }

    /// Every byte that the database keeps.
    pub(crate) fn bytes(&self, config: &DatabaseConfig) -> Vec<u8> {
        match &self.engine {
            Engine::Sqlite => ["", "-wal"]
                .iter()
                .filter_map(|end| std::fs::read(format!("{}{end}", config.address)).ok())
                .flatten()
                .collect(),
            Engine::Postgres(server) => server.dump(&config.address).unwrap().into_bytes(),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn folder(name: &str) -> PathBuf {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let name = format!("cloakgate-stores-{name}-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn write_private(path: &Path, bytes: &[u8]) {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).unwrap().write_all(bytes).unwrap();
}

/// True when `bytes` hold `wanted`, as it is or in hexadecimal digits.
pub(crate) fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    let digits: String = wanted.iter().map(|byte| format!("{byte:02x}")).collect();
    memchr::memmem::find(bytes, wanted).is_some() || memchr::memmem::find(bytes, digits.as_bytes()).is_some()
}
