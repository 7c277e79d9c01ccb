//! SQLite: one file, many readers, one task that writes.
//!
//! In: reads, which run side by side on a pool; writes, which wait in a queue. Out: answers after the commit. The task
//! takes whatever waits (up to [`MAX_GROUP`]) into one transaction, so that many writers share one wait for the disk;
//! what fails is undone by itself and takes no other with it. Invariant: a write is acknowledged only when it is
//! committed with `synchronous = FULL` in WAL mode: it is then on the disk, and neither the end of the process nor a loss
//! of power takes it back. Not here: SQL of tables.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::Sqlite;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::database::Work;
use crate::error::{Cause, CauseKind, StoreError};
use crate::link::{Link, Statement};

/// Writes that may wait.
const MAX_QUEUE: usize = 4096;
/// Writes that are committed together at most.
const MAX_GROUP: usize = 256;
/// Of writes that are statements alone, how many go out in one call; a power of two. Each number of them is a few more
/// texts that stay prepared: with and without the begin and the end of the transaction.
const MAX_CALL: usize = 16;
/// Answers that may wait to be read: more than one call has, so that no statement waits for whoever asked.
const MAX_ANSWERS: usize = 512;
/// Readers at once.
const MAX_READERS: u32 = 4;
/// How long a writer of another process is waited for, and a place in the queue.
const BUSY: Duration = Duration::from_secs(10);
/// Tries to open a file that another process is just making.
const OPEN_TRIES: u32 = 50;
const OPEN_PAUSE: Duration = Duration::from_millis(100);

/// An open file.
pub(crate) struct SqliteStore {
    readers: SqlitePool,
    writers: SqlitePool,
    queue: Mutex<Option<mpsc::Sender<Box<dyn Job>>>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteStore {
    /// Opens the file or makes it, for its owner only.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        make_private(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // What is deleted is overwritten, and does not lie in free pages until they are used again.
            .pragma("secure_delete", "ON")
            .pragma("trusted_schema", "OFF")
            // Hashes of values fall on pages all over their index: the more writes share a checkpoint, the fewer times
            // each page is written back. In pages of 4 KiB, and KiB.
            .pragma("wal_autocheckpoint", "8000")
            .pragma("cache_size", "-32768")
            .row_buffer_size(MAX_ANSWERS);
        // A connection is a thread of this process: it is asked for no sign of life before each use, which takes two
        // changes of thread. Where it has ended, [`Link`] lets go of it.
        let pool = || SqlitePoolOptions::new().acquire_timeout(BUSY).test_before_acquire(false);
        let one = pool().max_connections(1);
        let writers = connect(path, one, &options).await?;
        let many = pool().max_connections(MAX_READERS);
        let reading = options.clone().pragma("query_only", "ON");
        let readers = connect(path, many, &reading).await?;
        let (sender, receiver) = mpsc::channel(MAX_QUEUE);
        let task = tokio::spawn(write_all(writers.clone(), receiver));
        Ok(Self { readers, writers, queue: Mutex::new(Some(sender)), task: Mutex::new(Some(task)) })
    }

    pub(crate) async fn reader(&self) -> Result<Link, StoreError> {
        Ok(link(self.readers.acquire().await.map_err(StoreError::query)?))
    }

    /// Runs `work` in a transaction that it may share with others; the answer comes after the commit.
    pub(crate) async fn write<T: Send + 'static>(&self, work: Work<T>) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue(Box::new(Pending { work: Some(work), done: None, answer })).await?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Runs statements likewise. They cost less than work that does the same: those of several writers go out in one call.
    pub(crate) async fn write_all(&self, statements: Vec<Statement>) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue(Box::new(Plain { statements, done: Err(StoreError::Closed), answer })).await?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    async fn queue(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let queue = queue.ok_or(StoreError::Closed)?;
        match tokio::time::timeout(BUSY, queue.send(job)).await {
            Err(_) => Err(StoreError::Busy),
            Ok(Err(_)) => Err(StoreError::Closed),
            Ok(Ok(())) => Ok(()),
        }
    }

    /// Ends when all that waits is written.
    pub(crate) async fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // The task ends when the queue is empty; it has no other end.
            task.await.ok();
        }
        self.readers.close().await;
        self.writers.close().await;
    }
}

