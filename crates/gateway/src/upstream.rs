//! One server behind the gateway, as the rest of the gateway sees it.
//!
//! In: requests and notifications that may leave. Out: answers. Invariant: ids towards the server are our own numbers
//! and never used twice, over all its restarts; while it is down every request ends at once with the reason. Not
//! here: reading and writing the pipes (`actor`), starting it again (`keeper`), what answers mean.

mod actor;
mod backoff;
mod keeper;
mod link;
mod notes;
mod pending;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::Restored;
use cloakgate_vocab::UpstreamName;
use tokio::sync::watch;

use crate::capabilities::Capabilities;
use crate::greeting::Greeting;
use crate::index::{NameCache, UriIndex};
use crate::mailbox::{Hold, Limit};
use crate::message::Message;
use crate::subscriptions::Subscriptions;
use crate::tasks::Announcing;
use crate::turns::Turns;

pub(crate) use actor::Connection;
pub(crate) use keeper::{Keeper, Stop};
pub(crate) use link::{GivingUp, Link, Question};
pub(crate) use pending::Forgotten;

/// What may wait for a server that does not read.
pub(crate) const WAITING: Limit = Limit { messages: 256, bytes: 64 << 20 };
/// What a server may have sent that has not left towards the client yet; beyond it the server is made to wait.
pub(crate) const UNDER_WAY_BYTES: usize = 64 << 20;
/// What a server says on its own that may wait to be cloaked; beyond it the server is made to wait.
pub(crate) const WAITING_NOTES: usize = 256;
/// Answers to a server's own requests that may wait. A server that asks more without reading is ended.
pub(crate) const WAITING_REPLIES: usize = 256;

/// Why a server is down.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum Down {
    #[error("it has stopped and is being restarted")]
    Stopped,
    #[error("it could not be started and is tried again")]
    NotStarted,
    #[error("its handshake failed and is tried again")]
    Handshake,
    #[error("it speaks a protocol version that the gateway does not")]
    Version,
    #[error("it has stopped too often and is left alone for a while")]
    TooOften,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("the server is not running: {0}")]
    Down(Down),
    #[error("the server is still starting")]
    Starting,
    #[error("the server has stopped")]
    Stopped,
    #[error("the server did not answer in time")]
    TimedOut,
    #[error("the server's answer is longer than a message may be")]
    Oversized,
    #[error("the server's answer is no valid message")]
    Unreadable,
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) message: Message,
    /// How much the server had said on its own before it, which so leaves before it.
    pub(crate) after: u64,
    /// Keeps the server waiting once too much is under way.
    pub(crate) room: Option<Hold>,
    /// Held until the client has been told of the task that stands in the answer's place.
    pub(crate) announcing: Option<Announcing>,
}

/// What goes to a server's input.
#[derive(Debug)]
enum Mail {
    Message(Restored<Bytes>),
    /// Close the input.
    Close,
}

/// How an upstream is to be treated.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) name: UpstreamName,
    pub(crate) sanitize: bool,
    pub(crate) startup_timeout: Duration,
    pub(crate) call_timeout: Duration,
    /// The same for single tools, by the names that the server gives them.
    pub(crate) tool_timeouts: HashMap<String, Duration>,
}

impl Terms {
    /// Those of a server in tests.
    #[cfg(test)]
    pub(crate) fn of_test(name: &str) -> Self {
        let name = name.parse().expect("a name");
        let long = Duration::from_secs(60);
        let (startup_timeout, call_timeout) = (long, long);
        Self { name, sanitize: true, startup_timeout, call_timeout, tool_timeouts: HashMap::new() }
    }

    /// How long a call may take: of this tool, or of anything else.
    pub(crate) fn timeout_of(&self, tool: Option<&str>) -> Duration {
        tool.and_then(|tool| self.tool_timeouts.get(tool)).copied().unwrap_or(self.call_timeout)
    }
}

/// Whether a server serves.
#[derive(Clone, Debug)]
enum State {
    Starting,
    Serving(Arc<Link>),
    Down(Down),
}

