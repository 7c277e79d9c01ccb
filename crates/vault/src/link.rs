//! One connection to either engine: SQL with `$n` goes out, rows come back.
//!
//! In: one SQL text for both engines, values in order. Out: rows, read by position and checked. Invariant: nothing of
//! sqlx is seen outside this file and the two engines. Not here: transactions, pools.

use std::borrow::Cow;

use sqlx::database::HasStatementCache;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;
use sqlx::query::Query;
use sqlx::sqlite::SqliteRow;
use sqlx::{
    AssertSqlSafe, ColumnIndex, Database, Decode, Encode, Executor, Postgres, Row as _, SqlSafeStr, Sqlite,
    Type,
};
use uuid::Uuid;

use crate::error::StoreError;

/// A value on its way into a statement.
#[derive(Clone)]
pub(crate) enum Value {
    Bytes(Vec<u8>),
    Number(i64),
    MaybeNumber(Option<i64>),
    MaybeBytes(Option<Vec<u8>>),
    Text(String),
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Self {
        Self::Bytes(id.into_bytes().to_vec())
    }
}

impl From<Option<Uuid>> for Value {
    fn from(id: Option<Uuid>) -> Self {
        Self::MaybeBytes(id.map(|id| id.into_bytes().to_vec()))
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(bytes: [u8; N]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Self {
        Self::MaybeNumber(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Values of one statement, in the order of `$1`, `$2` ...
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::link::Value::from($value)),*] };
}
pub(crate) use values;

/// SQL and its values.
pub(crate) type Statement = (&'static str, Vec<Value>);

/// A connection that nobody else uses meanwhile.
pub(crate) enum Link {
    /// With a script that goes out before whatever comes next.
    Sqlite(PoolConnection<Sqlite>, Cow<'static, str>),
    Postgres(PoolConnection<Postgres>),
}

impl Link {
    /// Runs one statement; the number of rows that it changed.
    pub(crate) async fn execute(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        values: Vec<Value>,
    ) -> Result<u64, StoreError> {
        self.send_script().await?;
        let sql = sql.into();
        let changed = match self {
            Self::Sqlite(link, _) => {
                let done = link.execute(bound::<Sqlite>(sql, values)).await;
                done.map(|done| done.rows_affected())
            }
            Self::Postgres(link) => {
                let done = link.execute(bound::<Postgres>(sql, values)).await;
                done.map(|done| done.rows_affected())
            }
        };
        changed.map_err(|error| self.failed(error))
    }

    /// Runs statements one after the other; with SQLite in one call, since each call is two changes of thread. What comes
    /// together should always come together: the whole is kept prepared. A row behind the last one shows that all of them
    /// ran: the driver says nothing where its thread ends in between.
    pub(crate) async fn execute_all(&mut self, statements: Vec<Statement>) -> Result<(), StoreError> {
        let Self::Sqlite(link, script) = self else {
            for (sql, values) in statements {
                self.execute(sql, values).await?;
            }
            return Ok(());
        };
        let mut all = std::mem::take(script).into_owned();
        let mut values = Vec::new();
        for (sql, mut own) in statements {
            push_renumbered(&mut all, sql, values.len());
            all.push(';');
            values.append(&mut own);
        }
        all.push_str("SELECT 1");
        let query = bound::<Sqlite>(all.into(), values).persistent(true);
        match link.fetch_optional(query).await {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(self.failed(sqlx::Error::WorkerCrashed)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Runs one statement; its rows.
    pub(crate) async fn rows(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreError> {
        self.send_script().await?;
        let sql = sql.into();
        let rows: Result<Vec<Row>, sqlx::Error> = match self {
            Self::Sqlite(link, _) => {
                let rows = link.fetch_all(bound::<Sqlite>(sql, values)).await;
                rows.map(|rows| rows.into_iter().map(Row::Sqlite).collect())
            }
            Self::Postgres(link) => {
                let rows = link.fetch_all(bound::<Postgres>(sql, values)).await;
                rows.map(|rows| rows.into_iter().map(Row::Postgres).collect())
            }
        };
        rows.map_err(|error| self.failed(error))
    }

    /// Runs one statement that gives at most one row.
    pub(crate) async fn row(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        values: Vec<Value>,
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Runs statements without values, separated by `;`.
    pub(crate) async fn script(&mut self, sql: impl Into<Cow<'static, str>>) -> Result<(), StoreError> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.into().into_owned()));
        let done = match self {
            Self::Sqlite(link, _) => link.execute(sql).await.map(drop),
            Self::Postgres(link) => link.execute(sql).await.map(drop),
        };
        done.map_err(|error| self.failed(error))
    }

    /// Sends a script of SQLite together with what comes next, which saves a change of thread and back. It must end
    /// with `;`.
    pub(crate) fn with_next(&mut self, before: impl Into<Cow<'static, str>>) {
        if let Self::Sqlite(_, script) = self {
            *script = before.into();
        }
    }

    /// True when nothing has come yet that a script could go out with.
    pub(crate) fn holds_script(&self) -> bool {
        matches!(self, Self::Sqlite(_, script) if !script.is_empty())
    }

    async fn send_script(&mut self) -> Result<(), StoreError> {
        let Self::Sqlite(_, script) = self else { return Ok(()) };
        let script = std::mem::take(script);
        if script.is_empty() { Ok(()) } else { self.script(script).await }
    }

    /// What is told of a failure. A connection that has ended is not given back.
    fn failed(&mut self, error: sqlx::Error) -> StoreError {
        if matches!(error, sqlx::Error::WorkerCrashed) {
            self.discard();
        }
        StoreError::query(error)
    }

    /// Ends the connection instead of giving it back: nobody knows what state it is in.
    pub(crate) fn discard(&mut self) {
        match self {
            Self::Sqlite(link, _) => link.close_on_drop(),
            Self::Postgres(link) => link.close_on_drop(),
        }
    }

    pub(crate) const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }
}

/// A statement with its values. What is built at run time is not kept prepared: there is one text per batch size.
fn bound<'q, DB>(sql: Cow<'static, str>, values: Vec<Value>) -> Query<'q, DB, DB::Arguments>
where
    DB: Database + HasStatementCache,
    Vec<u8>: Encode<'q, DB> + Type<DB>,
    Option<Vec<u8>>: Encode<'q, DB> + Type<DB>,
    i64: Encode<'q, DB> + Type<DB>,
    Option<i64>: Encode<'q, DB> + Type<DB>,
    String: Encode<'q, DB> + Type<DB>,
{
    let (sql, kept) = match sql {
        Cow::Borrowed(sql) => (sql.into_sql_str(), true),
        Cow::Owned(sql) => (AssertSqlSafe(sql).into_sql_str(), false),
    };
    let mut query = sqlx::query::<DB>(sql).persistent(kept);
    for value in values {
        query = match value {
            Value::Bytes(bytes) => query.bind(bytes),
            Value::MaybeBytes(bytes) => query.bind(bytes),
            Value::Number(number) => query.bind(number),
            Value::MaybeNumber(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
        };
    }
    query
}

/// One row of an answer; columns are read by position.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn read<T>(&self, column: usize) -> Result<T, StoreError>
    where
        T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>,
        usize: ColumnIndex<SqliteRow> + ColumnIndex<PgRow>,
    {
        let value = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        // The cause could quote what stands in the column.
        value.map_err(|_| StoreError::Malformed { column })
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<Vec<u8>, StoreError> {
        self.read(column)
    }

    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.read(column)
    }

    pub(crate) fn number(&self, column: usize) -> Result<i64, StoreError> {
        self.read(column)
    }

    pub(crate) fn maybe_number(&self, column: usize) -> Result<Option<i64>, StoreError> {
        self.read(column)
    }

    pub(crate) fn array<const N: usize>(&self, column: usize) -> Result<[u8; N], StoreError> {
        self.bytes(column)?.try_into().map_err(|_| StoreError::Malformed { column })
    }

    pub(crate) fn id(&self, column: usize) -> Result<Uuid, StoreError> {
        self.array(column).map(Uuid::from_bytes)
    }

    pub(crate) fn count(&self, column: usize) -> Result<u64, StoreError> {
        u64::try_from(self.number(column)?).map_err(|_| StoreError::Malformed { column })
    }
}

/// Writes `sql` with its `$n` raised by `offset`. A `$` stands nowhere else in our statements.
fn push_renumbered(all: &mut String, sql: &str, offset: usize) {
    let mut parts = sql.split('$');
    all.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at_checked(end).unwrap_or((part, ""));
        let number = number.parse::<usize>().unwrap_or_default() + offset;
        all.push_str(&format!("${number}{rest}"));
    }
}

/// `($1, $2), ($3, $4)`: places for so many rows of so many columns, the first of them `$first`.
pub(crate) fn places(first: usize, rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let numbers = (0..columns).map(|column| format!("${}", first + row * columns + column));
        format!("({})", numbers.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{places, push_renumbered};

    #[test]
    fn statements_that_run_together_keep_their_own_values() {
        let mut all = String::new();
        push_renumbered(&mut all, "INSERT INTO t VALUES ($1, $2)", 0);
        push_renumbered(&mut all, "; UPDATE t SET a = $1 WHERE b = $12", 2);
        assert_eq!(all, "INSERT INTO t VALUES ($1, $2); UPDATE t SET a = $3 WHERE b = $14");
    }

    #[test]
    fn places_are_numbered_row_by_row() {
        assert_eq!(places(2, 2, 3), "($2, $3, $4), ($5, $6, $7)");
        assert_eq!(places(1, 1, 1), "($1)");
    }
}
