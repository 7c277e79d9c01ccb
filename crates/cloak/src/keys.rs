//! Keys of one session, and the check characters that make a token verifiable.
//!
//! In: 32 random bytes per session. Out: three check characters per token; a key for the index of known values.
//! Invariant: without the session's key a check is a guess of one in 32 768, and equal names in two sessions
//! have unrelated checks. Not here: making randomness, storing keys.

use cloakgate_detect::KnownKey;
use cloakgate_vocab::{CHECK_ALPHABET, CHECK_LEN, Category, Secret, TokenId};
use ring::hmac;

/// Check characters as they are written: lower case.
pub(crate) type Check = [u8; CHECK_LEN];

/// How tokens of a session are written and recognised.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TokenStyle {
    /// `[EMAIL_0b_k7q]`: checked, so nothing that was not issued here is a token.
    #[default]
    Checked,
    /// `[EMAIL_0]`: a token is what the vault knows; numbers must never be used twice. Each exact form has a number
    /// of its own, and only bracketed forms count.
    Plain,
}

/// What one session derives from its root key. Clone is cheap enough to share by value across tasks.
#[derive(Clone)]
pub struct SessionKeys {
    check: hmac::Key,
    known: KnownKey,
    fingerprint: hmac::Key,
    stand_in: hmac::Key,
    style: TokenStyle,
}

/// A keyed hash of a value: says whether two are the same within a session, and nothing outside.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Fingerprint([u8; 16]);

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
        let fingerprint = hmac::sign(&root, b"cloakgate fingerprint v1");
        let stand_in = hmac::sign(&root, b"cloakgate stand-ins v1");
        Self {
            check: hmac::Key::new(hmac::HMAC_SHA256, check.as_ref()),
            known: KnownKey::new(known_key),
            fingerprint: hmac::Key::new(hmac::HMAC_SHA256, fingerprint.as_ref()),
            stand_in: hmac::Key::new(hmac::HMAC_SHA256, stand_in.as_ref()),
            style: TokenStyle::Checked,
        }
    }

    /// The same keys for tokens of a style.
    #[must_use]
    pub fn in_style(self, style: TokenStyle) -> Self {
        Self { style, ..self }
    }

    /// How tokens are written.
    #[must_use]
    pub fn style(&self) -> TokenStyle {
        self.style
    }

    /// The keyed hash of a value's canonical form.
    #[must_use]
    pub fn fingerprint(&self, category: Category, canonical: &str) -> Fingerprint {
        let mut context = hmac::Context::with_key(&self.fingerprint);
        context.update(category.name().as_bytes());
        context.update(&[0]);
        context.update(canonical.as_bytes());
        let mut fingerprint = [0u8; 16];
        for (slot, byte) in fingerprint.iter_mut().zip(context.sign().as_ref()) {
            *slot = *byte;
        }
        Fingerprint(fingerprint)
    }

    /// The key of the session's index of known values.
    #[must_use]
    pub fn known_key(&self) -> &KnownKey {
        &self.known
    }

    /// 32 bytes of a keyed function over `parts`, for stand-ins. Parts are told apart by their lengths.
    pub(crate) fn stand_in_tag(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.stand_in);
        for part in parts {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let mut tag = [0u8; 32];
        for (slot, byte) in tag.iter_mut().zip(context.sign().as_ref()) {
            *slot = *byte;
        }
        tag
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
