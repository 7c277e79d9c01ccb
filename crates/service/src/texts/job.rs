//! Messages that are to be cloaked, and how.
//!
//! Invariant: all messages of a job are cloaked or none is.

use std::collections::BTreeMap;
use std::sync::Arc;

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{Field, Profile, TextSession, Today, cloak};
use zeroize::Zeroizing;

use super::error::TextsError;

/// Messages with all that cloaks them. Cheap to clone.
#[derive(Clone)]
pub(super) struct Job {
    messages: Arc<Zeroizing<Vec<String>>>,
    profile: Arc<Profile>,
    finder: Arc<Finder>,
    today: Today,
}

/// What came of a job.
pub(super) struct Done {
    pub(super) texts: Vec<String>,
    pub(super) counts: BTreeMap<Field, u32>,
    pub(super) session: TextSession,
}

impl Job {
    pub(super) fn new(
        messages: Vec<String>,
        profile: Arc<Profile>,
        finder: Arc<Finder>,
        today: Today,
    ) -> Self {
        Self { messages: Arc::new(Zeroizing::new(messages)), profile, finder, today }
    }

    /// True when it is soon done: few bytes, and no names to read.
    pub(super) fn is_short(&self, short_bytes: usize) -> bool {
        self.finder.engine().names().is_none()
            && self.messages.iter().map(String::len).sum::<usize>() <= short_bytes
    }

    /// Cloaks the messages one after the other in one session.
    pub(super) fn run(&self, mut session: TextSession) -> Result<Done, TextsError> {
        let mut texts = Vec::with_capacity(self.messages.len());
        let mut counts = BTreeMap::new();
        for message in self.messages.iter() {
            let cloaked = cloak(message, &self.profile, &self.finder, &mut session, self.today)?;
            for (field, count) in cloaked.counts {
                *counts.entry(field).or_default() += count;
            }
            texts.push(cloaked.text);
        }
        Ok(Done { texts, counts, session })
    }
}
