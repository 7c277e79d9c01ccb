//! Reads what the client says and sees to it that every request is answered.
//!
//! In: the client's lines. Out: tasks that answer requests; notifications for servers. Invariant: each request has one
//! task and ends in one answer, unless the client called it off; `ping` is answered from here, whatever the tasks
//! do; what comes before the handshake is done waits its turn. Reading pauses while too much is under way, which
//! the deadlines of requests end. Not here: carrying out requests.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use cloakgate_cloak::{Cloaked, ExactReason, Restored};
use cloakgate_json::NodeId;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Part, RawId, Request};
use cloakgate_wire::{Frame, FrameReader};
use tokio::io::AsyncRead;
use tokio::task::{AbortHandle, Id as TaskId, JoinError, JoinSet};
use tokio::time::Instant;

use crate::failure::Failure;
use crate::initialize::initialize;
use crate::message::{Message, Unreadable};
use crate::passage::{Passage, duplicate_key};
use crate::request::answer;
use crate::session::{Call, Session, Target};

/// Requests of the client that may be under way.
pub(crate) const MAX_IN_FLIGHT: usize = 4096;
/// Bytes of requests that may be under way or wait for the handshake.
const MAX_IN_FLIGHT_BYTES: usize = 256 << 20;
/// Messages that may wait for the handshake.
pub(crate) const MAX_HELD: usize = 1024;
/// How long what is under way may take once the client has closed its end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

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
    /// The handshake has ended, with or without servers.
    Initialized {
        serving: bool,
    },
}

/// A request that is being answered.
struct Flight {
    id: RawId,
    task: AbortHandle,
    target: Target,
    method: String,
    bytes: usize,
}

