//! The tasks that own the pipes of one connection.
//!
//! In: lines of the server, mail for it. Out: outcomes of requests, what the server says and asks in its order, answers
//! to what the gateway answers itself. Invariant: reading never waits for writing, so a server that is blocked on its
//! output while we are blocked on its input comes free; the end of the pipe ends every request. A batch is taken
//! as its messages, one after the other, and its requests are answered one by one. Not here: what answers mean.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use cloakgate_cloak::Restored;
use cloakgate_json::Edit;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, InvalidReason, Notification, Outcome, RawId, Request, is_method_shaped};
use cloakgate_wire::{Frame, FrameReader, Process, UpstreamWriter};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;

use super::notes::Note;
use super::pending::Asker;
use super::{CallError, Link, Mail, Reply, UNDER_WAY_BYTES, Upstream};
use crate::asks;
use crate::hub::Hub;
use crate::mailbox::{self, Budget};
use crate::message::{self, Message, Unreadable};

/// The two ends of a server's pipes.
#[derive(Debug)]
pub(crate) struct Connection<R, W> {
    pub(crate) reader: FrameReader<R>,
    pub(crate) writer: UpstreamWriter<W>,
    /// The process behind them, where there is one.
    pub(crate) process: Option<Process>,
}

/// Writes mail and replies until there is an order to close, or the server has closed its input.
pub(super) async fn write<W: AsyncWrite + Unpin>(
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
pub(super) struct Listener {
    hub: Arc<Hub>,
    upstream: Arc<Upstream>,
    link: Arc<Link>,
    notes: mpsc::Sender<Note>,
    room: Budget,
    garbage: u64,
    misnamed: u64, // notifications whose method cannot be one
}

impl Listener {
    pub(super) fn new(
        hub: Arc<Hub>,
        upstream: Arc<Upstream>,
        link: Arc<Link>,
        notes: mpsc::Sender<Note>,
    ) -> Self {
        Self { hub, upstream, link, notes, room: Budget::new(UNDER_WAY_BYTES), garbage: 0, misnamed: 0 }
    }

    /// Listens until the server has closed its output.
    pub(super) async fn run<R: AsyncRead + Unpin>(mut self, mut reader: FrameReader<R>) {
        loop {
            match reader.next().await {
                Ok(Some(frame)) => self.hear(frame).await,
                Ok(None) => break,
                Err(error) => {
                    tracing::debug!(upstream.name = %self.upstream.name(), %error, "cannot read from the server");
                    break;
                }
            }
        }
        let waiting = self.link.pending.close();
        tracing::info!(upstream.name = %self.upstream.name(), requests.failed = waiting, "the server has stopped");
        self.hand_on(Note::Ended(Arc::clone(&self.link))).await;
    }

    async fn hear(&mut self, frame: Frame) {
        match frame {
            Frame::Message(bytes) => self.read(bytes).await,
            Frame::Oversized { id, has_method } => {
                let id = id.and_then(|raw| RawId::from_raw(&raw).ok());
                match id {
                    Some(id) if has_method => {
                        let max = self.hub.settings.max_message_bytes;
                        let text = format!("the message is longer than {max} bytes");
                        self.link.reply(errors::error(&id, Code::InvalidRequest, &text), &self.upstream);
                    }
                    id => self.fail(id.as_ref().filter(|_| !has_method), CallError::Oversized),
                }
            }
            Frame::Garbage => {
                self.garbage += 1;
                if self.garbage == 1 {
                    tracing::warn!(
                        upstream.name = %self.upstream.name(),
                        "the server writes lines that are no messages to its output; they are skipped"
                    );
                }
            }
        }
    }

    async fn read(&mut self, bytes: Bytes) {
        match self.take(bytes.clone()).await {
            Ok(()) => {}
            Err(Unreadable::Invalid(invalid)) if invalid.why == InvalidReason::Batch => {
                for part in message::parts(bytes).await {
                    // A copy, so that one small message does not keep the whole batch.
                    if let Err(unreadable) = self.take(Bytes::copy_from_slice(&part)).await {
                        self.refuse(unreadable);
                    }
                }
            }
            Err(unreadable) => self.refuse(unreadable),
        }
    }

    /// Deals with one message.
    async fn take(&mut self, bytes: Bytes) -> Result<(), Unreadable> {
        let room = self.room.hold(bytes.len()).await;
        let message = Message::read(bytes).await?;
        match &message.envelope {
            Envelope::Response(response) => {
                let id = response.id.number();
                let after = self.upstream.accepted.load(Ordering::Relaxed);
                self.settle(id, Reply { message, after, room, announcing: None });
            }
            Envelope::Request(request) => match self.refusal(request) {
                Some(text) => self.link.reply(text, &self.upstream),
                None => {
                    let link = Arc::clone(&self.link);
                    self.hand_on(Note::Asked { message, link, _room: room }).await;
                }
            },
            Envelope::Notification(note) if !is_method_shaped(&note.method) => {
                self.misnamed += 1;
                if self.misnamed == 1 {
                    tracing::warn!(
                        upstream.name = %self.upstream.name(),
                        "the server sends notifications whose method cannot be one; they are skipped"
                    );
                }
            }
            Envelope::Notification(note) if note.method == "notifications/progress" => {
                if let Some(edit) = self.progress(&message, note) {
                    self.hand_on(Note::Said { message, edit: Some(edit), link: None, _room: room }).await;
                } else {
                    tracing::debug!(upstream.name = %self.upstream.name(), "progress of nothing that is open");
                }
            }
            Envelope::Notification(_) => {
                let link = Some(Arc::clone(&self.link));
                self.hand_on(Note::Said { message, edit: None, link, _room: room }).await;
            }
        }
        Ok(())
    }

    /// Gives an answer to whoever waits for it. A task that stands in its place is noted before anything else is
    /// read, and cancelled where nobody wants it any more.
    fn settle(&self, id: Option<u64>, mut reply: Reply) {
        let asker = id.and_then(|id| self.link.pending.answered(id));
        let task = match &asker {
            Some(Asker::Waiting(waiting)) if waiting.begins.is_none() => None,
            Some(_) => begun_task(&reply.message),
            None => {
                tracing::debug!(upstream.name = %self.upstream.name(), "an answer came that nobody waits for");
                return;
            }
        };
        let is_wanted = match asker {
            Some(Asker::Waiting(waiting)) => {
                if let (Some(task), Some(begins)) = (&task, &waiting.begins) {
                    let progress = id.zip(waiting.progress.clone());
                    let begun =
                        self.hub.tasks.began(self.upstream.name(), task.clone(), begins.clone(), progress);
                    reply.announcing = Some(begun);
                }
                waiting.end(Ok(reply))
            }
            _ => false,
        };
        if let Some(task) = task.filter(|_| !is_wanted) {
            self.hub.tasks.ended(self.upstream.name(), &task);
            self.link.cancel_task(&self.upstream, &task);
        }
    }

    async fn hand_on(&self, note: Note) {
        self.upstream.accepted.fetch_add(1, Ordering::Relaxed);
        if self.notes.send(note).await.is_err() {
            // Nobody is left to pass anything on; answers must not wait for it.
            self.upstream.emitted.send_modify(|count| *count += 1);
        }
    }

    /// What the gateway itself answers to a request of the server; `None` for those that go to the client.
    fn refusal(&self, request: &Request) -> Option<String> {
        if request.method == "ping" {
            return Some(errors::empty_result(&request.id));
        }
        let hello = self.hub.hello();
        if !hello.is_some_and(|hello| asks::is_offered(&hello.abilities, &request.method)) {
            let text = "the client does not have this method";
            return Some(errors::error(&request.id, Code::MethodNotFound, text));
        }
        let text = "the client is not ready: wait for `notifications/initialized`";
        (!self.link.is_introduced()).then(|| errors::error(&request.id, Code::InvalidRequest, text))
    }

    /// The client's own name for the progress of a request that is open; `None` when there is none.
    fn progress(&self, message: &Message, note: &Notification) -> Option<Edit> {
        let token = message.find(note.params?, &["progressToken"])?;
        let raw = RawId::from_raw(&message.raw(token)).ok()?;
        let number = raw.as_str().trim_matches('"').parse().ok()?;
        let progress = self.link.pending.progress(number);
        let progress = progress.or_else(|| self.hub.tasks.progress(self.upstream.name(), number))?;
        Some(message.replaced(token, progress.as_str()))
    }

    /// A message that cannot be read ends the request that it answers; a request among them is answered.
    fn refuse(&mut self, unreadable: Unreadable) {
        let (id, has_method) = match unreadable {
            Unreadable::NotJson { id, has_method } => (id, has_method),
            Unreadable::Invalid(invalid) => (invalid.id, invalid.has_method),
        };
        if !has_method {
            self.fail(id.as_ref(), CallError::Unreadable);
        } else if let Some(id) = id {
            let text = errors::error(&id, Code::InvalidRequest, "the message cannot be read");
            self.link.reply(text, &self.upstream);
        }
    }

    fn fail(&self, id: Option<&RawId>, error: CallError) {
        let settled = id.and_then(RawId::number).is_some_and(|id| self.link.pending.fail(id, error));
        tracing::warn!(
            upstream.name = %self.upstream.name(),
            %error,
            request.ended = settled,
            "a message of the server was thrown away"
        );
    }
}

/// The id of the task that an answer says the request has become.
fn begun_task(message: &Message) -> Option<String> {
    let Envelope::Response(response) = &message.envelope else { return None };
    let Outcome::Result(result) = response.outcome else { return None };
    let id = cloakgate_mcp::begun_task(&message.document, &message.bytes, result)?;
    message.text(id).map(std::borrow::Cow::into_owned)
}
