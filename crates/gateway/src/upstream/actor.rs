//! The tasks that own a server's pipes and its process.
//!
//! In: lines of the server, mail for it. Out: outcomes of requests, notifications in their order, answers to what the
//! server itself asks. Invariant: reading never waits for writing, so a server that is blocked on its output while
//! we are blocked on its input comes free; the end of the pipe ends every request. Not here: what answers mean.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::Restored;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, RawId, Request};
use cloakgate_vocab::UpstreamName;
use cloakgate_wire::{Frame, FrameReader, Process, UpstreamWriter};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::notes::{Emitter, Note};
use super::pending::Pending;
use super::{
    CallError, Mail, Reply, Terms, UNDER_WAY_BYTES, Upstream, WAITING, WAITING_NOTES, WAITING_REPLIES,
};
use crate::index::{NameCache, UriIndex};
use crate::mailbox::{self, Budget, mailbox};
use crate::message::{Message, Unreadable};
use crate::turns::Turns;

/// How long the end of a session waits for a server's input to take what is queued.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The two ends of a server's pipes.
#[derive(Debug)]
pub(crate) struct Connection<R, W> {
    pub(crate) reader: FrameReader<R>,
    pub(crate) writer: UpstreamWriter<W>,
    /// The process behind them, where there is one.
    pub(crate) process: Option<Process>,
}

/// A server's tasks. Dropping it ends them and the process.
#[derive(Debug)]
pub(crate) struct Actor {
    upstream: Arc<Upstream>,
    tasks: JoinSet<()>,
    process: Option<Process>,
}

/// Starts the tasks of one server.
pub(crate) fn start<R, W>(
    terms: Terms,
    connection: Connection<R, W>,
    emitter: Emitter,
) -> (Arc<Upstream>, Actor)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (mail, letters) = mailbox(WAITING);
    let (notes, waiting_notes) = mpsc::channel(WAITING_NOTES);
    let (replies, waiting_replies) = mpsc::channel(WAITING_REPLIES);
    let (emitted, seen) = watch::channel(0);
    let upstream = Arc::new(Upstream {
        terms,
        capabilities: OnceLock::new(),
        tools: NameCache::default(),
        prompts: NameCache::default(),
        uris: UriIndex::default(),
        turns: Turns::default(),
        next_id: AtomicU64::new(1),
        pending: Pending::new(),
        mail,
        emitted: seen,
    });
    let mut tasks = JoinSet::new();
    tasks.spawn(write(letters, waiting_replies, connection.writer, Arc::clone(&upstream)));
    tasks.spawn(emitter.run(Arc::clone(&upstream), waiting_notes, emitted));
    let listener = Listener {
        upstream: Arc::clone(&upstream),
        notes,
        replies,
        room: Budget::new(UNDER_WAY_BYTES),
        accepted: 0,
        garbage: 0,
    };
    tasks.spawn(listener.run(connection.reader));
    (Arc::clone(&upstream), Actor { upstream, tasks, process: connection.process })
}

impl Actor {
    /// Whose tasks they are.
    pub(crate) fn name(&self) -> &UpstreamName {
        self.upstream.name()
    }

    /// Ends the server: closes its input, lets it end by itself, then makes it.
    pub(crate) async fn stop(mut self) {
        let close = self.upstream.mail.send(Mail::Close, 0);
        let _gone = tokio::time::timeout(CLOSE_TIMEOUT, close).await;
        if let Some(process) = self.process.take() {
            // The listener goes on reading meanwhile: a server that is writing would not see its input's end.
            if let Err(error) = process.shutdown().await {
                tracing::debug!(upstream.name = %self.upstream.name(), %error, "cannot end the server");
            }
        }
        self.upstream.pending.close();
        // With its pipes closed the tasks end by themselves, once what the server said last has left.
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        let _in_time = tokio::time::timeout(CLOSE_TIMEOUT, ended).await;
        self.tasks.shutdown().await;
    }
}