/// The client's end of a session.
pub(crate) struct Client {
    session: Arc<Session>,
    stage: Stage,
    held: VecDeque<Message>,
    held_bytes: usize, // sum over held
    tasks: JoinSet<Done>,
    flights: HashMap<TaskId, Flight>,
    // The newest request with each id: a client may use one again, and its last answer may just have left.
    newest: HashMap<RawId, TaskId>,
    bytes: usize, // sum over flights
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
            held: VecDeque::new(),
            held_bytes: 0,
            tasks: JoinSet::new(),
            flights: HashMap::new(),
            newest: HashMap::new(),
            bytes: 0,
            garbage: 0,
        }
    }

    /// Serves until the client closes its end and has its answers, or until there is nobody to serve it.
    pub(crate) async fn run<R: AsyncRead + Unpin>(
        mut self,
        mut reader: FrameReader<R>,
        mut initialized: impl FnMut(),
    ) -> io::Result<End> {
        let mut deadline: Option<Instant> = None;
        loop {
            if self.stage == Stage::Failed {
                return Ok(End::NoUpstream);
            }
            if deadline.is_some() && self.tasks.is_empty() {
                return Ok(End::Served);
            }
            tokio::select! {
                Some(done) = self.tasks.join_next_with_id(), if !self.tasks.is_empty() => {
                    if let Some(serving) = self.finished(done).await {
                        self.settle(serving).await;
                        initialized();
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
        self.flights.len() < MAX_IN_FLIGHT
            && self.held.len() < MAX_HELD
            && self.bytes.saturating_add(self.held_bytes) < MAX_IN_FLIGHT_BYTES
    }

    async fn say(&self, text: String) {
        self.session.outbox.send(Cloaked::authored(text)).await;
    }

    async fn hear(&mut self, frame: Frame) {
        match frame {
            Frame::Message(bytes) => match Message::read(bytes).await {
                Ok(message) => self.take(message).await,
                Err(unreadable) => self.refuse(unreadable).await,
            },
            Frame::Oversized { id } => {
                let id = id.and_then(|raw| RawId::from_raw(&raw).ok()).unwrap_or_else(RawId::null);
                let max = self.session.settings.max_message_bytes;
                let text = format!("the message is longer than {max} bytes");
                self.say(errors::error(&id, Code::InvalidRequest, &text)).await;
            }
            Frame::Garbage => {
                self.garbage += 1;
                if self.garbage == 1 {
                    tracing::warn!("the client sends lines that are no messages");
                }
                self.say(errors::error(&RawId::null(), Code::Parse, "the line is no JSON object")).await;
            }
        }
    }

    async fn refuse(&mut self, unreadable: Unreadable) {
        let (id, code, text) = match unreadable {
            Unreadable::NotJson { id, .. } => (id, Code::Parse, "the message is no valid JSON".to_owned()),
            Unreadable::Invalid(invalid) => (invalid.id.clone(), Code::InvalidRequest, invalid.to_string()),
        };
        self.say(errors::error(&id.unwrap_or_else(RawId::null), code, &text)).await;
    }

    /// Takes a message, in the order in which they came.
    async fn take(&mut self, message: Message) {
        match &message.envelope {
            Envelope::Request(request) if request.method == "ping" => {
                let pong = Cloaked::authored(errors::empty_result(&request.id));
                self.session.outbox.send_first(pong).await;
            }
            Envelope::Notification(note) if note.method == "notifications/cancelled" => {
                self.call_off(message);
            }
            _ if self.stage == Stage::Initializing => {
                self.held_bytes += message.bytes.len();
                self.held.push_back(message);
            }
            Envelope::Request(request) => {
                let request = request.clone();
                self.request(request, message).await;
            }
            Envelope::Notification(note) => {
                let method = note.method.clone();
                self.notification(&method, &message).await;
            }
            Envelope::Response(_) => tracing::debug!("the client answered a question that nobody asked"),
        }
    }

    async fn request(&mut self, request: Request, message: Message) {
        let refusal = if self.is_ambiguous(&message, &request) {
            Some(duplicate_key())
        } else {
            match (self.stage, request.method == "initialize") {
                (Stage::New, true) | (Stage::Serving, false) => None,
                (Stage::Serving, true) => {
                    Some(Failure::new(Code::InvalidRequest, "the session is initialized already"))
                }
                _ => Some(Failure::new(Code::InvalidRequest, "send `initialize` first")),
            }
        };
        if let Some(refusal) = refusal {
            self.session.outbox.send(refusal.into_message(&request.id, "")).await;
            return;
        }
        self.start(request, message);
    }

    /// Whether a key stands twice where that would change what the request is, or anywhere if it may be cloaked.
    fn is_ambiguous(&self, message: &Message, request: &Request) -> bool {
        let routing = [request.params, request.params.and_then(|params| message.find(params, &["ref"]))];
        message.document.duplicates().iter().any(|pair| {
            let parent = message.document.parent(pair.again);
            self.session.settings.sanitize || parent == Some(NodeId::ROOT) || routing.contains(&parent)
        })
    }

    fn start(&mut self, request: Request, message: Message) {
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
            target: target.clone(),
            turn,
        };
        let session = Arc::clone(&self.session);
        let task = if method == "initialize" {
            self.stage = Stage::Initializing;
            self.tasks.spawn(async move {
                let outcome = initialize(&session, &call).await;
                let serving = outcome.is_ok();
                let message = outcome.unwrap_or_else(|failure| failure.into_message(&call.id, &call.method));
                session.outbox.send(message).await;
                Done::Initialized { serving }
            })
        } else {
            self.tasks.spawn(async move {
                let message = answer(&session, call).await;
                session.outbox.send(message).await;
                Done::Finished
            })
        };
        self.bytes += bytes;
        self.newest.insert(id.clone(), task.id());
        self.flights.insert(task.id(), Flight { id, task, target, method, bytes });
    }

    fn remove(&mut self, task: TaskId) -> Option<Flight> {
        let flight = self.flights.remove(&task)?;
        if self.newest.get(&flight.id) == Some(&task) {
            self.newest.remove(&flight.id);
        }
        self.bytes = self.bytes.saturating_sub(flight.bytes);
        Some(flight)
    }

    /// Notes the end of a task. Gives whether there are servers, when it was the handshake that ended.
    async fn finished(&mut self, done: Result<(TaskId, Done), JoinError>) -> Option<bool> {
        let (task, done) = match done {
            Ok((task, done)) => (task, Ok(done)),
            Err(error) => (error.id(), Err(error)),
        };
        let flight = self.remove(task);
        match done {
            Ok(Done::Finished) => None,
            Ok(Done::Initialized { serving }) => Some(serving),
            Err(error) => {
                // A task that was called off is no longer among the flights.
                let flight = flight?;
                tracing::error!(panicked = error.is_panic(), "a request could not be carried out");
                self.say(errors::error(&flight.id, Code::Internal, "the request could not be carried out"))
                    .await;
                (flight.method == "initialize").then_some(false)
            }
        }
    }

    /// Goes on after the handshake, with what was held meanwhile.
    async fn settle(&mut self, serving: bool) {
        self.stage = if serving { Stage::Serving } else { Stage::Failed };
        self.held_bytes = 0;
        for message in std::mem::take(&mut self.held) {
            self.take(message).await;
        }
    }

    async fn notification(&self, method: &str, message: &Message) {
        match method {
            "notifications/initialized" | "notifications/roots/list_changed"
                if self.stage == Stage::Serving =>
            {
                for upstream in self.session.serving() {
                    // It says nothing but its method.
                    let Ok(note) = Restored::exact(&message.bytes, Vec::new(), ExactReason::Contract) else {
                        continue;
                    };
                    if upstream.post(note).await.is_err() {
                        tracing::debug!(upstream.name = %upstream.name(), "the server has stopped");
                    }
                }
            }
            _ => tracing::debug!("a notification of the client has no receiver"),
        }
    }

    /// Calls a request off: it is not answered any more, and its server is told.
    fn call_off(&mut self, message: Message) {
        // Which of two ids a server would read is unknown.
        let node = message.find(NodeId::ROOT, &["params", "requestId"]);
        let Some(node) = node.filter(|_| message.document.duplicates().is_empty()) else { return };
        let Ok(id) = RawId::from_raw(&message.raw(node)) else { return };
        let is_it = |held: &Message| matches!(&held.envelope, Envelope::Request(request) if request.id == id);
        if let Some(place) = self.held.iter().position(is_it) {
            let bytes = self.held.remove(place).map_or(0, |held| held.bytes.len());
            self.held_bytes = self.held_bytes.saturating_sub(bytes);
            return;
        }
        let Some(task) = self.newest.get(&id).copied() else { return };
        // The protocol forbids to call off the handshake.
        if self.flights.get(&task).is_none_or(|flight| flight.method == "initialize") {
            return;
        }
        let Some(flight) = self.remove(task) else { return };
        let target = flight.target.take().filter(|(upstream, number)| upstream.forget(*number));
        flight.task.abort();
        let Some((upstream, number)) = target else { return };
        let session = Arc::clone(&self.session);
        self.tasks.spawn(async move {
            let edit = message.replaced(node, number.to_string());
            let passage = Passage::of("notifications/cancelled", Part::Notification).with_edits([edit]);
            let note = session.cloaker.up(&upstream, message, passage).await;
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
