//! Reads what the client says and sees to it that every request is answered.
//!
//! In: the client's lines. Out: tasks that answer requests; answers and notifications for servers. Invariant: each
//! request has one task and ends in one answer, unless the client called it off; `ping` is answered from here,
//! whatever the tasks do; what comes before the handshake is done waits its turn. Reading pauses while too much is
//! under way, which the deadlines of requests end. A batch, in the one revision that has them, is taken as its
//! messages. Not here: carrying out requests.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, Restored};
use cloakgate_json::NodeId;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, InvalidReason, Part, RawId, Request, Revision};
use cloakgate_wire::{Frame, FrameReader};
use tokio::io::AsyncRead;
use tokio::task::{AbortHandle, Id as TaskId, JoinError, JoinSet};
use tokio::time::Instant;

use crate::answers;
use crate::batch::{self, Desk, MAX_BATCH};
use crate::failure::Failure;
use crate::initialize::initialize;
use crate::message::{self, Message, Unreadable};
use crate::passage::{Passage, duplicate_key};
use crate::request::answer;
use crate::session::{Call, Session, Target};
use crate::task_asks;

/// Requests of the client that may be under way.
pub(crate) const MAX_IN_FLIGHT: usize = 4096;
/// Bytes of requests that may be under way or wait for the handshake.
const MAX_IN_FLIGHT_BYTES: usize = 256 << 20;
/// Messages that may wait for the handshake.
pub(crate) const MAX_HELD: usize = 1024;
/// How long what is under way may take once the client has closed its end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client that cannot be served is listened to.
const LINGER: Duration = Duration::from_millis(200);

/// How far the session is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stage {
    New,
    Initializing,
    Serving,
    Failed,
}

/// What a task has done.
enum Done {
    Finished,
    /// The handshake has ended, with the version that was agreed on, or without servers.
    Initialized {
        version: Option<String>,
    },
}

/// What waits for the handshake.
enum Held {
    Message(Message),
    Batch(Bytes),
}

impl Held {
    fn len(&self) -> usize {
        match self {
            Self::Message(message) => message.bytes.len(),
            Self::Batch(bytes) => bytes.len(),
        }
    }
}

/// A request that is being answered.
struct Flight {
    id: RawId,
    task: AbortHandle,
    target: Target,
    method: String,
    desk: Desk,
}

/// The client's end of a session.
pub(crate) struct Client {
    session: Arc<Session>,
    stage: Stage,
    takes_batches: bool,
    held: VecDeque<Held>,
    held_bytes: usize, // sum over held
    tasks: JoinSet<Done>,
    weights: HashMap<TaskId, usize>, // bytes of messages that tasks hold
    flights: HashMap<TaskId, Flight>,
    // The newest request with each id: a client may use one again, and its last answer may just have left.
    newest: HashMap<RawId, TaskId>,
    bytes: usize, // sum over weights
    garbage: u64,
}

/// Whether the session had servers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    Served,
    NoUpstream,
}

