//! Reads segments with the help of what was read before.
//!
//! In: segments, a way to cut one and a way to choose for many. Out: mentions of each. Invariant: a segment that comes
//! twice is read once; what was found is remembered only when the whole call came to its end.

use std::collections::HashMap;
use std::sync::Arc;

use super::cache::{Cache, Found, Key};
use super::labels::{self, Choice};
use super::word_piece::Piece;
use crate::NamesError;
use crate::mention::Mention;

/// A text that was not read before.
pub(super) struct Unread<'a> {
    key: Key,
    text: &'a str,
    pub(super) pieces: Vec<Piece>,
    /// What each piece is.
    pub(super) choices: Vec<Choice>,
}

/// The mentions in each of the segments, in that order.
pub(super) fn read<'a>(
    cache: &Cache,
    segments: &[&'a str],
    cut: impl Fn(&str) -> Result<Vec<Piece>, NamesError>,
    choose: impl FnOnce(&mut [Unread<'a>]) -> Result<(), NamesError>,
) -> Result<Vec<Vec<Mention>>, NamesError> {
    let keys: Vec<_> = segments.iter().map(|segment| cache.key(segment)).collect();
    let mut known: HashMap<Key, Option<Found>> = HashMap::new();
    let mut unread = Vec::new();
    for (key, text) in keys.iter().zip(segments) {
        if known.contains_key(key) {
            continue;
        }
        let found = cache.recall(*key);
        if found.is_none() {
            let pieces = cut(text)?;
            let choices = vec![Choice::NOTHING; pieces.len()];
            unread.push(Unread { key: *key, text, pieces, choices });
        }
        known.insert(*key, found);
    }
    choose(&mut unread)?;
    for Unread { key, text, pieces, choices } in unread {
        let found: Found = labels::mentions(text, &pieces, &choices).into();
        cache.remember(key, Arc::clone(&found));
        known.insert(key, Some(found));
    }
    let found = |key| known.get(key).and_then(|found| found.as_deref()).map(<[Mention]>::to_vec);
    keys.iter().map(|key| found(key).ok_or(NamesError::Failed)).collect()
}
