//! Seals bytes so that only the key's holder can read them, and only in the place that they were sealed for.
//!
//! In: a key, bytes, and the words that bind them to their place. Out: one byte of format, the nonce, the ciphertext
//! with its tag (AES-256-GCM). Invariant: what was cut off, changed or moved to another place does not open. Nonces
//! are random; one key seals at most 2^32 times, which no session and no master key comes near. Not here: where keys
//! come from.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use ring::{digest, hmac};
use zeroize::Zeroizing;

use cloakgate_vocab::Secret;

use crate::error::StoreError;

/// Bytes of each key.
pub(crate) const KEY_BYTES: usize = 32;
const FORMAT: u8 = 1;
const TAG_BYTES: usize = 16;

/// The sealed bytes do not open with this key at this place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Unsealable;

/// The place that sealed bytes belong to: parts are told apart by their lengths.
pub(crate) struct Place(Vec<u8>);

impl Place {
    pub(crate) fn new(kind: &str) -> Self {
        Self(Vec::with_capacity(96)).with(kind.as_bytes())
    }

    pub(crate) fn with(mut self, part: &[u8]) -> Self {
        self.0.extend((part.len() as u64).to_be_bytes());
        self.0.extend(part);
        self
    }

    pub(crate) fn number(self, number: u64) -> Self {
        self.with(&number.to_be_bytes())
    }
}

/// A key for bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct SealingKey(Secret<KEY_BYTES>);

impl SealingKey {
    pub(crate) const fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(Secret::new(bytes))
    }

    pub(crate) fn random() -> Result<Self, StoreError> {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        fill_random(bytes.as_mut())?;
        Ok(Self::new(*bytes))
    }

    /// The key itself: it is about to be wrapped or written to the key file.
    pub(crate) const fn expose(&self) -> &[u8; KEY_BYTES] {
        self.0.expose()
    }

    fn cipher(&self) -> Result<LessSafeKey, Unsealable> {
        // The cipher needs the key's bytes.
        let key = UnboundKey::new(&AES_256_GCM, self.0.expose()).map_err(|_| Unsealable)?;
        Ok(LessSafeKey::new(key))
    }

    pub(crate) fn seal(&self, bytes: &[u8], place: &Place) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        fill_random(&mut nonce)?;
        let mut sealed = Vec::with_capacity(1 + NONCE_LEN + bytes.len() + TAG_BYTES);
        sealed.push(FORMAT);
        sealed.extend(nonce);
        sealed.extend(bytes);
        // Encrypted where it lies, so that no copy of the plain text is left behind.
        let (_, body) = sealed.split_at_mut_checked(1 + NONCE_LEN).ok_or(StoreError::Random)?;
        let cipher = self.cipher().map_err(|_| StoreError::Random)?;
        let tag = cipher
            .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::from(&place.0), body)
            .map_err(|_| StoreError::TooMuch { what: "bytes to seal", max: u32::MAX as usize })?;
        sealed.extend(tag.as_ref());
        Ok(sealed)
    }

    pub(crate) fn open(&self, sealed: &[u8], place: &Place) -> Result<Zeroizing<Vec<u8>>, Unsealable> {
        let (&format, rest) = sealed.split_first().ok_or(Unsealable)?;
        if format != FORMAT {
            return Err(Unsealable);
        }
        let (nonce, body) = rest.split_at_checked(NONCE_LEN).ok_or(Unsealable)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| Unsealable)?;
        let mut opened = Zeroizing::new(body.to_vec());
        let cipher = self.cipher()?;
        let length =
            cipher.open_in_place(nonce, Aad::from(&place.0), &mut opened).map_err(|_| Unsealable)?.len();
        opened.truncate(length);
        Ok(opened)
    }

    /// A key of its own for another purpose.
    pub(crate) fn derive(&self, purpose: &str) -> Self {
        // A keyed hash gives nothing of its key away.
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.expose());
        let tag = hmac::sign(&key, purpose.as_bytes());
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        bytes.iter_mut().zip(tag.as_ref()).for_each(|(to, from)| *to = *from);
        Self::new(*bytes)
    }

    /// A keyed hash of parts, which are told apart by their lengths.
    pub(crate) fn hash(&self, parts: &[&[u8]]) -> [u8; 16] {
        // As above.
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.expose());
        let mut context = hmac::Context::with_key(&key);
        for part in parts {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        first_half(context.sign().as_ref())
    }
}

/// Fills a slice with random bytes.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), StoreError> {
    SystemRandom::new().fill(bytes).map_err(|_| StoreError::Random)
}

/// The first half of the SHA-256 of a text that is no secret: a name of fixed length.
pub(crate) fn digest_of(kind: &str, text: &[u8]) -> [u8; 16] {
    let mut context = digest::Context::new(&digest::SHA256);
    context.update(kind.as_bytes());
    context.update(&[0]);
    context.update(text);
    first_half(context.finish().as_ref())
}

fn first_half(hash: &[u8]) -> [u8; 16] {
    let mut half = [0; 16];
    half.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
    half
}

#[cfg(test)]
mod tests {
    use super::{Place, SealingKey, Unsealable};

    fn place(id: &str, version: u64) -> Place {
        Place::new("test").with(id.as_bytes()).number(version)
    }

    #[test]
    fn sealed_bytes_open_only_whole_in_their_place_and_with_their_key() {
        let key = SealingKey::random().unwrap();
        let sealed = key.seal(b"marie.dubois@example.eu", &place("a", 1)).unwrap();
        assert_eq!(key.open(&sealed, &place("a", 1)).unwrap().as_slice(), b"marie.dubois@example.eu");
        assert_eq!(key.open(&sealed, &place("b", 1)), Err(Unsealable), "other place");
        assert_eq!(key.open(&sealed, &place("a", 2)), Err(Unsealable), "other version");
        assert_eq!(SealingKey::random().unwrap().open(&sealed, &place("a", 1)), Err(Unsealable), "other key");
        for end in 0..sealed.len() {
            assert_eq!(key.open(&sealed[..end], &place("a", 1)), Err(Unsealable), "cut at {end}");
        }
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(key.open(&changed, &place("a", 1)), Err(Unsealable), "changed at {at}");
        }
    }

    #[test]
    fn parts_of_a_place_do_not_run_into_each_other() {
        let key = SealingKey::new([7; 32]);
        let sealed = key.seal(b"x", &Place::new("k").with(b"ab").with(b"c")).unwrap();
        assert!(key.open(&sealed, &Place::new("k").with(b"a").with(b"bc")).is_err());
        assert_ne!(key.hash(&[b"ab", b"c"]), key.hash(&[b"a", b"bc"]));
    }

    #[test]
    fn sealing_twice_gives_different_bytes() {
        let key = SealingKey::new([7; 32]);
        assert_ne!(key.seal(b"x", &place("a", 1)).unwrap(), key.seal(b"x", &place("a", 1)).unwrap());
        assert_eq!(format!("{key:?}"), "SealingKey(Secret(..))");
    }
}
