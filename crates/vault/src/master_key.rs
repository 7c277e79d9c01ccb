//! The master keys: where they come from, and how they are told apart.
//!
//! In: a file that only its owner may read, or an environment variable: one key a line, 64 hexadecimal digits, the last
//! one is the newest. Out: keys, each with an id that gives nothing of it away. Invariant: a key file that others may
//! read is refused; a key is made only where nothing has been sealed yet, and never for PostgreSQL. Not here: what the
//! keys wrap (`data_keys`).

use std::fmt::{self, Write as _};
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::seal::{KEY_BYTES, Place, SealingKey};

/// Environment variable that holds master keys. No child gets it: what starts servers withholds all variables of ours
/// that end in `_KEY` or `_TOKEN`.
pub const MASTER_KEY_VARIABLE: &str = "CLOAKGATE_MASTER_KEY";
/// Master keys that may be known at once: rotation needs two.
const MAX_KEYS: usize = 16;
/// A key file is a line a key and comments.
const MAX_FILE_BYTES: u64 = 16 << 10;

/// Why the master key cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// There is no key file, and none may be made.
    #[error(
        "there is no key file {path}: put the key that this database was made with there, or for a new database make one by: umask 077 && openssl rand -hex 32 > {path}"
    )]
    NoFile {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The key file cannot be read or made.
    #[error("cannot use the key file {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        source: io::Error,
    },
    /// Others than the owner may read the key file.
    #[error("others may read the key file {path}: chmod 600 {path}")]
    Loose {
        /// The file.
        path: PathBuf,
    },
    /// A line is not a key.
    #[error(
        "{origin} has no key in line {line}: a key is 64 hexadecimal digits, as openssl rand -hex 32 makes"
    )]
    Malformed {
        /// The file or the variable.
        origin: String,
        /// The line, from 1.
        line: usize,
    },
    /// There is no key at all, or there are too many.
    #[error("{origin} must have 1 to {MAX_KEYS} keys, one a line")]
    Count {
        /// The file or the variable.
        origin: String,
    },
    /// The variable is not set.
    #[error("the environment variable {0} is not set")]
    NoVariable(String),
    /// What is in the database was sealed with a key that is not known here.
    #[error(
        "the database {database} was sealed with master key {wanted}, and {origin} has only {known}: put that key back, as an earlier line"
    )]
    Unknown {
        /// Which database.
        database: String,
        /// Id of the missing key.
        wanted: KeyId,
        /// The file or the variable.
        origin: String,
        /// Ids of the known keys.
        known: String,
    },
    /// Rotation has retired the key that this process wraps with.
    #[error("master key {0} was retired by rotation: start this process again with the newest key")]
    Retired(KeyId),
    /// The record by which a key is checked does not open.
    #[error("the record by which master key {0} is checked is damaged: restore the database from a backup")]
    Check(KeyId),
}

/// Id of a master key: a keyed hash of a constant, which gives nothing of the key away.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct KeyId([u8; 8]);

impl KeyId {
    pub(crate) const fn new(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn bytes(self) -> [u8; 8] {
        self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// Where master keys come from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum KeySource {
    /// A file that only its owner may read. With SQLite it is made where nothing has been sealed yet.
    File(PathBuf),
    /// An environment variable, usually [`MASTER_KEY_VARIABLE`].
    Variable(String),
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "the key file {}", path.display()),
            Self::Variable(name) => write!(f, "the environment variable {name}"),
        }
    }
}

/// What may be done where there is no key file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Missing {
    Refuse,
    Make,
}

/// The known master keys, the newest last.
#[derive(Clone, Debug)]
pub struct MasterKeys {
    origin: String,
    keys: Vec<(KeyId, SealingKey)>,
    newest: (KeyId, SealingKey),
}

impl MasterKeys {
    /// Reads the keys; a missing key file is refused.
    ///
    /// # Errors
    /// When there is no key, one is malformed, or others may read the file.
    pub fn load(source: &KeySource) -> Result<Self, StoreError> {
        Self::load_or(source, Missing::Refuse)
    }

    pub(crate) fn load_or(source: &KeySource, missing: Missing) -> Result<Self, StoreError> {
        let text = match source {
            KeySource::Variable(name) => {
                Zeroizing::new(std::env::var(name).map_err(|_| KeyError::NoVariable(name.clone()))?)
            }
            KeySource::File(path) => match read_private(path)? {
                Some(text) => text,
                None if missing == Missing::Refuse => {
                    return Err(KeyError::NoFile { path: path.clone() }.into());
                }
                None => {
                    make_key_file(path)?;
                    read_private(path)?.ok_or_else(|| KeyError::NoFile { path: path.clone() })?
                }
            },
        };
        Ok(Self::parse(&text, &source.to_string())?)
    }