async fn connect(
    path: &Path,
    pool: SqlitePoolOptions,
    options: &SqliteConnectOptions,
) -> Result<SqlitePool, StoreError> {
    let mut tries = 0;
    loop {
        let error = match pool.clone().connect_with(options.clone()).await {
            Ok(pool) => return Ok(pool),
            Err(error) => Cause::of(&error),
        };
        tries += 1;
        // Two processes that start at once both want WAL mode, and SQLite does not wait for that lock.
        if error.kind() != CauseKind::Locked || tries == OPEN_TRIES {
            return Err(refused(path, error));
        }
        tokio::time::sleep(OPEN_PAUSE).await;
    }
}

fn refused(path: &Path, source: Cause) -> StoreError {
    let advice = match source.kind() {
        CauseKind::Locked => "another program holds it: end that program, or use a file of our own",
        _ => "check that it is a SQLite file, and that this user may write to it and to its folder",
    };
    StoreError::File { path: path.display().to_string(), advice, source }
}

/// Makes the file with mode 0600; one that is there keeps its mode.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::File {
        path: path.display().to_string(),
        advice: "check that the folder is there, and that this user may write to the file and to its folder",
        source: Cause::of(&sqlx::Error::Io(error)),
    };
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(failed)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(failed)
}

/// A write that waits, whatever its answer is.
trait Job: Send {
    fn is_wanted(&self) -> bool;
    /// What [`Job::run`] runs, where that is all; empty where there is more to it.
    fn statements(&self) -> &[Statement];
    /// Takes down that its statements ran well together with those of others.
    fn ran(&mut self);
    fn run<'a>(&'a mut self, link: &'a mut Link) -> crate::database::Running<'a, ()>;
    /// Hands the answer over; `lost` when the transaction did not end well.
    fn answer(self: Box<Self>, lost: Option<StoreError>);
}

struct Pending<T> {
    work: Option<Work<T>>,
    done: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send> Job for Pending<T> {
    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    fn statements(&self) -> &[Statement] {
        &[]
    }

    fn ran(&mut self) {}

    fn run<'a>(&'a mut self, link: &'a mut Link) -> crate::database::Running<'a, ()> {
        Box::pin(async move {
            let Some(work) = self.work.take() else { return Err(StoreError::Closed) };
            match work(link).await {
                Ok(done) => {
                    self.done = Some(Ok(done));
                    Ok(())
                }
                Err(error) => {
                    self.done = Some(Err(error));
                    Err(StoreError::Closed)
                }
            }
        })
    }

    fn answer(self: Box<Self>, lost: Option<StoreError>) {
        tell(self.answer, self.done.unwrap_or(Err(StoreError::Closed)), lost);
    }
}

/// Statements alone.
struct Plain {
    statements: Vec<Statement>,
    done: Result<(), StoreError>,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

impl Job for Plain {
    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    fn statements(&self) -> &[Statement] {
        &self.statements
    }

    fn ran(&mut self) {
        self.done = Ok(());
    }

    fn run<'a>(&'a mut self, link: &'a mut Link) -> crate::database::Running<'a, ()> {
        Box::pin(async move {
            self.done = link.execute_all(std::mem::take(&mut self.statements)).await;
            self.done.as_ref().map_err(StoreError::again).copied()
        })
    }

