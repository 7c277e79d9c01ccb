//! One connection to a server, from its start to its end.
//!
//! In: requests and notifications that may leave. Out: answers. Invariant: a request that was given to one connection
//! never leaves over another, and ends in exactly one outcome: the answer, a deadline, or the connection's end. Not
//! here: reading and writing the pipes (`actor`), starting the next connection (`keeper`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{ExactReason, Restored};
use cloakgate_mcp::{RawId, errors};
use tokio::sync::{Notify, mpsc};

use super::pending::Pending;
use super::{CallError, Mail, Reply, Upstream};
use crate::mailbox;
use crate::tasks::Begins;
use crate::turns::Turn;

/// Whether a request that is given up is called off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum GivingUp {
    /// The server is told.
    CallOff,
    /// It is not: the protocol forbids to call off the handshake.
    Silent,
}

/// A request to a server.
#[derive(Debug)]
pub(crate) struct Question {
    /// Our own id, as it stands in the message.
    pub(crate) id: u64,
    pub(crate) message: Restored<Bytes>,
    /// How long the answer is waited for.
    pub(crate) limit: Duration,
    pub(crate) giving_up: GivingUp,
    /// When it may leave, where that matters.
    pub(crate) turn: Option<Turn>,
    /// What the client calls its progress.
    pub(crate) progress: Option<RawId>,
    /// What it begins, where it may be answered with a task.
    pub(crate) begins: Option<Begins>,
}

impl Question {
    /// A request that leaves at once and is called off when it is given up.
    pub(crate) fn new(id: u64, message: Restored<Bytes>, limit: Duration) -> Self {
        Self { id, message, limit, giving_up: GivingUp::CallOff, turn: None, progress: None, begins: None }
    }
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Link {
    pub(super) pending: Pending,
    pub(super) mail: mailbox::Sender<Mail>,
    /// Says that the server is of no use any more.
    pub(super) useless: Notify,
    replies: mpsc::Sender<Restored<Bytes>>,
    introduced: AtomicBool,
}

impl Link {
    pub(super) fn new(mail: mailbox::Sender<Mail>, replies: mpsc::Sender<Restored<Bytes>>) -> Self {
        let introduced = AtomicBool::new(false);
        Self { pending: Pending::new(), mail, useless: Notify::new(), replies, introduced }
    }

    /// Answers a request of the server, without waiting. A server that reads none of its answers is ended.
    pub(super) fn reply(&self, text: String, upstream: &Upstream) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.replies.try_send(Restored::authored(text)) {
            tracing::error!(upstream.name = %upstream.name(), "the server asks without reading answers");
            self.useless.notify_one();
        }
    }

    /// Whether the server was told that the handshake is done.
    pub(super) fn is_introduced(&self) -> bool {
        self.introduced.load(Ordering::Acquire)
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn call(&self, question: Question) -> Result<Reply, CallError> {
        let Question { id, message, limit, giving_up, turn, progress, begins } = question;
        let answer = self.pending.insert(id, progress, begins)?;
        // From here on, whatever ends this future early takes the id back and calls the request off.
        let _in_flight = InFlight { link: self, id, giving_up };
        let exchange = async {
            if let Some(mut turn) = turn {
                turn.ready().await;
                self.post(message).await?;
            } else {
                self.post(message).await?;
            }
            answer.await.unwrap_or(Err(CallError::Stopped))
        };
        tokio::time::timeout(limit, exchange).await.unwrap_or(Err(CallError::TimedOut))
    }

    /// Sends a message that wants no answer, or is one.
    pub(crate) async fn post(&self, message: Restored<Bytes>) -> Result<(), CallError> {
        let bytes = message.bytes().len();
        self.mail.send(Mail::Message(message), bytes).await.map_err(|_| CallError::Stopped)
    }

    /// Cancels a task of the server, if it can do so; nobody waits for what it says to that.
    pub(super) fn cancel_task(&self, upstream: &Upstream, id: &str) {
        if !upstream.can().tasks.is_some_and(|tasks| tasks.cancel) {
            return;
        }
        let number = upstream.take_id();
        let head = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tasks/cancel","params":{{"taskId":"#);
        // The id is the server's own and goes back to it.
        let id = Restored::exact(&Bytes::from(errors::quoted(id)), Vec::new(), ExactReason::Contract);
        let Ok(id) = id else { return };
        let message = Restored::concat(&[Restored::authored(head), id, Restored::authored("}}")]);
        let bytes = message.bytes().len();
        // Like calling off, a courtesy.
        let _full = self.mail.try_send(Mail::Message(message), bytes);
    }

    /// Tells the server that the handshake is done; once, whoever is first.
    pub(crate) async fn introduce(&self, message: Restored<Bytes>) -> Result<(), CallError> {
        if self.introduced.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        self.post(message).await
    }
}

/// A request whose answer is awaited.
struct InFlight<'a> {
    link: &'a Link,
    id: u64,
    giving_up: GivingUp,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if self.link.pending.remove(self.id) && self.giving_up == GivingUp::CallOff {
            let message = Restored::authored(errors::cancelled(self.id));
            let bytes = message.bytes().len();
            // Calling off is a courtesy: a server whose queue is full does not get it.
            let _full = self.link.mail.try_send(Mail::Message(message), bytes);
        }
    }
}
