//! PostgreSQL: a pool of connections, a transaction a write.
//!
//! In: reads and writes. Out: answers, after the commit for a write. Invariant: a transaction is never left half-way: it
//! runs in a task of its own, so that an asker who goes away does not end it between two statements, and a connection
//! whose state is not known is closed. The address may hold a password: it is never shown, errors name host, port and
//! database. Not here: SQL of tables.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use crate::database::Work;
use crate::error::{Cause, CauseKind, StoreError};
use crate::link::Link;

/// Connections at once.
const MAX_CONNECTIONS: u32 = 16;
/// How long a connection is waited for.
const CONNECT: Duration = Duration::from_secs(10);
/// How long one statement may take, in the server.
const STATEMENT_MS: &str = "20000";
/// How long one call may take, network included.
const CALL: Duration = Duration::from_secs(60);

/// A pool.
#[derive(Clone)]
pub(crate) struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    /// Connects; a server that is down or refuses is an error at once.
    pub(crate) async fn open(address: &str) -> Result<(Self, String), StoreError> {
        // The cause could quote the address, password and all.
        let options = PgConnectOptions::from_str(address).map_err(|_| StoreError::Address("is malformed"))?;
        let name = name_of(&options);
        let options = options.application_name("cloakgate").options([
            ("statement_timeout", STATEMENT_MS),
            ("lock_timeout", STATEMENT_MS),
            ("idle_in_transaction_session_timeout", STATEMENT_MS),
            // Acknowledged is written to the disk, whatever the server's own default is.
            ("synchronous_commit", "on"),
        ]);
        let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(CONNECT);
        match pool.connect_with(options).await {
            Ok(pool) => Ok((Self { pool }, name)),
            Err(error) => Err(refused(name, &error)),
        }
    }

    pub(crate) async fn link(&self) -> Result<Link, StoreError> {
        Ok(Link::Postgres(self.pool.acquire().await.map_err(StoreError::query)?))
    }

    /// Runs `work` in a transaction; the answer comes after the commit.
    pub(crate) async fn write<T: Send + 'static>(&self, work: Work<T>) -> Result<T, StoreError> {
        let mut link = self.link().await?;
        let task = tokio::spawn(async move {
            let done = tokio::time::timeout(CALL, transact(&mut link, work)).await;
            let done = done.unwrap_or(Err(StoreError::TimedOut { seconds: CALL.as_secs() }));
            if done.is_err() && link.script("ROLLBACK").await.is_err() {
                link.discard();
            }
            done
        });
        task.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

async fn transact<T>(link: &mut Link, work: Work<T>) -> Result<T, StoreError> {
    link.script("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
    let done = work(link).await?;
    link.script("COMMIT").await?;
    Ok(done)
}

fn name_of(options: &PgConnectOptions) -> String {
    let host = match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => options.get_host().to_owned(),
    };
    let database = options.get_database().unwrap_or(options.get_username());
    format!("postgres://{host}:{}/{database}", options.get_port())
}

fn refused(database: String, error: &sqlx::Error) -> StoreError {
    let code = error.as_database_error().and_then(|error| error.code().map(std::borrow::Cow::into_owned));
    let source = Cause::of(error);
    let advice = match code.as_deref() {
        Some("28P01" | "28000") => {
            "the server refuses this user or password: check the address and pg_hba.conf"
        }
        Some("3D000") => "the server has no such database: make it with createdb",
        Some("53300") => "the server has no connection left: raise max_connections, or end other clients",
        Some("57P03") => "the server is starting or stopping: try again in a moment",
        Some(_) => "the server refuses the connection",
        None if source.kind() == CauseKind::TimedOut => {
            "nothing answers there: check host and port, and that the server runs"
        }
        None => "cannot connect: check host and port, that the server runs, and its TLS",
    };
    StoreError::Server { database, advice, source }
}
