//! Requests of servers that the client is to answer.
//!
//! In: a server's request. Out: an id of our own for the client, and the way back from it. Invariant: ids of several
//! servers never meet; what a server may have open is bounded, in number and in time; each request is taken out
//! once, by whoever ends it: the client, the server, a deadline, the server's end. Not here: passing messages on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cloakgate_mcp::RawId;
use tokio::time::Instant;

use crate::hello::Abilities;
use crate::upstream::{Link, Upstream};

/// Requests of one server that may wait for the client.
pub(crate) const MAX_ASKS: usize = 64;
/// What our ids begin with, so that none can be taken for one of the client's own.
const BEGINNING: &str = "cloakgate-";

/// A request of a server that waits for the client.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) upstream: Arc<Upstream>,
    pub(crate) link: Arc<Link>,
    /// Its id as the server wrote it.
    pub(crate) id: RawId,
    pub(crate) method: String,
    /// What the server calls its progress.
    pub(crate) progress: Option<RawId>,
    pub(crate) deadline: Instant,
    /// Whether the client runs it as a task.
    pub(crate) wants_task: bool,
    /// Nobody waits for the answer any more, but the task that it begins is to be cancelled.
    pub(crate) called_off: bool,
    /// Our number for it.
    pub(crate) number: u64,
}

/// Why a request cannot be asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum AskError {
    #[error("too many requests wait for the client")]
    TooMany,
    #[error("a request with this id waits already")]
    SameId,
}

/// The table of such requests.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    open: Mutex<HashMap<u64, Ask>>,
    next: AtomicU64,
}

/// Whether the client said that it answers this method.
pub(crate) fn is_offered(abilities: &Abilities, method: &str) -> bool {
    let tasks = abilities.tasks;
    match method {
        "tasks/get" | "tasks/result" => tasks.is_some(),
        "tasks/list" => tasks.is_some_and(|tasks| tasks.list),
        "tasks/cancel" => tasks.is_some_and(|tasks| tasks.cancel),
        "sampling/createMessage" => abilities.sampling,
        "elicitation/create" => abilities.elicitation,
        "roots/list" => abilities.roots,
        _ => false,
    }
}

/// Our id for the client, as it stands in a message.
pub(crate) fn id_text(number: u64) -> String {
    format!("\"{BEGINNING}{number}\"")
}

/// The number behind an id that [`id_text`] made.
pub(crate) fn number_of(id: &RawId) -> Option<u64> {
    let number = id.as_str().strip_prefix('"')?.strip_prefix(BEGINNING)?.strip_suffix('"')?;
    number.parse().ok().filter(|parsed: &u64| parsed.to_string() == number)
}

/// Our name for the progress of a request, of the type that the server used.
pub(crate) fn progress_text(number: u64, original: &RawId) -> String {
    if original.as_str().starts_with('"') { id_text(number) } else { number.to_string() }
}

/// Whether `token` is our name for the progress of a request.
pub(crate) fn is_progress_of(ask: &Ask, token: &RawId) -> bool {
    ask.progress.as_ref().is_some_and(|original| progress_text(ask.number, original) == token.as_str())
}

impl Asks {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Ask>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request and gives its number.
    ///
    /// # Errors
    /// When the server has too many open, or one with that id.
    pub(crate) fn open(&self, mut ask: Ask) -> Result<u64, AskError> {
        let mut open = self.lock();
        let (mut count, mut same) = (0, false);
        for other in open.values().filter(|other| Arc::ptr_eq(&other.link, &ask.link)) {
            count += 1;
            same |= other.id == ask.id && !other.called_off;
        }
        if same {
            return Err(AskError::SameId);
        }
        if count >= MAX_ASKS {
            return Err(AskError::TooMany);
        }
        ask.number = self.next_number();
        Ok(open.entry(ask.number).insert_entry(ask).get().number)
    }

    /// A number for a request of our own.
    pub(crate) fn next_number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes a request out; `None` when somebody else has.
    pub(crate) fn take(&self, number: u64) -> Option<Ask> {
        self.lock().remove(&number)
    }

    /// Whether a request still waits.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.lock().get(&number).is_some_and(|ask| !ask.called_off)
    }

    /// Takes out the request that a server knows by an id.
    pub(crate) fn take_by_id(&self, link: &Arc<Link>, id: &RawId) -> Option<Ask> {
        let is_it = |ask: &Ask| Arc::ptr_eq(&ask.link, link) && ask.id == *id && !ask.called_off;
        self.take_where(is_it).pop()
    }

    /// Takes out all requests of a connection that has ended, in order.
    pub(crate) fn take_all(&self, link: &Arc<Link>) -> Vec<Ask> {
        self.take_where(|ask| Arc::ptr_eq(&ask.link, link) && !ask.called_off)
    }

    /// Waits on for the task that a request begins, only to cancel it.
    pub(crate) fn keep_called_off(&self, ask: Ask) {
        let deadline = Instant::now() + ask.upstream.terms.call_timeout;
        self.lock().insert(ask.number, Ask { called_off: true, deadline, ..ask });
    }

    /// Takes out the requests of a server whose time is over, in order.
    pub(crate) fn take_overdue(&self, upstream: &Upstream, now: Instant) -> Vec<Ask> {
        self.take_where(|ask| std::ptr::eq(ask.upstream.as_ref(), upstream) && ask.deadline <= now)
    }

    fn take_where(&self, wanted: impl Fn(&Ask) -> bool) -> Vec<Ask> {
        let mut taken: Vec<_> = self.lock().extract_if(|_, ask| wanted(ask)).map(|(_, ask)| ask).collect();
        taken.sort_by_key(|ask| ask.number);
        taken
    }

    /// When the time of a server's oldest request is over.
    pub(crate) fn next_deadline(&self, upstream: &Upstream) -> Option<Instant> {
        let open = self.lock();
        let own = open.values().filter(|ask| std::ptr::eq(ask.upstream.as_ref(), upstream));
        own.map(|ask| ask.deadline).min()
    }

    /// The open request whose progress the client speaks of, by our name for it.
    pub(crate) fn by_progress(&self, token: &RawId) -> Option<Ask> {
        let number = number_of(token).or_else(|| token.number())?;
        self.lock().get(&number).filter(|ask| is_progress_of(ask, token)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_mcp::RawId;

    use super::{id_text, number_of, progress_text};

    #[test]
    fn only_our_own_spelling_is_our_own_id() {
        let id = |raw: &str| RawId::from_raw(raw.as_bytes()).expect("an id");
        assert_eq!(number_of(&id(&id_text(17))), Some(17));
        for raw in
            ["17", "\"17\"", "\"cloakgate-\"", "\"cloakgate-017\"", "\"cloakgate-+1\"", "\"cloakgate-1x\""]
        {
            assert_eq!(number_of(&id(raw)), None, "{raw}");
        }
        assert_eq!(progress_text(3, &id("9")), "3");
        assert_eq!(progress_text(3, &id("\"9\"")), "\"cloakgate-3\"");
    }
}
