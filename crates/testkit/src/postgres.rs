//! A PostgreSQL of a test's own.
//!
//! In: nothing. Out: addresses of new, empty databases. Invariant: the cluster is in a temporary folder, listens on a
//! socket in that folder alone, writes to the disk as a real one does, and ends when this process ends, however that
//! happens: a shell holds it, and the shell ends when its input does. Root starts it as another user, since PostgreSQL
//! refuses root. Not here: skipping where there is none; a missing server is an error.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the server may take to start on a machine that does other things.
const START: Duration = Duration::from_secs(120);
const USER: &str = "cloakgate";
/// What is needed of a folder of programs.
const PROGRAMS: [&str; 5] = ["initdb", "postgres", "createdb", "pg_dump", "pg_isready"];
/// Keeps the server until its input ends, then stops it at once and removes the folder.
const HOLD: &str = r#"
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=60 >"$2/log" 2>&1 &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$2"
"#;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PostgresError {
    /// It is not installed.
    #[error(
        "PostgreSQL is not installed: apt-get install postgresql, or put {} into one folder of the PATH",
        PROGRAMS.join(", ")
    )]
    Missing,
    /// Its programs cannot be run, or its folder cannot be used.
    #[error("cannot start PostgreSQL")]
    Io(#[from] io::Error),
    /// One of its programs failed.
    #[error("{program} failed: {said}")]
    Failed {
        /// Which program.
        program: &'static str,
        /// What it said.
        said: String,
    },
}

/// A running server, which ends when this is dropped.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    holder: Child,
    databases: AtomicU32,
}

impl Postgres {
    /// Makes a cluster and starts it.
    ///
    /// # Errors
    /// When PostgreSQL is not installed or does not start.
    pub fn start() -> Result<Self, PostgresError> {
        let programs = programs().ok_or(PostgresError::Missing)?;
        let folder = new_folder()?;
        // The owner of what was just made is who we are.
        let owner = if fs::metadata(&folder)?.uid() == 0 { Some(other_user()?) } else { None };
        if let Some((user, group)) = owner {
            chown(&folder, Some(user), Some(group))?;
        }
        let data = folder.join("data");
        let mut initdb = run_as(owner, &programs.join("initdb"));
        initdb.args(["-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "-D"]).arg(&data);
        finish("initdb", initdb)?;
        let mut holder = run_as(owner, Path::new("/bin/sh"));
        holder.args(["-c", HOLD, "hold"]).arg(&programs).arg(&folder);
        // Out of the group of the test: what interrupts the test must reach the server through the shell alone.
        holder.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let holder = holder.spawn()?;
        let server = Self { programs, folder, owner, holder, databases: AtomicU32::new(0) };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// Address of a new, empty database.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new_database(&self) -> Result<String, PostgresError> {
        let name = format!("d{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut createdb = run_as(self.owner, &self.programs.join("createdb"));
        createdb.args(["-U", USER, "-h"]).arg(&self.folder).arg(&name);
        finish("createdb", createdb)?;
        Ok(format!("postgres://{USER}@localhost/{name}?host={}", self.folder.display()))
    }

    /// Everything in the database of `address`, as SQL.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn dump(&self, address: &str) -> Result<String, PostgresError> {
        let mut dump = run_as(self.owner, &self.programs.join("pg_dump"));
        dump.arg(address);
        finish("pg_dump", dump)
    }

    fn wait_until_ready(&self) -> Result<(), PostgresError> {
        let end = Instant::now() + START;
        loop {
            let mut ready = run_as(self.owner, &self.programs.join("pg_isready"));
            ready.args(["-q", "-U", USER, "-h"]).arg(&self.folder);
            if ready.status()?.success() {
                return Ok(());
            }
            if Instant::now() > end {
                let said = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(PostgresError::Failed { program: "postgres", said });
            }
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // The end of its input is what the shell waits for. It is not waited for: to remove the files of many databases
        // takes longer than a test should.
        drop(self.holder.stdin.take());
    }
}

/// Folder of the programs: of the newest Debian package, of `pg_config`, or of the PATH.
fn programs() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect();
    folders.sort_by_key(|folder| {
        let version = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str()?.parse().ok());
        std::cmp::Reverse(version.unwrap_or(0u32))
    });
    if let Ok(said) = Command::new("pg_config").arg("--bindir").output() {
        folders.push(PathBuf::from(String::from_utf8_lossy(&said.stdout).trim()));
    }
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    folders.into_iter().find(|folder| PROGRAMS.iter().all(|program| folder.join(program).is_file()))
}

fn new_folder() -> io::Result<PathBuf> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    // Short: the path of a socket has at most 107 bytes.
    let folder = PathBuf::from(format!("/tmp/cloakgate-pg-{}-{number}", std::process::id()));
    fs::remove_dir_all(&folder).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// User and group that the package makes, or those of nobody.
fn other_user() -> io::Result<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd")?;
    let ids = |wanted: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(wanted))?;
        let mut ids = line.split(':').skip(2).map(|id| id.parse::<u32>().ok());
        Some((ids.next()??, ids.next()??))
    };
    ids("postgres").or_else(|| ids("nobody")).ok_or_else(|| io::Error::other("no user to run it as"))
}

fn run_as(owner: Option<(u32, u32)>, program: &Path) -> Command {
    let mut command = Command::new(program);
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
        .current_dir("/")
        .env_remove("PGDATA")
        .env_remove("PGHOST")
        .env_remove("PGPORT")
        .stdin(Stdio::null());
    command
}

fn finish(program: &'static str, mut command: Command) -> Result<String, PostgresError> {
    let done = command.output()?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    Err(PostgresError::Failed { program, said: String::from_utf8_lossy(&done.stderr).into_owned() })
}
