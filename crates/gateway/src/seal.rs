//! Sealed texts: what the gateway hands out and takes back, and nobody else can read or make.
//!
//! In: content and what it is for. Out: hexadecimal digits that say nothing, and the way back. Invariant: only this
//! process can make one; it opens for the purpose that it was made for and no other; it dies with the process, whose
//! only session it belongs to; the same content has the same text, so that names made of it can be compared. Not
//! here: what is sealed.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

/// Longest content, in bytes.
pub(crate) const MAX_CONTENT_BYTES: usize = 65 << 10;
const KEY_BYTES: usize = 32;

/// Seals and opens.
pub(crate) struct Seal {
    key: LessSafeKey,
    // A nonce is a keyed hash of purpose and content, so no two contents share one but by a chance of 2^-96.
    nonces: hmac::Key,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

impl Seal {
    /// With keys that nobody else has. `None` when the operating system gives no random bytes.
    pub(crate) fn new(random: &SystemRandom) -> Option<Self> {
        let mut key = [0u8; KEY_BYTES];
        random.fill(&mut key).ok()?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key).ok()?);
        Some(Self { key, nonces: hmac::Key::generate(hmac::HMAC_SHA256, random).ok()? })
    }

    /// The text for a content. `None` when it is too long.
    pub(crate) fn seal(&self, purpose: &str, mut content: Vec<u8>) -> Option<String> {
        if content.len() > MAX_CONTENT_BYTES {
            return None;
        }
        let nonce = self.nonce(purpose, &content);
        let unique = Nonce::assume_unique_for_key(nonce);
        self.key.seal_in_place_append_tag(unique, Aad::from(purpose), &mut content).ok()?;
        Some(nonce.iter().chain(&content).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The content behind a text. `None` when it is not ours, or for something else.
    pub(crate) fn open(&self, purpose: &str, text: &str) -> Option<Vec<u8>> {
        if text.len() > 4 * MAX_CONTENT_BYTES {
            return None;
        }
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes: Vec<u8> =
            pairs.iter().map(|[high, low]| byte_of(*high, *low)).collect::<Option<_>>()?;
        if !rest.is_empty() {
            return None;
        }
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        Some(self.key.open_in_place(nonce, Aad::from(purpose), sealed).ok()?.to_vec())
    }

    fn nonce(&self, purpose: &str, content: &[u8]) -> [u8; NONCE_LEN] {
        let mut hash = hmac::Context::with_key(&self.nonces);
        // No purpose holds a zero byte, so purpose and content cannot be cut otherwise.
        for part in [purpose.as_bytes(), &[0], content] {
            hash.update(part);
        }
        let mut nonce = [0u8; NONCE_LEN];
        nonce.iter_mut().zip(hash.sign().as_ref()).for_each(|(byte, of_hash)| *byte = *of_hash);
        nonce
    }
}

/// Two hexadecimal digits as written by us.
fn byte_of(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;

    use super::{MAX_CONTENT_BYTES, Seal};

    fn fresh() -> Seal {
        Seal::new(&SystemRandom::new()).expect("random bytes")
    }

    #[test]
    fn a_text_opens_only_where_and_for_what_it_was_made() {
        let (ours, theirs) = (fresh(), fresh());
        for content in [&b""[..], b"marie.dubois@example.eu", &[0xff; 40]] {
            let sealed = ours.seal("tools/list", content.to_vec()).expect("short");
            assert!(!sealed.contains("marie"));
            assert_eq!(ours.open("tools/list", &sealed).as_deref(), Some(content));
            assert_eq!(ours.open("prompts/list", &sealed), None, "for something else");
            assert_eq!(theirs.open("tools/list", &sealed), None, "another process");
            let mut changed = sealed.clone();
            changed.replace_range(30..31, if sealed.as_bytes()[30] == b'0' { "1" } else { "0" });
            assert_eq!(ours.open("tools/list", &changed), None, "changed");
            let cut = sealed.strip_suffix(|_: char| true).expect("not empty");
            assert_eq!(ours.open("tools/list", cut), None, "cut");
            assert_eq!(ours.seal("tools/list", content.to_vec()), Some(sealed.clone()), "the same again");
            assert_ne!(ours.seal("prompts/list", content.to_vec()), Some(sealed), "another purpose");
        }
        for bad in ["", "0", "zz", "é", "00112233445566778899aabb"] {
            assert_eq!(ours.open("tools/list", bad), None, "{bad}");
        }
        assert_eq!(ours.seal("tools/list", vec![0; MAX_CONTENT_BYTES + 1]), None);
    }
}
