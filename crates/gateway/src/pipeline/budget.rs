//! How much one upstream may get or be told in a call and in a minute.
//!
//! In: the tokens and the written values of a call. Out: a refusal, or nothing. Invariant: counting comes before
//! restoring, and a refused call counts too. Not here: what a token stands for.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cloakgate_cloak::{Entry, Fingerprint, FreshValue};
use cloakgate_vocab::{Category, UpstreamName};

use super::PipelineError;
use crate::config::FreshPii;

const MINUTE: Duration = Duration::from_secs(60);
/// Guessable values that the model wrote and that are remembered; a session that writes more is guessing.
const MAX_WRITTEN: usize = 100_000;

/// Limits of one upstream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Budget {
    /// Distinct tokens of other servers in one call.
    pub foreign_per_call: usize,
    /// Distinct tokens of other servers, call by call, in a minute.
    pub foreign_per_minute: usize,
    /// Values in one call that the model wrote out.
    pub fresh_per_call: usize,
    /// What happens to such values within the limit.
    pub fresh: FreshPii,
}

impl Default for Budget {
    fn default() -> Self {
        Self { foreign_per_call: 64, foreign_per_minute: 600, fresh_per_call: 50, fresh: FreshPii::Report }
    }
}

/// What a session has spent.
#[derive(Default)]
pub(super) struct Spending {
    minutes: Mutex<HashMap<UpstreamName, (Instant, usize)>>,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    guessable: std::sync::Arc<HashSet<Fingerprint>>,
    reported: HashSet<Category>,
}

impl Spending {
    /// Counts the tokens of other servers that a call to `upstream` holds.
    pub(super) fn foreign(
        &self,
        upstream: &UpstreamName,
        entries: &[Option<Entry>],
        budget: &Budget,
    ) -> Result<(), PipelineError> {
        let foreign = entries.iter().flatten().filter(|entry| !entry.is_home(upstream)).count();
        if foreign == 0 {
            return Ok(());
        }
        let spent = {
            let mut minutes = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let (since, spent) = minutes.entry(upstream.clone()).or_insert((now, 0));
            if now.duration_since(*since) >= MINUTE {
                (*since, *spent) = (now, 0);
            }
            *spent = spent.saturating_add(foreign);
            *spent
        };
        let over = |max: usize, period: &str| {
            Err(PipelineError::Refused(format!(
                "the call holds {foreign} tokens of other servers; `{upstream}` may have {max} {period}"
            )))
        };
        if foreign > budget.foreign_per_call {
            return over(budget.foreign_per_call, "in a call");
        }
        if spent > budget.foreign_per_minute {
            return over(budget.foreign_per_minute, "in a minute");
        }
        Ok(())
    }

    /// Counts the values that the model wrote out, and remembers those that could be guesses.
    pub(super) fn fresh(
        &self,
        upstream: &UpstreamName,
        fresh: &[FreshValue],
        budget: &Budget,
    ) -> Result<(), PipelineError> {
        if fresh.is_empty() {
            return Ok(());
        }
        if fresh.len() > budget.fresh_per_call {
            return Err(PipelineError::Refused(format!(
                "the call holds {} written-out personal values; `{upstream}` may have {} in a call. Use tokens, or send fewer",
                fresh.len(),
                budget.fresh_per_call
            )));
        }
        if let (FreshPii::Refuse, Some(first)) = (budget.fresh, fresh.first()) {
            return Err(PipelineError::Refused(format!(
                "the call holds a written-out value of kind {}; `{upstream}` may have such values as tokens only",
                first.category
            )));
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let guessable = fresh.iter().filter_map(|value| value.guessable);
        let new: Vec<_> = guessable.filter(|value| !written.guessable.contains(value)).collect();
        if written.guessable.len() + new.len() > MAX_WRITTEN {
            return Err(PipelineError::Refused(format!(
                "more than {MAX_WRITTEN} dates or short numbers were written out in this session"
            )));
        }
        if !new.is_empty() {
            std::sync::Arc::make_mut(&mut written.guessable).extend(new);
        }
        for value in fresh {
            if written.reported.insert(value.category) {
                tracing::warn!(
                    upstream.name = %upstream,
                    category = %value.category,
                    "the model wrote out a value itself; further ones of this kind are not logged"
                );
            }
        }
        Ok(())
    }

    /// The guessable values that the model wrote so far.
    pub(super) fn written(&self) -> std::sync::Arc<HashSet<Fingerprint>> {
        std::sync::Arc::clone(&self.written.lock().unwrap_or_else(PoisonError::into_inner).guessable)
    }
}
