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
    match method {
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

impl Asks {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Ask>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request and gives its number.
    ///
    /// # Errors
    /// When the server has too many open, or one with that id.
    pub(crate) fn open(&self, ask: Ask) -> Result<u64, AskError> {
        let mut open = self.lock();
        let (mut count, mut same) = (0, false);
        for other in open.values().filter(|other| Arc::ptr_eq(&other.link, &ask.link)) {
            count += 1;
            same |= other.id == ask.id;
        }
        if same {
            return Err(AskError::SameId);
        }
        if count >= MAX_ASKS {
            return Err(AskError::TooMany);
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        open.insert(number, ask);
        Ok(number)
    }

    /// Takes a request out; `None` when somebody else has.
    pub(crate) fn take(&self, number: u64) -> Option<Ask> {
        self.lock().remove(&number)
    }

    /// Whether a request still waits.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.lock().contains_key(&number)
    }

    /// Takes out the request that a server knows by an id, and gives its number.
    pub(crate) fn take_by_id(&self, link: &Arc<Link>, id: &RawId) -> Option<u64> {
        let mut open = self.lock();
        let found = open.iter().find(|(_, ask)| Arc::ptr_eq(&ask.link, link) && ask.id == *id);
        let number = found.map(|(number, _)| *number)?;
        open.remove(&number).map(|_| number)
    }

    /// Takes out all requests of a connection that has ended, in order.
    pub(crate) fn take_all(&self, link: &Arc<Link>) -> Vec<u64> {
        let taken = self.take_where(|ask| Arc::ptr_eq(&ask.link, link));
        taken.into_iter().map(|(number, _)| number).collect()
    }

    /// Takes out the requests of a server whose time is over, in order.
    pub(crate) fn take_overdue(&self, upstream: &Upstream, now: Instant) -> Vec<(u64, Ask)> {
        self.take_where(|ask| std::ptr::eq(ask.upstream.as_ref(), upstream) && ask.deadline <= now)
    }

    fn take_where(&self, wanted: impl Fn(&Ask) -> bool) -> Vec<(u64, Ask)> {
        let mut taken: Vec<_> = self.lock().extract_if(|_, ask| wanted(ask)).collect();
        taken.sort_by_key(|(number, _)| *number);
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
        let ask = self.lock().get(&number).cloned()?;
        let ours = ask.progress.as_ref().map(|original| progress_text(number, original))?;
        (ours == token.as_str()).then_some(ask)
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