/// Writes mail and replies until there is an order to close, or the server has closed its input.
async fn write<W: AsyncWrite + Unpin>(
    mut letters: mailbox::Receiver<Mail>,
    mut replies: mpsc::Receiver<Restored<Bytes>>,
    mut writer: UpstreamWriter<W>,
    upstream: Arc<Upstream>,
) {
    loop {
        let (message, _room) = tokio::select! {
            Some(reply) = replies.recv() => (reply, None),
            letter = letters.recv() => match letter {
                Some((Mail::Message(message), room)) => (message, Some(room)),
                Some((Mail::Close, _)) | None => break,
            },
        };
        if let Err(error) = writer.send(&message).await {
            tracing::debug!(upstream.name = %upstream.name(), %error, "the server has closed its input");
            return;
        }
    }
    let _gone = writer.close().await;
}

/// Reads what a server says.
struct Listener {
    upstream: Arc<Upstream>,
    notes: mpsc::Sender<Note>,
    replies: mpsc::Sender<Restored<Bytes>>,
    room: Budget,
    accepted: u64, // notifications that were handed on
    garbage: u64,
}

impl Listener {
    async fn run<R: AsyncRead + Unpin>(mut self, mut reader: FrameReader<R>) {
        loop {
            match reader.next().await {
                Ok(Some(frame)) => {
                    if !self.hear(frame).await {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::debug!(upstream.name = %self.upstream.name(), %error, "cannot read from the server");
                    break;
                }
            }
        }
        let waiting = self.upstream.pending.close();
        tracing::info!(upstream.name = %self.upstream.name(), requests.failed = waiting, "the server has stopped");
    }

    /// Deals with one line. False when the server is not to be listened to any longer.
    async fn hear(&mut self, frame: Frame) -> bool {
        match frame {
            Frame::Message(bytes) => self.read(bytes).await,
            Frame::Oversized { id } => {
                let id = id.and_then(|raw| RawId::from_raw(&raw).ok());
                self.fail(id.as_ref(), CallError::Oversized);
                true
            }
            Frame::Garbage => {
                self.garbage += 1;
                if self.garbage == 1 {
                    tracing::warn!(
                        upstream.name = %self.upstream.name(),
                        "the server writes lines that are no messages to its output; they are skipped"
                    );
                }
                true
            }
        }
    }

    async fn read(&mut self, bytes: Bytes) -> bool {
        let room = self.room.hold(bytes.len()).await;
        let message = match Message::read(bytes).await {
            Ok(message) => message,
            Err(unreadable) => return self.refuse(unreadable),
        };
        match &message.envelope {
            Envelope::Response(response) => {
                let id = response.id.number();
                let reply = Reply { message, after: self.accepted, room };
                if !id.is_some_and(|id| self.upstream.pending.settle(id, Ok(reply))) {
                    tracing::debug!(upstream.name = %self.upstream.name(), "an answer came that nobody waits for");
                }
                true
            }
            Envelope::Request(request) => {
                let reply = reply_to(request);
                self.reply(reply)
            }
            Envelope::Notification(_) => {
                self.accepted += 1;
                self.notes.send(Note { message, _room: room }).await.is_ok()
            }
        }
    }

    /// A message that cannot be read ends the request that it answers; a request among them is answered.
    fn refuse(&mut self, unreadable: Unreadable) -> bool {
        let (id, has_method) = match unreadable {
            Unreadable::NotJson { id, has_method } => (id, has_method),
            Unreadable::Invalid(invalid) => (invalid.id, invalid.has_method),
        };
        if !has_method {
            self.fail(id.as_ref(), CallError::Unreadable);
            return true;
        }
        let Some(id) = id else { return true };
        self.reply(errors::error(&id, Code::InvalidRequest, "the message cannot be read"))
    }

    fn fail(&self, id: Option<&RawId>, error: CallError) {
        let settled =
            id.and_then(RawId::number).is_some_and(|id| self.upstream.pending.settle(id, Err(error)));
        tracing::warn!(
            upstream.name = %self.upstream.name(),
            %error,
            request.ended = settled,
            "a message of the server was thrown away"
        );
    }

    /// Answers a request of the server. False when it reads none of its answers: then it is of no use.
    fn reply(&mut self, text: String) -> bool {
        match self.replies.try_send(Restored::authored(text)) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                tracing::error!(upstream.name = %self.upstream.name(), "the server asks without reading answers");
                false
            }
        }
    }
}

/// What the gateway itself answers to a server's request. We offered no abilities, so only `ping` is in order.
fn reply_to(request: &Request) -> String {
    match request.method.as_str() {
        "ping" => errors::empty_result(&request.id),
        _ => errors::error(&request.id, Code::MethodNotFound, "the gateway does not pass this request on"),
    }
}
