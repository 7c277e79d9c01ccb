//! Cursors of our own for lists of several servers.
//!
//! In: a place in a list: a server and its own cursor. Out: a text that says nothing, and the way back. Invariant: only
//! this process can make one; it opens for the method that it was made for and no other, and it dies with the
//! process, whose only session it belongs to. Not here: walking lists.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use cloakgate_vocab::UpstreamName;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

/// Longest cursor of a server that is sealed, in bytes.
pub(crate) const MAX_CURSOR_BYTES: usize = 64 << 10;
const KEY_BYTES: usize = 32;

/// A place in a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    pub(crate) upstream: UpstreamName,
    /// The server's own cursor as raw JSON; `None` for its first page.
    pub(crate) cursor: Option<Bytes>,
}

/// Seals and opens cursors.
pub(crate) struct Cursors {
    key: LessSafeKey,
    next_nonce: AtomicU64, // a nonce is never used twice with one key
}

impl std::fmt::Debug for Cursors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cursors(..)")
    }
}

impl Cursors {
    /// With a key that nobody else has. `None` when the operating system gives no random bytes.
    pub(crate) fn new(random: &SystemRandom) -> Option<Self> {
        let mut key = [0u8; KEY_BYTES];
        random.fill(&mut key).ok()?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key).ok()?);
        Some(Self { key, next_nonce: AtomicU64::new(0) })
    }

    /// A cursor for a place in the list of `method`. `None` when the server's own is too long.
    pub(crate) fn seal(&self, method: &str, place: &Place) -> Option<String> {
        let cursor = place.cursor.as_deref().unwrap_or_default();
        if cursor.len() > MAX_CURSOR_BYTES {
            return None;
        }
        let mut nonce = [0u8; NONCE_LEN];
        let count = self.next_nonce.fetch_add(1, Ordering::Relaxed);
        nonce.iter_mut().zip(count.to_be_bytes()).for_each(|(byte, count)| *byte = count);
        let mut sealed = place.upstream.as_str().as_bytes().to_vec();
        sealed.push(b'\n');
        sealed.extend_from_slice(cursor);
        let key = &self.key;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(method), &mut sealed)
            .ok()?;
        Some(nonce.iter().chain(&sealed).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The place behind a cursor. `None` when it is not ours, or of another list.
    pub(crate) fn open(&self, method: &str, cursor: &str) -> Option<Place> {
        if cursor.len() > 4 * MAX_CURSOR_BYTES {
            return None;
        }
        let (pairs, rest) = cursor.as_bytes().as_chunks::<2>();
        let mut bytes: Vec<u8> =
            pairs.iter().map(|[high, low]| byte_of(*high, *low)).collect::<Option<_>>()?;
        if !rest.is_empty() {
            return None;
        }
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self.key.open_in_place(nonce, Aad::from(method), sealed).ok()?;
        let end = opened.iter().position(|byte| *byte == b'\n')?;
        let (name, cursor) = opened.split_at_checked(end)?;
        let cursor = cursor.get(1..)?;
        let cursor = (!cursor.is_empty()).then(|| Bytes::copy_from_slice(cursor));
        Some(Place { upstream: std::str::from_utf8(name).ok()?.parse().ok()?, cursor })
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
    use bytes::Bytes;
    use ring::rand::SystemRandom;

    use super::{Cursors, MAX_CURSOR_BYTES, Place};

    fn cursors() -> Cursors {
        Cursors::new(&SystemRandom::new()).expect("random bytes")
    }

    fn place(cursor: Option<&str>) -> Place {
        Place {
            upstream: "fs".parse().expect("a name"),
            cursor: cursor.map(|cursor| Bytes::copy_from_slice(cursor.as_bytes())),
        }
    }

    #[test]
    fn a_cursor_opens_only_where_it_was_made() {
        let (ours, theirs) = (cursors(), cursors());
        for cursor in [None, Some("\"\""), Some("\"marie.dubois@example.eu\"")] {
            let sealed = ours.seal("tools/list", &place(cursor)).expect("short");
            assert!(!sealed.contains("marie") && !sealed.contains("fs"));
            assert_eq!(ours.open("tools/list", &sealed), Some(place(cursor)));
            assert_eq!(ours.open("prompts/list", &sealed), None, "another list");
            assert_eq!(theirs.open("tools/list", &sealed), None, "another process");
            let mut changed = sealed.clone();
            changed.replace_range(30..31, if sealed.as_bytes()[30] == b'0' { "1" } else { "0" });
            assert_eq!(ours.open("tools/list", &changed), None, "changed");
            assert_eq!(
                ours.open("tools/list", sealed.strip_suffix(|_: char| true).expect("not empty")),
                None,
                "cut"
            );
            assert_ne!(ours.seal("tools/list", &place(cursor)), Some(sealed), "no two are alike");
        }
        for bad in ["", "0", "zz", "é", "00112233445566778899aabb"] {
            assert_eq!(ours.open("tools/list", bad), None, "{bad}");
        }
    }

    #[test]
    fn a_cursor_that_is_too_long_is_not_sealed() {
        let long = "x".repeat(MAX_CURSOR_BYTES + 1);
        assert_eq!(cursors().seal("tools/list", &place(Some(&long))), None);
    }
}
