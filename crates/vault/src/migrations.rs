//! Brings the schema of a database to the newest step, forward only.
//!
//! In: a connection. Out: all steps applied and recorded, or the database as it was. Invariant: of processes that start
//! at once one does the work and the others wait for it; a schema newer than this program is refused. Not here: what
//! the tables mean (the files that use them).

use crate::error::StoreError;
use crate::link::{Link, values};

/// The steps in order; step 1 is the first. What is released never changes.
const STEPS: &[&str] = &[include_str!("../migrations/0001_first.sql")];

/// The newest schema that this program knows.
pub(crate) const NEWEST: u32 = 1;

/// Any number that nobody else locks by in the same database.
const LOCK: &str = "SELECT pg_advisory_xact_lock(4859171140925817)";

/// Applies the missing steps inside a transaction that the caller has begun and will end. `database` names it in
/// errors.
pub(crate) async fn migrate(link: &mut Link, database: &str) -> Result<(), StoreError> {
    if link.is_postgres() {
        link.rows(LOCK, Vec::new()).await?;
    }
    let types = Types::of(link);
    link.script(types.fill(
        "CREATE TABLE IF NOT EXISTS schema_steps (step {number} NOT NULL PRIMARY KEY, applied_at {number} NOT NULL) {plain}",
    ))
    .await?;
    let found = link.row("SELECT COALESCE(MAX(step), 0) FROM schema_steps", Vec::new()).await?;
    let found = found.map_or(Ok(0), |row| row.count(0))?;
    let found = u32::try_from(found).unwrap_or(u32::MAX);
    if found > NEWEST {
        return Err(StoreError::NewerSchema { database: database.to_owned(), found, known: NEWEST });
    }
    for (step, sql) in (1u32..).zip(STEPS).skip(found as usize) {
        apply(link, step, types.fill(sql)).await.map_err(|source| StoreError::Migration {
            database: database.to_owned(),
            step,
            source: Box::new(source),
        })?;
    }
    Ok(())
}

async fn apply(link: &mut Link, step: u32, sql: String) -> Result<(), StoreError> {
    link.script(sql).await?;
    let now = crate::Moment::now();
    let insert = "INSERT INTO schema_steps (step, applied_at) VALUES ($1, $2)";
    link.execute(insert, values![i64::from(step), now.millis()]).await.map(drop)
}

/// How the two engines name types and kinds of tables.
struct Types {
    bytes: &'static str,
    number: &'static str,
    plain: &'static str,
    clustered: &'static str,
}

impl Types {
    const fn of(link: &Link) -> Self {
        match link {
            Link::Sqlite(..) => Self {
                bytes: "BLOB",
                number: "INTEGER",
                plain: "STRICT",
                // Rows lie in the index of the key, so a look-up is one walk and not two.
                clustered: "STRICT, WITHOUT ROWID",
            },
            Link::Postgres(_) => Self { bytes: "BYTEA", number: "BIGINT", plain: "", clustered: "" },
        }
    }

    fn fill(&self, sql: &str) -> String {
        sql.replace("{bytes}", self.bytes)
            .replace("{number}", self.number)
            .replace("{plain}", self.plain)
            .replace("{clustered}", self.clustered)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_newest_step_is_the_last_file() {
        assert_eq!(super::STEPS.len(), super::NEWEST as usize);
    }
}
