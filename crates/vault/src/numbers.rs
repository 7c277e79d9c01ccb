//! Numbers of plain tokens, which must never be used twice within a profile.
//!
//! In: a category and how many numbers are wanted. Out: a block of them. The file of a profile holds, for each
//! category, the first number that nobody has reserved; a block is reserved before its first number is used, so a
//! crash loses numbers and never repeats one. Processes that share a profile take turns by a lock file. Not here:
//! which value has which number: values are not kept.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use cloakgate_vocab::Category;

/// A state file is a line a category; more is not one of ours.
const MAX_STATE_BYTES: u64 = 64 << 10;

/// Why no numbers could be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The state file or its folder cannot be used.
    #[error("cannot use the state file {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        source: io::Error,
    },
    /// The state file is not one of ours; it is left as it is.
    #[error(
        "the state file {path} cannot be read at line {line}; numbers could repeat, so nothing was reserved"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// All numbers of a category are used.
    #[error("no numbers are left for {0}")]
    Exhausted(Category),
}

/// Hands out blocks of numbers.
pub trait NumberSource: Send + Sync + std::fmt::Debug {
    /// Reserves `count` numbers of a category for good.
    ///
    /// # Errors
    /// When they cannot be reserved; none may be used then.
    fn reserve(&self, category: Category, count: u32) -> Result<Range<u32>, NumberError>;
}

/// The state file of a profile.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
}

impl StateFile {
    /// The state of `profile` in `folder`, which is made if it is missing, for its owner only.
    ///
    /// # Errors
    /// When the folder cannot be made or the file cannot be read.
    pub fn open(folder: &Path, profile: &str) -> Result<Self, NumberError> {
        let file = Self { path: folder.join(format!("{profile}.numbers")) };
        make_private_folder(folder).map_err(|source| file.failed(source))?;
        file.read()?;
        Ok(file)
    }

    fn failed(&self, source: io::Error) -> NumberError {
        NumberError::File { path: self.path.clone(), source }
    }

    fn read(&self) -> Result<BTreeMap<Category, u32>, NumberError> {
        let length = match fs::metadata(&self.path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(self.failed(error)),
        };
        let damaged = |line| NumberError::Damaged { path: self.path.clone(), line };
        if length > MAX_STATE_BYTES {
            return Err(damaged(1));
        }
        let text = fs::read_to_string(&self.path).map_err(|source| self.failed(source))?;
        let mut next = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let entry = line.split_once(' ').and_then(|(name, number)| {
                Some((name.parse::<Category>().ok()?, number.parse::<u32>().ok()?))
            });
            let (category, number) = entry.ok_or_else(|| damaged(index + 1))?;
            next.insert(category, number);
        }
        Ok(next)
    }

    fn write(&self, next: &BTreeMap<Category, u32>) -> io::Result<()> {
        let mut text = String::new();
        for (category, number) in next {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{category} {number}");
        }
        let new = self.path.with_extension("new");
        let mut file = private_file(&new)?;
        file.set_len(0)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)
    }
}

impl NumberSource for StateFile {
    fn reserve(&self, category: Category, count: u32) -> Result<Range<u32>, NumberError> {
        let lock = private_file(&self.path.with_extension("lock")).map_err(|source| self.failed(source))?;
        lock.lock().map_err(|source| self.failed(source))?;
        let mut next = self.read()?;
        let start = next.get(&category).copied().unwrap_or(0);
        let end = start.checked_add(count).ok_or(NumberError::Exhausted(category))?;
        next.insert(category, end);
        self.write(&next).map_err(|source| self.failed(source))?;
        // The lock ends with the file.
        Ok(start..end)
    }
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cloakgate_vocab::Category;

    use super::{NumberError, NumberSource, StateFile};

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("cloakgate-numbers-{name}-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        folder
    }

    #[test]
    fn numbers_go_on_where_the_last_process_ended() {
        let folder = folder("go-on");
        let first = StateFile::open(&folder, "work").unwrap();
        assert_eq!(first.reserve(Category::Email, 10).unwrap(), 0..10);
        assert_eq!(first.reserve(Category::Phone, 5).unwrap(), 0..5);
        let second = StateFile::open(&folder, "work").unwrap();
        assert_eq!(second.reserve(Category::Email, 10).unwrap(), 10..20);
        let other = StateFile::open(&folder, "home").unwrap();
        assert_eq!(other.reserve(Category::Email, 1).unwrap(), 0..1);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn processes_that_share_a_profile_never_get_the_same_number() {
        let folder = folder("shared");
        StateFile::open(&folder, "p").unwrap();
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let folder = folder.clone();
                std::thread::spawn(move || {
                    let state = StateFile::open(&folder, "p").unwrap();
                    (0..20).flat_map(|_| state.reserve(Category::Email, 3).unwrap()).collect::<Vec<_>>()
                })
            })
            .collect();
        let all: Vec<u32> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 4 * 20 * 3);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_file_is_refused_and_left_alone() {
        let folder = folder("damaged");
        let state = StateFile::open(&folder, "p").unwrap();
        std::fs::write(folder.join("p.numbers"), "EMAIL 3\nwhat\n").unwrap();
        assert!(matches!(state.reserve(Category::Email, 1), Err(NumberError::Damaged { line: 2, .. })));
        assert!(StateFile::open(&folder, "p").is_err());
        assert_eq!(std::fs::read_to_string(folder.join("p.numbers")).unwrap(), "EMAIL 3\nwhat\n");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
