//! One server behind the gateway, as the rest of the gateway sees it.
//!
//! In: requests and notifications that may leave. Out: answers. Invariant: every request ends in exactly one outcome:
//! the answer, a deadline, or the server's end; ids towards the server are our own numbers and never used twice.
//! Not here: reading and writing the pipes (`actor`), what answers mean.

mod actor;
mod notes;
mod pending;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::Restored;
use cloakgate_mcp::errors;
use cloakgate_vocab::UpstreamName;
use tokio::sync::watch;

use crate::capabilities::Capabilities;
use crate::index::{NameCache, UriIndex};
use crate::mailbox::{self, Hold, Limit};
use crate::message::Message;
use crate::turns::{Turn, Turns};

pub(crate) use actor::{Actor, Connection, start};
pub(crate) use notes::Emitter;
use pending::Pending;

/// What may wait for a server that does not read.
pub(crate) const WAITING: Limit = Limit { messages: 256, bytes: 64 << 20 };
/// What a server may have sent that has not left towards the client yet; beyond it the server is made to wait.
pub(crate) const UNDER_WAY_BYTES: usize = 64 << 20;
/// Notifications of a server that may wait to be cloaked; beyond it the server is made to wait.
pub(crate) const WAITING_NOTES: usize = 256;
/// Answers to a server's own requests that may wait. A server that asks more without reading is ended.
pub(crate) const WAITING_REPLIES: usize = 256;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum CallError {
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
    /// How many notifications of the server came before it, and so leave before it.
    pub(crate) after: u64,
    /// Keeps the server waiting once too much is under way.
    pub(crate) room: Option<Hold>,
}

/// Whether a request that is given up is called off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum GivingUp {
    /// The server is told.
    CallOff,
    /// It is not: the protocol forbids to call off the handshake.
    Silent,
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
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) terms: Terms,
    /// What it said it can do; set by the handshake.
    pub(crate) capabilities: OnceLock<Capabilities>,
    /// Its tools.
    pub(crate) tools: NameCache,
    /// Its prompts.
    pub(crate) prompts: NameCache,
    /// Its resources.
    pub(crate) uris: UriIndex,
    /// Calls leave in the order in which the client sent them.
    pub(crate) turns: Turns,
    next_id: AtomicU64,
    pending: Pending,
    mail: mailbox::Sender<Mail>,
    emitted: watch::Receiver<u64>,
}

impl Upstream {
    /// Its name.
    pub(crate) fn name(&self) -> &UpstreamName {
        &self.terms.name
    }

    /// What it can do; nothing before the handshake.
    pub(crate) fn can(&self) -> Capabilities {
        self.capabilities.get().copied().unwrap_or_default()
    }

    /// A fresh id for a request to it.
    pub(crate) fn take_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Sends a request and waits for its answer, for as long as `limit` allows.
    pub(crate) async fn call(
        &self,
        id: u64,
        request: Restored<Bytes>,
        limit: Duration,
        giving_up: GivingUp,
    ) -> Result<Reply, CallError> {
        self.call_in_turn(id, request, (limit, giving_up), None).await
    }

    /// As `call`, but leaves only when `turn` comes.
    pub(crate) async fn call_in_turn(
        &self,
        id: u64,
        request: Restored<Bytes>,
        (limit, giving_up): (Duration, GivingUp),
        turn: Option<Turn>,
    ) -> Result<Reply, CallError> {
        let answer = self.pending.insert(id)?;
        // From here on, whatever ends this future early takes the id back and calls the request off.
        let _in_flight = InFlight { upstream: self, id, giving_up };
        let exchange = async {
            if let Some(mut turn) = turn {
                turn.ready().await;
                self.post(request).await?;
            } else {
                self.post(request).await?;
            }
            answer.await.unwrap_or(Err(CallError::Stopped))
        };
        tokio::time::timeout(limit, exchange).await.unwrap_or(Err(CallError::TimedOut))
    }

    /// Sends a notification.
    pub(crate) async fn post(&self, message: Restored<Bytes>) -> Result<(), CallError> {
        let bytes = message.bytes().len();
        self.mail.send(Mail::Message(message), bytes).await.map_err(|_| CallError::Stopped)
    }

    /// Gives a request up without calling it off. False when it was answered already, or never sent.
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.pending.remove(id)
    }

    /// Waits until as many notifications as came before an answer have left.
    pub(crate) async fn caught_up(&self, after: u64) {
        let mut emitted = self.emitted.clone();
        // An error means that the worker has ended, and with it all notifications.
        let _count = emitted.wait_for(|count| *count >= after).await;
    }
}

/// A request whose answer is awaited.
struct InFlight<'a> {
    upstream: &'a Upstream,
    id: u64,
    giving_up: GivingUp,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if self.upstream.pending.remove(self.id) && self.giving_up == GivingUp::CallOff {
            let message = Restored::authored(errors::cancelled(self.id));
            let bytes = message.bytes().len();
            // Calling off is a courtesy: a server whose queue is full does not get it.
            let _full = self.upstream.mail.try_send(Mail::Message(message), bytes);
        }
    }
}

/// Upstreams in the order of the configuration.
pub(crate) type Upstreams = Vec<Arc<Upstream>>;

#[cfg(test)]
mod tests;
