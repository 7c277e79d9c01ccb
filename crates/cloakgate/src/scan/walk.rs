//! Walks folders and looks into every text file.
//!
//! In: paths and rules. Out: what was found in each file, sorted by name. Invariant: a file that could not be read is
//! listed, never passed over in silence; links are not followed, so nothing outside the paths is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cloakgate_cloak::Finder;
use cloakgate_vocab::Severity;
use ignore::{DirEntry, WalkBuilder, WalkState};
use indicatif::ProgressBar;

use super::source;
use crate::shown::Shown;

/// How often the progress is drawn.
const TICK: std::time::Duration = std::time::Duration::from_millis(120);

/// What is walked and how.
pub(super) struct Walk<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) hidden: bool,
    pub(super) ignored: bool,
    pub(super) max_bytes: u64,
    pub(super) threads: usize,
    /// The least severity that counts.
    pub(super) least: Severity,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Files in which something was found, by name.
    pub(super) files: Vec<FileFound>,
    /// Text files that were read.
    pub(super) read: usize,
    /// Files that are no text.
    pub(super) binary: usize,
    /// Files that are too large.
    pub(super) large: usize,
    /// Names of what could not be read, and why.
    pub(super) unread: Vec<String>,
}

/// What was found in one file.
#[derive(Debug)]
pub(super) struct FileFound {
    /// As it is shown: parts joined by `/`, without `./` before them.
    pub(super) name: String,
    pub(super) found: Vec<Shown>,
}

/// What came of one file.
enum Outcome {
    Text(Vec<Shown>),
    Binary,
    Large,
}

impl Walk<'_> {
    /// Walks. A terminal sees how far it is.
    pub(super) fn run(&self, finder: &Finder) -> Scanned {
        let progress = ProgressBar::new_spinner();
        progress.enable_steady_tick(TICK);
        let scanned = Mutex::new(Scanned::default());
        let mut builder = WalkBuilder::new(self.paths.first().map_or(Path::new("."), PathBuf::as_path));
        self.paths.iter().skip(1).for_each(|path| {
            builder.add(path);
        });
        builder
            .threads(self.threads)
            .standard_filters(!self.ignored)
            .hidden(!self.hidden)
            .require_git(false)
            .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
        builder.build_parallel().run(|| {
            Box::new(|entry| {
                self.visit(finder, entry, &scanned, &progress);
                WalkState::Continue
            })
        });
        progress.finish_and_clear();
        let mut scanned = scanned.into_inner().unwrap_or_else(PoisonError::into_inner);
        scanned.files.sort_by(|one, other| one.name.cmp(&other.name));
        scanned.files.dedup_by(|one, other| one.name == other.name);
        scanned.unread.sort();
        scanned
    }

    fn visit(
        &self,
        finder: &Finder,
        entry: Result<DirEntry, ignore::Error>,
        scanned: &Mutex<Scanned>,
        progress: &ProgressBar,
    ) {
        let looked = match entry {
            Ok(entry) if !entry.file_type().is_some_and(|kind| kind.is_file()) => return,
            Ok(entry) => {
                let name = name(entry.path());
                self.look(finder, entry.path())
                    .map(|outcome| (name.clone(), outcome))
                    .map_err(|error| format!("{name}: cannot be read: {error}"))
            }
            Err(error) => Err(error.to_string()),
        };
        let mut scanned = scanned.lock().unwrap_or_else(PoisonError::into_inner);
        match looked {
            Ok((name, Outcome::Text(found))) => {
                scanned.read += 1;
                if !found.is_empty() {
                    scanned.files.push(FileFound { name, found });
                }
            }
            Ok((_, Outcome::Binary)) => scanned.binary += 1,
            Ok((_, Outcome::Large)) => scanned.large += 1,
            Err(problem) => scanned.unread.push(problem),
        }
        progress.set_message(format!("{} files, {} with findings", scanned.read, scanned.files.len()));
    }

    fn look(&self, finder: &Finder, path: &Path) -> io::Result<Outcome> {
        let file = File::open(path)?;
        let mut bytes = Vec::new();
        // One byte more tells a file that grew since it was measured.
        file.take(self.max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length > self.max_bytes) {
            return Ok(Outcome::Large);
        }
        let Some(text) = source::text(bytes) else { return Ok(Outcome::Binary) };
        let mut found = Shown::all(&text, &finder.find(&text, None).map_err(io::Error::other)?);
        found.retain(|shown| shown.severity() >= self.least);
        Ok(Outcome::Text(found))
    }
}

/// A path as it is shown and written.
fn name(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    let name = path.display().to_string();
    if std::path::MAIN_SEPARATOR == '/' { name } else { name.replace(std::path::MAIN_SEPARATOR, "/") }
}
