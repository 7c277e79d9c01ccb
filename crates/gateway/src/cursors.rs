//! Cursors of our own for lists of several servers.
//!
//! In: a place in a list: a server and its own cursor. Out: a text that says nothing, and the way back. Invariant: it
//! opens for the list that it was made for and no other, and no two are alike. Not here: walking lists, sealing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use cloakgate_vocab::UpstreamName;

use crate::seal::Seal;

/// Longest cursor of a server that is sealed, in bytes.
pub(crate) const MAX_CURSOR_BYTES: usize = 64 << 10;

/// A place in a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    pub(crate) upstream: UpstreamName,
    /// The server's own cursor as raw JSON; `None` for its first page.
    pub(crate) cursor: Option<Bytes>,
}

/// Seals and opens cursors.
#[derive(Debug)]
pub(crate) struct Cursors {
    seal: Arc<Seal>,
    count: AtomicU64,
}

impl Cursors {
    pub(crate) fn new(seal: Arc<Seal>) -> Self {
        Self { seal, count: AtomicU64::new(0) }
    }

    /// A cursor for a place in a list. `None` when the server's own is too long.
    pub(crate) fn seal(&self, list: &str, place: &Place) -> Option<String> {
        let cursor = place.cursor.as_deref().unwrap_or_default();
        if cursor.len() > MAX_CURSOR_BYTES {
            return None;
        }
        let mut content = self.count.fetch_add(1, Ordering::Relaxed).to_be_bytes().to_vec();
        content.extend_from_slice(place.upstream.as_str().as_bytes());
        content.push(b'\n');
        content.extend_from_slice(cursor);
        self.seal.seal(list, content)
    }

    /// The place behind a cursor. `None` when it is not ours, or of another list.
    pub(crate) fn open(&self, list: &str, cursor: &str) -> Option<Place> {
        let opened = self.seal.open(list, cursor)?;
        let (_count, place) = opened.split_at_checked(size_of::<u64>())?;
        let end = place.iter().position(|byte| *byte == b'\n')?;
        let (name, cursor) = place.split_at_checked(end)?;
        let cursor = cursor.get(1..)?;
        let cursor = (!cursor.is_empty()).then(|| Bytes::copy_from_slice(cursor));
        Some(Place { upstream: std::str::from_utf8(name).ok()?.parse().ok()?, cursor })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use ring::rand::SystemRandom;

    use super::{Cursors, MAX_CURSOR_BYTES, Place};
    use crate::seal::Seal;

    fn cursors() -> Cursors {
        Cursors::new(Arc::new(Seal::new(&SystemRandom::new()).expect("random bytes")))
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
            assert_ne!(ours.seal("tools/list", &place(cursor)), Some(sealed), "no two are alike");
        }
    }

    #[test]
    fn a_cursor_that_is_too_long_is_not_sealed() {
        let longest = "x".repeat(MAX_CURSOR_BYTES);
        let sealed = cursors();
        let text = sealed.seal("tools/list", &place(Some(&longest))).expect("just short enough");
        assert_eq!(sealed.open("tools/list", &text), Some(place(Some(&longest))));
        assert_eq!(sealed.seal("tools/list", &place(Some(&format!("{longest}x")))), None);
    }
}
