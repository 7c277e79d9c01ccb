//! Keys of servers and tokens of people: made once, shown once, known by their hash.
//!
//! In: randomness. Out: a text for its owner and what is kept of it. Invariant: what is kept does not tell the secret;
//! two hashes are compared in the same time wherever they differ.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::fault::Fault;

/// What tokens begin with, so that scanners know them.
pub(crate) const TOKEN_PREFIX: &str = "cgt_";
/// Bytes of a secret.
const SECRET_BYTES: usize = 32;
/// Letters of a secret that are kept at either end, to tell keys apart.
const SHOWN_LETTERS: usize = 4;
/// What tells a token's id apart from its hash.
const ID_LABEL: &[u8] = b"cloakgate token id\0";

/// What is kept of a secret.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct KeptKey {
    /// SHA-256 of the secret, in hexadecimal digits.
    hash: String,
    /// The secret's first letters.
    pub(crate) prefix: String,
    /// The secret's last letters.
    pub(crate) last: String,
    /// Unix seconds.
    pub(crate) created_at: i64,
    /// Unix seconds from which it counts no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<i64>,
    /// What of a session it gets back, by the settings of its server; everything where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
}

impl KeptKey {
    /// What is kept of a secret.
    pub(crate) fn of(secret: &str, created_at: i64) -> Self {
        let letters: Vec<char> = secret.chars().collect();
        // Short secrets are an operator's own; nothing of them is shown.
        let shown = if letters.len() >= 8 * SHOWN_LETTERS { SHOWN_LETTERS } else { 0 };
        Self {
            hash: hash(secret),
            prefix: letters.iter().take(shown).collect(),
            last: letters.iter().skip(letters.len() - shown).collect(),
            created_at,
            expires_at: None,
            role: None,
        }
    }

    /// The same with a role.
    pub(crate) fn with_role(self, role: Option<String>) -> Self {
        Self { role, ..self }
    }

    /// True when this is the secret and it still counts.
    pub(crate) fn opens(&self, secret: &str, now: i64) -> bool {
        let same = equal(self.hash.as_bytes(), hash(secret).as_bytes());
        same && self.counts(now)
    }

    /// An id that tells nothing of the secret.
    pub(crate) fn id(&self) -> Uuid {
        token_id(&self.hash)
    }

    /// True until it expires.
    pub(crate) fn counts(&self, now: i64) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

/// A new secret of 256 bits, as letters.
///
/// # Errors
/// When the system has no randomness.
pub(crate) fn secret() -> Result<String, Fault> {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Fault::internal(&NoRandomness))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The system gives no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the system has no randomness")]
struct NoRandomness;

/// The id of a token: the same for the same text, and nothing that tells the text or its hash.
pub(crate) fn token_id(token: &str) -> Uuid {
    let labelled = [ID_LABEL, token.as_bytes()].concat();
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(digest(&SHA256, &labelled).as_ref()) {
        *byte = *from;
    }
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// Splits a server's key into the server and the secret.
pub(crate) fn split(key: &str) -> Option<(Uuid, &str)> {
    let (server, secret) = key.split_once(':')?;
    Some((server.parse().ok()?, secret))
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    let digest = digest(&SHA256, text.as_bytes());
    let nibbles = digest.as_ref().iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.filter_map(|nibble| char::from_digit(u32::from(nibble), 16)).collect()
}

/// Looks at every byte wherever the first difference is.
fn equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_until_it_expires_and_nothing_else_opens() {
        let secret = secret().expect("randomness");
        assert_eq!(secret.len(), 43);
        let mut kept = KeptKey::of(&secret, 100);
        assert!(kept.opens(&secret, 1000));
        assert!(!kept.opens(secret.trim_start_matches(&kept.prefix), 1000));
        assert!(!kept.opens("", 1000));
        kept.expires_at = Some(500);
        assert!(kept.opens(&secret, 499) && !kept.opens(&secret, 500));
        assert!(!format!("{kept:?}").contains(&secret));
        assert_eq!(KeptKey::of("short", 0).last, "");
    }

    #[test]
    fn keys_are_split_at_the_first_colon() {
        let id = Uuid::from_u128(7);
        assert_eq!(split(&format!("{id}:a:b")), Some((id, "a:b")));
        assert_eq!(split("nobody:a"), None);
        assert_eq!(split(&id.to_string()), None);
    }

    #[test]
    fn a_tokens_id_is_not_its_hash() {
        assert_eq!(token_id("a"), token_id("a"));
        assert_ne!(token_id("a"), token_id("b"));
        assert!(!hash("a").contains(&token_id("a").simple().to_string()));
    }
}
