//! SQLite: one file, many readers, one task that writes.
//!
//! In: reads, which run side by side on a pool; writes, which wait in a queue. Out: answers after the commit. The task
//! takes whatever waits (up to [`MAX_GROUP`]) into one transaction, so that many writers share one wait for the disk;
//! what fails is undone by a savepoint and takes no other with it. Invariant: a write is acknowledged only when it is
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
/// Of writes that are statements alone, how many go out in one call; a power of two. Each number of them is one more
/// text that stays prepared.
const MAX_CALL: usize = 16;
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
            .pragma("cache_size", "-32768");
        let one = SqlitePoolOptions::new().max_connections(1).acquire_timeout(BUSY);
        let writers = connect(path, one, &options).await?;
        let many = SqlitePoolOptions::new().max_connections(MAX_READERS).acquire_timeout(BUSY);
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

async fn write_group(link: &mut Link, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    let mut writing = Writing { link, next: "" };
    let written = async {
        writing.link.script("BEGIN IMMEDIATE; SAVEPOINT job").await?;
        let mut rest = &mut *group;
        while !rest.is_empty() {
            let plain = rest.iter().take(MAX_CALL).take_while(|job| !job.statements().is_empty()).count();
            let (jobs, later) = rest.split_at_mut(1 << plain.max(1).ilog2());
            rest = later;
            if !writing.together(jobs).await {
                writing.one_by_one(jobs).await;
            }
        }
        writing.link.with_next("");
        let (ending, _) = writing.next.split_once("SAVEPOINT job;").unwrap_or_default();
        writing.link.script(format!("{ending} COMMIT")).await
    };
    let written = written.await;
    if written.is_err() {
        // The connection may be in the middle of anything; the next group gets a new one.
        link.script("ROLLBACK").await.ok();
        link.discard();
    }
    written
}

/// A transaction of several jobs.
struct Writing<'a> {
    link: &'a mut Link,
    /// What goes out before the next statement.
    next: &'static str,
}

impl Writing<'_> {
    /// Runs jobs that are statements alone in one call; false when that cannot be or failed, and nothing of it is left.
    async fn together(&mut self, jobs: &mut [Box<dyn Job>]) -> bool {
        if jobs.len() < 2 {
            return false;
        }
        let all = jobs.iter().flat_map(|job| job.statements().iter().cloned()).collect();
        self.link.with_next(self.next);
        let done = self.link.execute_all(all).await;
        self.ended(done.is_ok());
        if done.is_ok() {
            jobs.iter_mut().for_each(|job| job.ran());
        }
        done.is_ok()
    }

    /// Runs each job under a savepoint of its own.
    async fn one_by_one(&mut self, jobs: &mut [Box<dyn Job>]) {
        for job in jobs {
            self.link.with_next(self.next);
            let done = job.run(self.link).await;
            // One that sent nothing has nothing to end.
            if !self.link.holds_script() {
                self.ended(done.is_ok());
            }
        }
    }

    const fn ended(&mut self, well: bool) {
        self.next =
            if well { "RELEASE job; SAVEPOINT job;" } else { "ROLLBACK TO job; RELEASE job; SAVEPOINT job;" };
    }
}

/// Where the file of a `sqlite:` address is.
pub(crate) fn path_of(address: &str) -> PathBuf {
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    PathBuf::from(path.strip_prefix("//").unwrap_or(path))
}