    fn parse(text: &str, origin: &str) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        // A variable cannot hold lines everywhere, so a comma ends one too.
        for (index, line) in text.split(['\n', ',']).enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = parse_key(line)
                .ok_or_else(|| KeyError::Malformed { origin: origin.to_owned(), line: index + 1 })?;
            let id = id_of(&key);
            keys.retain(|(known, _)| *known != id);
            keys.push((id, key));
        }
        let count = || KeyError::Count { origin: origin.to_owned() };
        if keys.len() > MAX_KEYS {
            return Err(count());
        }
        let newest = keys.last().cloned().ok_or_else(count)?;
        Ok(Self { origin: origin.to_owned(), keys, newest })
    }

    /// Id of the key that wraps what is new.
    #[must_use]
    pub const fn newest(&self) -> KeyId {
        self.newest.0
    }

    /// Ids of all known keys, the newest last.
    pub fn ids(&self) -> impl Iterator<Item = KeyId> {
        self.keys.iter().map(|(id, _)| *id)
    }

    pub(crate) const fn newest_key(&self) -> &SealingKey {
        &self.newest.1
    }

    pub(crate) fn key(&self, wanted: KeyId) -> Option<&SealingKey> {
        self.keys.iter().find(|(id, _)| *id == wanted).map(|(_, key)| key)
    }

    pub(crate) fn unknown(&self, wanted: KeyId, database: &str) -> KeyError {
        let known: Vec<String> = self.ids().map(|id| id.to_string()).collect();
        let (database, origin) = (database.to_owned(), self.origin.clone());
        KeyError::Unknown { database, wanted, origin, known: known.join(", ") }
    }
}

/// A new master key as a line of a key file.
///
/// # Errors
/// When the system gives no random bytes.
pub fn new_key_line() -> Result<Zeroizing<String>, StoreError> {
    let key = SealingKey::random()?;
    let mut line = Zeroizing::new(String::with_capacity(2 * KEY_BYTES + 1));
    // The key is made to be written to its file.
    for byte in key.expose() {
        // Writing to a string cannot fail.
        let _ = write!(line, "{byte:02x}");
    }
    line.push('\n');
    Ok(line)
}

