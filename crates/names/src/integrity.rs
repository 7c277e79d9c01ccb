//! Whether a file of a model is the one that it should be.
//!
//! In: bytes and a SHA-256 in hexadecimal digits. Out: a verdict. Not here: files that are read (`optional`).

use crate::names::NamesError;

/// Refuses bytes that are not those of the hash.
pub(crate) fn check(file: &'static str, bytes: &[u8], hash: &str) -> Result<(), NamesError> {
    if sha256(bytes) == hash { Ok(()) } else { Err(NamesError::Damaged { file }) }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