impl Client {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        Self {
            session,
            stage: Stage::New,
            takes_batches: false,
            held: VecDeque::new(),
            held_bytes: 0,
            tasks: JoinSet::new(),
            weights: HashMap::new(),
            flights: HashMap::new(),
            newest: HashMap::new(),
            bytes: 0,
            garbage: 0,
        }
    }

    /// Serves until the client closes its end and has its answers, or until there is nobody to serve it.
    pub(crate) async fn run<R: AsyncRead + Unpin>(mut self, mut reader: FrameReader<R>) -> io::Result<End> {
        let mut deadline: Option<Instant> = None;
        loop {
            if self.stage == Stage::Failed {
                // The client may be about to say that it is ready, and should read our answer, not a broken pipe.
                let listening = async { while let Ok(Some(_)) = reader.next().await {} };
                let _left = tokio::time::timeout(LINGER, listening).await;
                return Ok(End::NoUpstream);
            }
            if deadline.is_some() && self.tasks.is_empty() {
                return Ok(End::Served);
            }
            tokio::select! {
                Some(done) = self.tasks.join_next_with_id(), if !self.tasks.is_empty() => {
                    if let Some(version) = self.finished(done).await {
                        self.settle(version).await;
                        deadline = deadline.map(|_| Instant::now() + DRAIN_TIMEOUT);
                    }
                }
                frame = reader.next(), if deadline.is_none() && self.has_room() => match frame? {
                    Some(frame) => self.hear(frame).await,
                    None => deadline = Some(Instant::now() + DRAIN_TIMEOUT),
                },
                // What waits for the handshake has its time after it; the handshake has its own limits.
                () = until(deadline), if self.held.is_empty() => {
                    tracing::warn!(requests = self.flights.len(), "the client left without its answers");
                    return Ok(End::Served);
                }
            }
        }
    }

    fn has_room(&self) -> bool {
        self.weights.len() < MAX_IN_FLIGHT
            && self.held.len() < MAX_HELD
            && self.bytes.saturating_add(self.held_bytes) < MAX_IN_FLIGHT_BYTES
    }

    fn desk(&self) -> Desk {
        Desk::Single(self.session.hub.outbox.clone())
    }

    async fn say(&self, desk: &Desk, id: Option<RawId>, code: Code, text: &str) {
        let id = id.unwrap_or_else(RawId::null);
        desk.answer(&id, Cloaked::authored(errors::error(&id, code, text))).await;
    }

    async fn hear(&mut self, frame: Frame) {
        let desk = self.desk();
        match frame {
            Frame::Message(bytes) => match Message::read(bytes.clone()).await {
                Ok(message) => self.take(message, &desk).await,
                Err(Unreadable::Invalid(invalid)) if invalid.why == InvalidReason::Batch => {
                    self.take_batch(bytes).await;
                }
                Err(unreadable) => self.refuse(unreadable, &desk).await,
            },
            Frame::Oversized { id, has_method } => {
                let id = id.and_then(|raw| RawId::from_raw(&raw).ok());
                if !has_method && self.fail_ask(id.as_ref()) {
                    return;
                }
                let max = self.session.hub.settings.max_message_bytes;
                let text = format!("the message is longer than {max} bytes");
                self.say(&desk, id, Code::InvalidRequest, &text).await;
            }
            Frame::Garbage => {
                self.garbage += 1;
                if self.garbage == 1 {
                    tracing::warn!("the client sends lines that are no messages");
                }
                self.say(&desk, None, Code::Parse, "the line is no JSON object").await;
            }
        }
    }

    async fn refuse(&mut self, unreadable: Unreadable, desk: &Desk) {
        let (id, has_method, code, text) = match unreadable {
            Unreadable::NotJson { id, has_method } => {
                (id, has_method, Code::Parse, "the message is no valid JSON".to_owned())
            }
            Unreadable::Invalid(invalid) => {
                let text = invalid.to_string();
                (invalid.id, invalid.has_method, Code::InvalidRequest, text)
            }
        };
        if has_method || !self.fail_ask(id.as_ref()) {
            self.say(desk, id, code, &text).await;
        }
    }

    /// Ends the request of a server that an unreadable message answers. False when it answers none.
    fn fail_ask(&mut self, id: Option<&RawId>) -> bool {
        let Some(ask) = id.and_then(|id| answers::ask_of(&self.session.hub, id)) else { return false };
        self.spawn(0, async move {
            answers::fail(&ask, "the client's answer cannot be read").await;
            Done::Finished
        });
        true
    }

    /// Takes a batch as its messages. Their answers leave together.
    async fn take_batch(&mut self, bytes: Bytes) {
        if self.stage == Stage::Initializing {
            self.held_bytes += bytes.len();
            self.held.push_back(Held::Batch(bytes));
            return;
        }
        let refusal =
            |text: &str| Cloaked::authored(errors::error(&RawId::null(), Code::InvalidRequest, text));
        if !self.takes_batches {
            return self.session.hub.outbox.send(refusal(&InvalidReason::Batch.to_string())).await;
        }
        let parts = message::parts(bytes).await;
        if parts.is_empty() || parts.len() > MAX_BATCH {
            let text = format!("a batch must have 1 to {MAX_BATCH} messages");
            return self.session.hub.outbox.send(refusal(&text)).await;
        }
        let (desk, gatherer) = batch::desk();
        for part in parts {
            match Message::read(part).await {
                Ok(message) => self.take(message, &desk).await,
                Err(unreadable) => self.refuse(unreadable, &desk).await,
            }
        }
        let session = Arc::clone(&self.session);
        self.spawn(0, async move {
            if let Some(answer) = gatherer.gathered(session.hub.settings.max_message_bytes).await {
                session.hub.outbox.send(answer).await;
            }
            Done::Finished
        });
    }

    /// Takes a message, in the order in which they came.
    async fn take(&mut self, message: Message, desk: &Desk) {
        match &message.envelope {
            Envelope::Request(request) if request.method == "ping" => {
                let pong = Cloaked::authored(errors::empty_result(&request.id));
                desk.answer_first(&request.id, pong).await;
            }
            Envelope::Notification(note) if note.method == "notifications/cancelled" => {
                self.call_off(message);
            }
            _ if self.stage == Stage::Initializing => {
                self.held_bytes += message.bytes.len();
                self.held.push_back(Held::Message(message));
            }
            Envelope::Request(request) => {
                let request = request.clone();
                self.request(request, message, desk).await;
            }
            Envelope::Notification(note) => {
                let method = note.method.clone();
                self.notification(&method, message).await;
            }
            Envelope::Response(response) => match answers::ask_of(&self.session.hub, &response.id) {
                Some(ask) => {
                    let session = Arc::clone(&self.session);
                    self.spawn(message.bytes.len(), async move {
                        answers::deliver(&session.hub, ask, message).await;
                        Done::Finished
                    });
                }
                None => tracing::debug!("the client answered a question that nobody asks any more"),
            },
        }
    }

    /// Starts a task that holds a message of so many bytes.
    fn spawn(&mut self, bytes: usize, work: impl Future<Output = Done> + Send + 'static) -> AbortHandle {
        let task = self.tasks.spawn(work);
        self.weights.insert(task.id(), bytes);
        self.bytes += bytes;
        task
    }

    async fn request(&mut self, request: Request, message: Message, desk: &Desk) {
        let refusal = if self.is_ambiguous(&message, &request) {
            Some(duplicate_key())
        } else {
            match (self.stage, request.method == "initialize") {
                (_, true) if matches!(desk, Desk::Batch(_)) => {
                    Some(Failure::new(Code::InvalidRequest, "`initialize` may not be part of a batch"))
                }
                (Stage::New, true) | (Stage::Serving, false) => None,
                (Stage::Serving, true) => {
                    Some(Failure::new(Code::InvalidRequest, "the session is initialized already"))
                }
                _ => Some(Failure::new(Code::InvalidRequest, "send `initialize` first")),
            }
        };
        if let Some(refusal) = refusal {
            desk.answer(&request.id, refusal.into_message(&request.id, "")).await;
            return;
        }
        self.start(request, message, desk.clone());
    }

    /// Whether a key stands twice where that would change what the request is, or anywhere if it may be cloaked.
    fn is_ambiguous(&self, message: &Message, request: &Request) -> bool {
        let routing = [request.params, request.params.and_then(|params| message.find(params, &["ref"]))];
        message.document.duplicates().iter().any(|pair| {
            let parent = message.document.parent(pair.again);
            self.session.hub.settings.sanitize || parent == Some(NodeId::ROOT) || routing.contains(&parent)
        })
    }

    fn start(&mut self, request: Request, message: Message, desk: Desk) {
        let Request { id, id_node, method, params } = request;
        let turn = match method.as_str() {
            "tools/call" | "prompts/get" => params
                .and_then(|params| message.text_at(params, &["name"]))
                .and_then(|name| self.session.owner(&name).ok())
                .map(|upstream| upstream.turns.take()),
            _ => None,
        };
        let (target, bytes) = (Target::default(), message.bytes.len());
        let call = Call {
            message,
            id: id.clone(),
            id_node,
            method: method.clone(),
            params,
            tool: None,
            task: None,
            announcing: None,
            target: target.clone(),
            turn,
        };
        let (session, answers) = (Arc::clone(&self.session), desk.clone());
        let task = if method == "initialize" {
            self.stage = Stage::Initializing;
            self.spawn(bytes, async move {
                let (message, version) = match initialize(&session, &call).await {
                    Ok(initialized) => (initialized.answer, Some(initialized.version)),
                    Err(failure) => (failure.into_message(&call.id, &call.method), None),
                };
                answers.answer(&call.id, message).await;
                session.hub.set_answered();
                Done::Initialized { version }
            })
        } else {
            self.spawn(bytes, async move {
                let mut call = call;
                let message = answer(&session, &mut call).await;
                answers.answer(&call.id, message).await;
                Done::Finished
            })
        };
        self.newest.insert(id.clone(), task.id());
        self.flights.insert(task.id(), Flight { id, task, target, method, desk });
    }

    fn remove(&mut self, task: TaskId) -> Option<Flight> {
        let flight = self.flights.remove(&task)?;
        if self.newest.get(&flight.id) == Some(&task) {
            self.newest.remove(&flight.id);
        }
        Some(flight)
    }

    /// Notes the end of a task. When it was the handshake that ended, gives the version, or that there is none.
    async fn finished(&mut self, done: Result<(TaskId, Done), JoinError>) -> Option<Option<String>> {
        let (task, done) = match done {
            Ok((task, done)) => (task, Ok(done)),
            Err(error) => (error.id(), Err(error)),
        };
        let flight = self.remove(task);
        self.bytes = self.bytes.saturating_sub(self.weights.remove(&task).unwrap_or_default());
        match done {
            Ok(Done::Finished) => None,
            Ok(Done::Initialized { version }) => Some(version),
            Err(error) => {
                // A task that was called off is no longer among the flights.
                let flight = flight?;
                tracing::error!(panicked = error.is_panic(), "a request could not be carried out");
                let text = "the request could not be carried out";
                self.say(&flight.desk, Some(flight.id), Code::Internal, text).await;
                (flight.method == "initialize").then_some(None)
            }
        }
    }

    /// Goes on after the handshake, with what was held meanwhile.
    async fn settle(&mut self, version: Option<String>) {
        self.stage = if version.is_some() { Stage::Serving } else { Stage::Failed };
        self.takes_batches = version.is_some_and(|version| version == Revision::V2025_03_26.as_str());
        self.held_bytes = 0;
        let desk = self.desk();
        for held in std::mem::take(&mut self.held) {
            match held {
                Held::Message(message) => self.take(message, &desk).await,
                Held::Batch(bytes) => self.take_batch(bytes).await,
            }
        }
    }

    async fn notification(&mut self, method: &str, message: Message) {
        match method {
            "notifications/initialized" | "notifications/roots/list_changed"
                if self.stage == Stage::Serving =>
            {
                answers::broadcast(&self.session, method, &message).await;
            }
            "notifications/progress" if self.stage == Stage::Serving => {
                answers::progress(&self.session.hub, message).await;
            }
            "notifications/tasks/status" if self.stage == Stage::Serving => {
                task_asks::status(&self.session.hub, message).await;
            }
            _ => tracing::debug!("a notification of the client has no receiver"),
        }
    }

    /// Calls a request off: it is not answered any more, and its server is told. Of one that is run as a task, the
    /// task is cancelled instead, as soon as it is known.
    fn call_off(&mut self, message: Message) {
        // Which of two ids a server would read is unknown.
        let node = message.find(NodeId::ROOT, &["params", "requestId"]);
        let Some(node) = node.filter(|_| message.document.duplicates().is_empty()) else { return };
        let Ok(id) = RawId::from_raw(&message.raw(node)) else { return };
        let is_it = |held: &Held| match held {
            Held::Message(held) => matches!(&held.envelope, Envelope::Request(request) if request.id == id),
            Held::Batch(_) => false,
        };
        if let Some(place) = self.held.iter().position(is_it) {
            let bytes = self.held.remove(place).map_or(0, |held| held.len());
            self.held_bytes = self.held_bytes.saturating_sub(bytes);
            return;
        }
        let Some(task) = self.newest.get(&id).copied() else {
            return self.session.cancel_task_of(&id);
        };
        // The protocol forbids to call off the handshake.
        if self.flights.get(&task).is_none_or(|flight| flight.method == "initialize") {
            return;
        }
        let Some(flight) = self.remove(task) else { return };
        let target = flight.target.take();
        let forgotten = target.as_ref().and_then(|(upstream, number)| upstream.forget(*number));
        // Only then may the task learn that no answer comes: it would tell the client.
        flight.task.abort();
        let Some(((upstream, number), forgotten)) = target.zip(forgotten) else {
            return self.session.cancel_task_of(&id);
        };
        if forgotten.wants_task() {
            return;
        }
        let session = Arc::clone(&self.session);
        self.spawn(message.bytes.len(), async move {
            let edit = message.replaced(node, number.to_string());
            let passage = Passage::of("notifications/cancelled", Part::Notification).with_edits([edit]);
            let note = session.hub.cloaker.up(&upstream, message, passage).await;
            // Without its reason it still says what matters.
            let note = note.unwrap_or_else(|_| Restored::authored(errors::cancelled(number)));
            if upstream.post(note).await.is_err() {
                tracing::debug!(upstream.name = %upstream.name(), "the server has stopped");
            }
            Done::Finished
        });
    }
}

/// Waits for a deadline, or for ever.
async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
