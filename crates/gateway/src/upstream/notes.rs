//! Passes on what servers say and ask unasked.
//!
//! In: a server's notifications and requests, in order. Out: cloaked messages for the client, in the same order, and a
//! count of those that were dealt with. Invariant: the count rises for every one, passed on or not, after it has left;
//! so an answer that waits for the count is never overtaken by what came before it, and never waits for ever. A
//! request that cannot be asked, or whose time is over, is answered with an error. Not here: deciding what a
//! position gets.

use std::sync::Arc;

use cloakgate_cloak::Cloaked;
use cloakgate_json::{Edit, Kind, NodeId};
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Part, RawId, Request, is_terminal, task_ids};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Link, Upstream};
use crate::asks::{self, Ask};
use crate::changes::Kind as Changed;
use crate::config::PersonText;
use crate::hub::Hub;
use crate::mailbox::Hold;
use crate::message::Message;
use crate::passage::{Passage, Reader};
use crate::task_asks;

/// What a server says on its own.
#[derive(Debug)]
pub(super) enum Note {
    /// A notification.
    Said {
        message: Message,
        /// What changes in it whatever is found.
        edit: Option<Edit>,
        /// Where it came from, if it may call off a request of the server.
        link: Option<Arc<Link>>,
        /// Keeps the server waiting once too much is under way.
        _room: Option<Hold>,
    },
    /// A request.
    Asked { message: Message, link: Arc<Link>, _room: Option<Hold> },
    /// The connection has ended, and nothing of it follows.
    Ended(Arc<Link>),
}

/// Passes everything on until nobody is left to say anything.
pub(super) async fn emit(hub: Arc<Hub>, upstream: Arc<Upstream>, mut notes: mpsc::Receiver<Note>) {
    loop {
        let overdue = hub.asks.next_deadline(&upstream);
        let note = tokio::select! {
            note = notes.recv() => note,
            () = until(overdue) => {
                end_overdue(&hub, &upstream).await;
                continue;
            }
        };
        let Some(note) = note else { return };
        // A task of its own, so that a fault in one message costs that one alone. It ends with this one.
        let mut task = JoinSet::new();
        let (passing, from) = (Arc::clone(&hub), Arc::clone(&upstream));
        task.spawn(async move { pass_on(&passing, &from, note).await });
        if let Some(Err(error)) = task.join_next().await {
            tracing::error!(panicked = error.is_panic(), "a message of a server was not passed on");
        }
        upstream.emitted.send_modify(|count| *count += 1);
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

async fn pass_on(hub: &Hub, upstream: &Arc<Upstream>, note: Note) {
    match note {
        Note::Said { message, edit, link, _room } => {
            tasks_announced(hub, upstream, &message).await;
            said(hub, upstream, message, edit, link).await;
        }
        Note::Asked { message, link, _room } => {
            tasks_announced(hub, upstream, &message).await;
            asked(hub, upstream, message, link).await;
        }
        Note::Ended(link) => {
            for ask in hub.asks.take_all(&link) {
                call_off(hub, ask).await;
            }
        }
    }
}

/// Waits until the client has been told of the tasks that a message speaks of. Their requests wait for nothing that
/// comes after their answers, and so not for this message.
async fn tasks_announced(hub: &Hub, upstream: &Upstream, message: &Message) {
    let (method, part) = match &message.envelope {
        Envelope::Request(request) => (&request.method, Part::Params),
        Envelope::Notification(note) => (&note.method, Part::Notification),
        Envelope::Response(_) => return,
    };
    for node in task_ids(&message.document, &message.bytes, method, part) {
        if let Some(id) = message.text(node) {
            hub.tasks.announced(upstream.name(), &id).await;
        }
    }
}

async fn said(hub: &Hub, upstream: &Upstream, message: Message, edit: Option<Edit>, link: Option<Arc<Link>>) {
    let Envelope::Notification(notification) = &message.envelope else { return };
    let method = notification.method.clone();
    let mut edit = edit;
    match method.as_str() {
        "notifications/cancelled" => {
            let Some(link) = link else { return };
            let Some(called_off) = called_off(hub, upstream, &message, &link).await else { return };
            edit = Some(called_off);
        }
        "notifications/tasks/status" if !note_status(hub, upstream, &message) => {
            return tracing::debug!(upstream.name = %upstream.name(), "the state of a task that nobody has begun");
        }
        // Told to the client in a while, together with what others say of their lists.
        "notifications/tools/list_changed" => {
            upstream.tools.forget();
            return hub.changes.mark(Changed::Tools);
        }
        "notifications/prompts/list_changed" => {
            upstream.prompts.forget();
            return hub.changes.mark(Changed::Prompts);
        }
        "notifications/resources/list_changed" => {
            upstream.uris.list_again();
            return hub.changes.mark(Changed::Resources);
        }
        _ => {}
    }
    let tool = tool_of(hub, upstream, &message);
    let passage = Passage::of(&method, Part::Notification).with_edits(edit).of_tool(tool.as_deref());
    match hub.cloaker.down(upstream, message, passage).await {
        Ok(message) => hub.outbox.send(message).await,
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "a notification was not passed on");
        }
    }
}