    fn answer(self: Box<Self>, lost: Option<StoreError>) {
        tell(self.answer, self.done, lost);
    }
}

fn tell<T>(
    answer: oneshot::Sender<Result<T, StoreError>>,
    done: Result<T, StoreError>,
    lost: Option<StoreError>,
) {
    // What failed by itself failed whatever became of the others.
    let done = done.and_then(|done| lost.map_or(Ok(done), Err));
    // Who asked may have gone; the write stays.
    answer.send(done).ok();
}

fn link(connection: PoolConnection<Sqlite>) -> Link {
    Link::Sqlite(connection, Cow::Borrowed(""))
}

/// The task that writes: ends when the queue has been closed and is empty.
async fn write_all(writers: SqlitePool, mut queue: mpsc::Receiver<Box<dyn Job>>) {
    let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(MAX_GROUP);
    while queue.recv_many(&mut group, MAX_GROUP).await > 0 {
        // Who went away while waiting has not been told anything, so nothing need be done.
        group.retain(|job| job.is_wanted());
        let lost = match writers.acquire().await {
            Ok(writer) => write_group(&mut link(writer), &mut group).await.err(),
            Err(error) => Some(StoreError::query(error)),
        };
        for job in group.drain(..) {
            job.answer(lost.as_ref().map(StoreError::again));
        }
    }
}

/// Writes a group in one transaction. Statements alone come first and share calls; they have no savepoints, since SQLite
/// copies each page that is changed under one. Where they fail, all of it is begun again, each under its savepoint.
async fn write_group(link: &mut Link, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    group.sort_by_key(|job| job.statements().is_empty());
    let plain = group.partition_point(|job| !job.statements().is_empty());
    let written = async {
        let mut first = 0;
        if plain > 0 {
            let (jobs, others) = group.split_at_mut(plain);
            match together(link, jobs, if others.is_empty() { "COMMIT" } else { "" }).await {
                Ok(()) if others.is_empty() => return Ok(()),
                Ok(()) => first = plain,
                // Each of them would wait as long again.
                Err(error @ (StoreError::Busy | StoreError::TimedOut { .. })) => return Err(error),
                // Where SQLite has rolled back by itself there is nothing to roll back.
                Err(_) => link.script("ROLLBACK").await.unwrap_or_default(),
            }
        }
        let begin = if first == 0 { "BEGIN IMMEDIATE; SAVEPOINT job" } else { "SAVEPOINT job" };
        link.script(begin).await?;
        let ending = one_by_one(link, group.get_mut(first..).unwrap_or_default()).await;
        link.script(format!("{ending} COMMIT")).await
    };
    let written = written.await;
    if written.is_err() {
        // The connection may be in the middle of anything; the next group gets a new one.
        link.script("ROLLBACK").await.ok();
        link.discard();
    }
    written
}

/// Begins a transaction and runs jobs in it that are statements alone, then `end`.
async fn together(link: &mut Link, jobs: &mut [Box<dyn Job>], end: &'static str) -> Result<(), StoreError> {
    for call in calls(jobs, end) {
        link.execute_all(call).await?;
    }
    jobs.iter_mut().for_each(|job| job.ran());
    Ok(())
}

/// The calls for that, as few as may be. Each takes a power of two of jobs, so that there are few texts to keep prepared.
fn calls(jobs: &[Box<dyn Job>], end: &'static str) -> Vec<Vec<Statement>> {
    let mut calls = Vec::new();
    let mut rest = jobs;
    while !rest.is_empty() {
        let (now, later) =
            rest.split_at_checked(1 << rest.len().min(MAX_CALL).ilog2()).unwrap_or((rest, &[]));
        rest = later;
        let begin = if calls.is_empty() { "BEGIN IMMEDIATE" } else { "" };
        let end = if rest.is_empty() { end } else { "" };
        let around = |sql: &'static str| Some((sql, Vec::new())).filter(|_| !sql.is_empty());
        let statements = now.iter().flat_map(|job| job.statements().iter().cloned());
        calls.push(around(begin).into_iter().chain(statements).chain(around(end)).collect());
    }
    calls
}

/// Runs each job under a savepoint of its own, of which the first is there; what ends the last one.
async fn one_by_one(link: &mut Link, jobs: &mut [Box<dyn Job>]) -> &'static str {
    let mut next = "";
    for job in jobs {
        link.with_next(next);
        let done = job.run(link).await;
        // One that sent nothing has nothing to end.
        if !link.holds_script() {
            next = match done {
                Ok(()) => "RELEASE job; SAVEPOINT job;",
                Err(_) => "ROLLBACK TO job; RELEASE job; SAVEPOINT job;",
            };
        }
    }
    link.with_next("");
    next.split_once("SAVEPOINT job;").unwrap_or_default().0
}

/// Where the file of a `sqlite:` address is.
pub(crate) fn path_of(address: &str) -> PathBuf {
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    PathBuf::from(path.strip_prefix("//").unwrap_or(path))
}
