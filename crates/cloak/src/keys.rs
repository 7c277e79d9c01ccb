//! Keys of one session, and the check characters that make a token verifiable.
//!
//! In: 32 random bytes per session. Out: three check characters per token; a key for the index of known values.
//! Invariant: without the session's key a check is a guess of one in 32 768, and equal names in two sessions
//! have unrelated checks. Not here: making randomness, storing keys.

use cloakgate_detect::KnownKey;
use cloakgate_vocab::{CHECK_ALPHABET, CHECK_LEN, Secret, TokenId};
use ring::hmac;

/// Check characters as they are written: lower case.
pub(crate) type Check = [u8; CHECK_LEN];

/// What one session derives from its root key. Clone is cheap enough to share by value across tasks.
#[derive(Clone)]
pub struct SessionKeys {
    check: hmac::Key,
    known: KnownKey,
}

impl SessionKeys {
    /// Derives the session's keys from 32 random bytes.
    #[must_use]
    pub fn derive(root: &Secret<32>) -> Self {
        // The root is looked at here only, to derive keys of one purpose each.
        let root = hmac::Key::new(hmac::HMAC_SHA256, root.expose());
        let check = hmac::sign(&root, b"cloakgate token check v1");
        let known = hmac::sign(&root, b"cloakgate known values v1");
        let mut known_key = [0u8; 16];
        for (slot, byte) in known_key.iter_mut().zip(known.as_ref()) {
            *slot = *byte;
        }
        Self { check: hmac::Key::new(hmac::HMAC_SHA256, check.as_ref()), known: KnownKey::new(known_key) }
    }

    /// The key of the session's index of known values.
    #[must_use]
    pub fn known_key(&self) -> &KnownKey {
        &self.known
    }

    /// The check characters of a token: the first 15 bits of a keyed hash over its name.
    pub(crate) fn check(&self, id: TokenId) -> Check {
        let mut context = hmac::Context::with_key(&self.check);
        context.update(id.category.name().as_bytes());
        context.update(&[0]);
        context.update(&id.number.to_be_bytes());
        context.update(&id.spelling.index().to_be_bytes());
        let tag = context.sign();
        let mut bits = tag.as_ref().iter().take(2).fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let mut check = [b'0'; CHECK_LEN];
        for slot in &mut check {
            *slot = CHECK_ALPHABET.get((bits & 31) as usize).copied().unwrap_or(b'0');
            bits >>= 5;
        }
        check
    }
}

impl std::fmt::Debug for SessionKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKeys(..)")
    }
}
