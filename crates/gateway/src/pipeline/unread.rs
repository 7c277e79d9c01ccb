//! Counts what leaves without having been read: images, audio, signed links.
//!
//! In: messages and the nodes that were not read. Out: a count for each key of such a position. The keys are those of the
//! policy's table, so they are protocol words and few. Not here: the values.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use cloakgate_json::{Document, NodeId};

/// Names of positions that are told apart; the policy has a handful.
const MAX_POSITIONS: usize = 64;

#[derive(Default)]
pub(super) struct Unread(Mutex<BTreeMap<String, u64>>);

impl Unread {
    pub(super) fn count(&self, document: &Document, bytes: &[u8], nodes: &[NodeId]) {
        if nodes.is_empty() {
            return;
        }
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for node in nodes {
            let key = document.key(bytes, *node).unwrap_or_default();
            if counts.len() < MAX_POSITIONS || counts.contains_key(key.as_ref()) {
                *counts.entry(key.into_owned()).or_default() += 1;
            }
        }
    }

    pub(super) fn counts(&self) -> Vec<(String, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(key, count)| (key.clone(), *count)).collect()
    }
}
