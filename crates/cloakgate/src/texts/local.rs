//! Sessions in a file: what a text needs to be restored, for its owner's eyes only.
//!
//! Invariant: the file is written whole or not at all, readable by its owner only, before a cloaked text is printed.

use std::collections::hash_map::RandomState;
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use cloakgate_cloak::text::TextSession;

/// Reads a session; a new one where there is no file.
///
/// # Errors
/// When the file cannot be read or is none of ours.
pub(crate) fn load_or_new(path: &Path) -> anyhow::Result<TextSession> {
    match fs::read(path) {
        Ok(bytes) => read(path, &bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(TextSession::new(random_key())),
        Err(error) => Err(error).with_context(|| format!("cannot read the session {}", path.display())),
    }
}

/// Reads a session.
///
/// # Errors
/// When the file cannot be read or is none of ours.
pub(crate) fn load(path: &Path) -> anyhow::Result<TextSession> {
    let bytes = fs::read(path).with_context(|| format!("cannot read the session {}", path.display()))?;
    read(path, &bytes)
}

fn read(path: &Path, bytes: &[u8]) -> anyhow::Result<TextSession> {
    TextSession::from_bytes(bytes).with_context(|| format!("{} is no session", path.display()))
}

/// Writes a session beside its file and puts it in the file's place.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn save(path: &Path, session: &TextSession) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let written =
        write_private(Path::new(&beside), &session.to_bytes()).and_then(|()| fs::rename(&beside, path));
    written.with_context(|| format!("cannot write the session {}", path.display()))
}

fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A key that no author of a text can know.
fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    for part in key.chunks_mut(8) {
        let random = RandomState::new().build_hasher().finish();
        for (byte, from) in part.iter_mut().zip(random.to_le_bytes()) {
            *byte = from;
        }
    }
    key
}