/// Adds a new master key to a key file, as its last line and so the newest, and returns its id. Where there is no file, it
/// is made. Whoever has read the file before goes on with the keys that it had.
///
/// # Errors
/// When the file has something else in it, may be read by others, is full, or cannot be written.
pub fn add_key(path: &Path) -> Result<KeyId, StoreError> {
    let origin = KeySource::File(path.to_owned()).to_string();
    let Some(text) = read_private(path)? else {
        make_key_file(path)?;
        return Ok(MasterKeys::load(&KeySource::File(path.to_owned()))?.newest());
    };
    if MasterKeys::parse(&text, &origin)?.keys.len() >= MAX_KEYS {
        return Err(KeyError::Count { origin }.into());
    }
    let (line, failed) = (new_key_line()?, |source| KeyError::File { path: path.to_owned(), source });
    let between = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    let lines = Zeroizing::new(format!("{between}{}", *line));
    let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
    file.write_all(lines.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(MasterKeys::parse(&line, &origin)?.newest())
}

fn parse_key(line: &str) -> Option<SealingKey> {
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    if line.len() != 2 * KEY_BYTES {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(line.as_bytes().chunks_exact(2)) {
        let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
        *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    }
    Some(SealingKey::new(*bytes))
}

fn id_of(key: &SealingKey) -> KeyId {
    let mut id = [0; 8];
    id.iter_mut().zip(key.hash(&[b"id of a master key"])).for_each(|(to, from)| *to = from);
    KeyId(id)
}

/// The place of the record by which a key is checked.
pub(crate) fn check_place(id: KeyId) -> Place {
    Place::new("check of a master key").with(&id.0)
}

fn read_private(path: &Path) -> Result<Option<Zeroizing<String>>, KeyError> {
    let failed = |source| KeyError::File { path: path.to_owned(), source };
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    // Asked of the open file, so that it cannot be exchanged in between.
    #[cfg(unix)]
    {
        let metadata = file.metadata().map_err(failed)?;
        if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0 {
            return Err(KeyError::Loose { path: path.to_owned() });
        }
    }
    let mut text = Zeroizing::new(String::with_capacity(4096));
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(failed)?;
    Ok(Some(text))
}

/// Makes the file whole or not at all; when another process is first, its file stays.
fn make_key_file(path: &Path) -> Result<(), StoreError> {
    let line = new_key_line()?;
    let failed = |source| KeyError::File { path: path.to_owned(), source };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(&new).and_then(|mut file| {
        file.write_all(line.as_bytes())?;
        file.sync_all()?;
        fs::hard_link(&new, path)
    });
    let removed = fs::remove_file(&new);
    match made {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error).into()),
        _ => Ok(removed.map_err(failed)?),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::{KeyError, KeySource, MAX_KEYS, MasterKeys, Missing, add_key, new_key_line};
    use crate::error::StoreError;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("cloakgate-key-{name}-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_last_line_is_the_newest_key() {
        let (one, two) = (new_key_line().unwrap(), new_key_line().unwrap());
        let only = |line: &str| MasterKeys::parse(line, "t").unwrap().newest();
        let both = MasterKeys::parse(&format!("# old\n{}\n# new\n{}", *one, *two), "t").unwrap();
        assert_eq!(both.newest(), only(&two));
        assert_eq!(both.ids().collect::<Vec<_>>(), [only(&one), only(&two)]);
        let listed = MasterKeys::parse(&format!("{},{}", two.trim(), one.trim()), "t").unwrap();
        assert_eq!(listed.newest(), only(&one));
    }

    #[test]
    fn what_is_no_key_is_refused_by_line_without_being_shown() {
        for (name, text, line) in [
            ("short", "abcdef", 1),
            ("no digits", &*"zz".repeat(32), 1),
            ("second", &*format!("{}pass-phrase", *new_key_line().unwrap()), 2),
            ("not one byte a character", &*"é".repeat(32), 1),
        ] {
            let error = MasterKeys::parse(text, "the key file k").unwrap_err();
            assert!(matches!(error, KeyError::Malformed { line: found, .. } if found == line), "{name}");
            assert!(!format!("{error} {error:?}").contains("pass-phrase"), "{name}");
        }
        assert!(matches!(MasterKeys::parse("# none\n", "t"), Err(KeyError::Count { .. })));
    }

    #[test]
    fn a_key_file_is_made_once_and_is_private() {
        let folder = folder("made");
        let source = KeySource::File(folder.join("master.key"));
        let refused = MasterKeys::load(&source).unwrap_err();
        assert!(matches!(refused, StoreError::Key(KeyError::NoFile { .. })));
        let made = MasterKeys::load_or(&source, Missing::Make).unwrap();
        let again = MasterKeys::load_or(&source, Missing::Make).unwrap();
        assert_eq!(made.newest(), again.newest());
        let mode = std::fs::metadata(folder.join("master.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_key_is_added_as_the_newest_to_what_is_there() {
        let folder = folder("added");
        let path = folder.join("master.key");
        let source = KeySource::File(path.clone());
        let first = add_key(&path).unwrap();
        assert_eq!(MasterKeys::load(&source).unwrap().newest(), first);
        // A last line without its end stays a line of its own.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("# of the spring\n{}", text.trim())).unwrap();
        let second = add_key(&path).unwrap();
        let known = MasterKeys::load(&source).unwrap();
        assert_eq!((known.newest(), known.ids().collect::<Vec<_>>()), (second, vec![first, second]));
        for _ in 2..MAX_KEYS {
            add_key(&path).unwrap();
        }
        let full = std::fs::read(&path).unwrap();
        assert!(matches!(add_key(&path), Err(StoreError::Key(KeyError::Count { .. }))));
        assert_eq!(std::fs::read(&path).unwrap(), full);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(add_key(&path), Err(StoreError::Key(KeyError::Loose { .. }))));
        std::fs::write(folder.join("other"), "not a key\n").unwrap();
        std::fs::set_permissions(folder.join("other"), std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(matches!(
            add_key(&folder.join("other")),
            Err(StoreError::Key(KeyError::Malformed { line: 1, .. }))
        ));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_key_file_that_others_may_read_is_refused() {
        let folder = folder("loose");
        let path = folder.join("master.key");
        std::fs::write(&path, new_key_line().unwrap().as_bytes()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let error = MasterKeys::load(&KeySource::File(path)).unwrap_err();
        let StoreError::Key(error) = error else { panic!() };
        assert!(error.to_string().contains("chmod 600"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