/// The tool that began the task whose state a message tells.
fn tool_of(hub: &Hub, upstream: &Upstream, message: &Message) -> Option<String> {
    let id = message.text_at(NodeId::ROOT, &["params", "taskId"])?;
    hub.tasks.origin(upstream.name(), &id)?.1
}

/// Notes where a task has ended. False when the client knows no such task.
fn note_status(hub: &Hub, upstream: &Upstream, message: &Message) -> bool {
    let Some(id) = message.text_at(NodeId::ROOT, &["params", "taskId"]) else { return false };
    if message.text_at(NodeId::ROOT, &["params", "status"]).is_some_and(|status| is_terminal(&status)) {
        hub.tasks.ended(upstream.name(), &id);
    }
    hub.tasks.for_client(upstream, &id).is_some()
}

/// The edit that names, for the client, the request that the server calls off; `None` when there is none that waits.
/// Of one that is run as a task the task is cancelled instead, as soon as it is known.
async fn called_off(hub: &Hub, upstream: &Upstream, message: &Message, link: &Arc<Link>) -> Option<Edit> {
    // Which of two ids is meant is unknown.
    let node = message.find(NodeId::ROOT, &["params", "requestId"])?;
    if !message.document.duplicates().is_empty() {
        return None;
    }
    let id = RawId::from_raw(&message.raw(node)).ok()?;
    match hub.asks.take_by_id(link, &id) {
        Some(ask) if ask.wants_task => hub.asks.keep_called_off(ask),
        Some(ask) => return Some(message.replaced(node, asks::id_text(ask.number))),
        None => {
            if let Some(task) = hub.tasks.begun_at_client(upstream.name(), &id) {
                task_asks::cancel(hub, &task).await;
            }
        }
    }
    None
}

/// Asks the client what a server wants to know.
async fn asked(hub: &Hub, upstream: &Arc<Upstream>, message: Message, link: Arc<Link>) {
    let Envelope::Request(Request { id, id_node, method, params }) = &message.envelope else { return };
    let (id, id_node, method) = (id.clone(), *id_node, method.clone());
    let token = params.and_then(|params| message.find(params, &["_meta", "progressToken"]));
    let progress = token.and_then(|node| Some((node, RawId::from_raw(&message.raw(node)).ok()?)));
    let refuse = |code, text: &str| link.reply(errors::error(&id, code, text), upstream);
    let way = match task_asks::way(hub, upstream, &message, (&method, *params)) {
        Ok(way) => way,
        Err(failure) => return refuse(Code::InvalidParams, &failure.to_string()),
    };
    let ask = Ask {
        upstream: Arc::clone(upstream),
        link: Arc::clone(&link),
        id: id.clone(),
        method: way.answered_as,
        wants_task: wants_task(hub, &message, (&method, *params)),
        called_off: false,
        number: 0,
        progress: progress.as_ref().map(|(_, token)| token.clone()),
        deadline: Instant::now() + upstream.terms.call_timeout,
    };
    let number = match hub.asks.open(ask) {
        Ok(number) => number,
        Err(error) => return refuse(Code::InvalidRequest, &error.to_string()),
    };
    let mut edits = vec![message.replaced(id_node, asks::id_text(number))];
    edits.extend(progress.map(|(node, token)| message.replaced(node, asks::progress_text(number, &token))));
    let for_person = method == "elicitation/create" && hub.settings.person_text == PersonText::Real;
    let reader = if for_person { Reader::Person } else { Reader::Model };
    let (cursor, edit) = way.cursor.unzip();
    edits.extend(edit);
    let passage = Passage::of(&method, Part::Params).with_edits(edits).leaving_out(&message, cursor);
    let passage = passage.read_by(reader);
    match hub.cloaker.down(upstream, message, passage).await {
        // Its end stands behind it in the queue, so what is sent here is called off later, never earlier.
        Ok(message) if hub.asks.is_open(number) => hub.outbox.send(message).await,
        Ok(_) => {}
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "a request of the server was not passed on");
            if hub.asks.take(number).is_some() {
                refuse(Code::Internal, "the request could not be cloaked");
            }
        }
    }
}

/// Whether the client runs a request as a task.
fn wants_task(hub: &Hub, message: &Message, (method, params): (&str, Option<NodeId>)) -> bool {
    let task = params.and_then(|params| message.find(params, &["task"]));
    task.is_some_and(|node| message.document.kind(node) == Kind::Object)
        && hub.hello().is_some_and(|hello| hello.abilities.runs_as_task(method))
}

/// Ends the requests that the client has not answered in time.
async fn end_overdue(hub: &Hub, upstream: &Upstream) {
    for ask in hub.asks.take_overdue(upstream, Instant::now()) {
        if ask.called_off {
            continue;
        }
        ask.link.reply(errors::error(&ask.id, Code::Internal, "the client did not answer in time"), upstream);
        call_off(hub, ask).await;
    }
}

/// Tells the client that an answer is no longer wanted; of a task, once it is known.
async fn call_off(hub: &Hub, ask: Ask) {
    if ask.wants_task {
        return hub.asks.keep_called_off(ask);
    }
    let id = asks::id_text(ask.number);
    let text =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    hub.outbox.send(Cloaked::authored(text)).await;
}