/// A server, running or not.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) terms: Terms,
    /// Its tools.
    pub(crate) tools: NameCache,
    /// Its prompts.
    pub(crate) prompts: NameCache,
    /// Its resources.
    pub(crate) uris: UriIndex,
    /// What the client wants to be told of.
    pub(crate) subscriptions: Subscriptions,
    /// Calls leave in the order in which the client sent them.
    pub(crate) turns: Turns,
    /// What it said in its newest handshake.
    greeting: Mutex<Option<Arc<Greeting>>>,
    state: watch::Sender<State>,
    next_id: AtomicU64,
    accepted: AtomicU64,         // what it said on its own and was queued
    emitted: watch::Sender<u64>, // what of it has been dealt with
}

impl Upstream {
    /// A server that is not started yet.
    pub(crate) fn new(terms: Terms) -> Self {
        Self {
            terms,
            tools: NameCache::default(),
            prompts: NameCache::default(),
            uris: UriIndex::default(),
            subscriptions: Subscriptions::default(),
            turns: Turns::default(),
            greeting: Mutex::new(None),
            state: watch::Sender::new(State::Starting),
            next_id: AtomicU64::new(1),
            accepted: AtomicU64::new(0),
            emitted: watch::Sender::new(0),
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &UpstreamName {
        &self.terms.name
    }

    /// What it said in its newest handshake; `None` before the first.
    pub(crate) fn greeting(&self) -> Option<Arc<Greeting>> {
        self.greeting.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What it can do; nothing before the handshake. What it could do it is taken to do again after a restart.
    pub(crate) fn can(&self) -> Capabilities {
        self.greeting().map(|greeting| greeting.capabilities).unwrap_or_default()
    }

    /// The connection over which it serves.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn link(&self) -> Result<Arc<Link>, CallError> {
        match &*self.state.borrow() {
            State::Serving(link) => Ok(Arc::clone(link)),
            State::Starting => Err(CallError::Starting),
            State::Down(down) => Err(CallError::Down(*down)),
        }
    }

    /// Waits until it serves, or has failed to for the first time. True when it serves.
    pub(crate) async fn settled(&self) -> bool {
        let mut state = self.state.subscribe();
        // An error is impossible while the sender lives, which is here.
        let settled = state.wait_for(|state| !matches!(state, State::Starting)).await;
        settled.is_ok_and(|state| matches!(*state, State::Serving(_)))
    }

    /// A fresh id for a request to it.
    pub(crate) fn take_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn call(&self, question: Question) -> Result<Reply, CallError> {
        self.link()?.call(question).await
    }

    /// Sends a notification.
    pub(crate) async fn post(&self, message: Restored<Bytes>) -> Result<(), CallError> {
        self.link()?.post(message).await
    }

    /// Gives a request up without calling it off; a task that it begins is cancelled. `None` when it was answered already, or never sent. Whoever waits
    /// for it must be ended before what this gives is dropped, or it would find that there is no answer.
    pub(crate) fn forget(&self, id: u64) -> Option<Forgotten> {
        self.link().ok()?.pending.forget(id)
    }

    /// Cancels a task, if it is running and can do so.
    pub(crate) fn cancel_task(&self, id: &str) {
        if let Ok(link) = self.link() {
            link.cancel_task(self, id);
        }
    }

    /// Waits until as much of what it said on its own as came before an answer has left.
    pub(crate) async fn caught_up(&self, after: u64) {
        if *self.emitted.borrow() >= after {
            return;
        }
        let mut emitted = self.emitted.subscribe();
        // An error is impossible while the sender lives, which is here.
        let _count = emitted.wait_for(|count| *count >= after).await;
    }

    /// Its lists may be others than those that are remembered.
    pub(crate) fn forget_lists(&self) {
        self.tools.forget();
        self.prompts.forget();
        self.uris.list_again();
    }
}

/// Upstreams in the order of the configuration.
pub(crate) type Upstreams = Vec<Arc<Upstream>>;

#[cfg(test)]
mod tests;
