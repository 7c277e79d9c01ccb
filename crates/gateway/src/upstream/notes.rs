//! Passes on what servers say and ask unasked.
//!
//! In: a server's notifications and requests, in order. Out: cloaked messages for the client, in the same order, and a
//! count of those that were dealt with. Invariant: the count rises for every one, passed on or not, after it has left;
//! so an answer that waits for the count is never overtaken by what came before it, and never waits for ever. A
//! request that cannot be asked, or whose time is over, is answered with an error. Not here: deciding what a
//! position gets.

use std::sync::Arc;

use cloakgate_cloak::Cloaked;
use cloakgate_json::{Edit, NodeId};
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Part, RawId, Request};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Link, Upstream};
use crate::asks::{self, Ask};
use crate::changes::Kind;
use crate::config::PersonText;
use crate::hub::Hub;
use crate::mailbox::Hold;
use crate::message::Message;
use crate::passage::{Passage, Reader};

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
        Note::Said { message, edit, link, _room } => said(hub, upstream, message, edit, link).await,
        Note::Asked { message, link, _room } => asked(hub, upstream, message, link).await,
        Note::Ended(link) => {
            for number in hub.asks.take_all(&link) {
                call_off(hub, number).await;
            }
        }
    }
}

async fn said(hub: &Hub, upstream: &Upstream, message: Message, edit: Option<Edit>, link: Option<Arc<Link>>) {
    let Envelope::Notification(notification) = &message.envelope else { return };
    let method = notification.method.clone();
    let mut edit = edit;
    match method.as_str() {
        "notifications/cancelled" => {
            let Some(called_off) = link.and_then(|link| called_off(hub, &message, &link)) else { return };
            edit = Some(called_off);
        }
        // Told to the client in a while, together with what others say of their lists.
        "notifications/tools/list_changed" => {
            upstream.tools.forget();
            return hub.changes.mark(Kind::Tools);
        }
        "notifications/prompts/list_changed" => {
            upstream.prompts.forget();
            return hub.changes.mark(Kind::Prompts);
        }
        "notifications/resources/list_changed" => {
            upstream.uris.list_again();
            return hub.changes.mark(Kind::Resources);
        }
        _ => {}
    }
    let passage = Passage::of(&method, Part::Notification).with_edits(edit);
    match hub.cloaker.down(upstream, message, passage).await {
        Ok(message) => hub.outbox.send(message).await,
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "a notification was not passed on");
        }
    }
}

/// The edit that names, for the client, the request that the server calls off; `None` when it is none.
fn called_off(hub: &Hub, message: &Message, link: &Arc<Link>) -> Option<Edit> {
    // Which of two ids is meant is unknown.
    let node = message.find(NodeId::ROOT, &["params", "requestId"])?;
    if !message.document.duplicates().is_empty() {
        return None;
    }
    let id = RawId::from_raw(&message.raw(node)).ok()?;
    let number = hub.asks.take_by_id(link, &id)?;
    Some(message.replaced(node, asks::id_text(number)))
}

/// Asks the client what a server wants to know.
async fn asked(hub: &Hub, upstream: &Arc<Upstream>, message: Message, link: Arc<Link>) {
    let Envelope::Request(Request { id, id_node, method, params }) = &message.envelope else { return };
    let (id, id_node, method) = (id.clone(), *id_node, method.clone());
    let token = params.and_then(|params| message.find(params, &["_meta", "progressToken"]));
    let progress = token.and_then(|node| Some((node, RawId::from_raw(&message.raw(node)).ok()?)));
    let refuse = |code, text: &str| link.reply(errors::error(&id, code, text), upstream);
    let ask = Ask {
        upstream: Arc::clone(upstream),
        link: Arc::clone(&link),
        id: id.clone(),
        method: method.clone(),
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
    let passage = Passage::of(&method, Part::Params).with_edits(edits).read_by(reader);
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

/// Ends the requests that the client has not answered in time.
async fn end_overdue(hub: &Hub, upstream: &Upstream) {
    for (number, ask) in hub.asks.take_overdue(upstream, Instant::now()) {
        ask.link.reply(errors::error(&ask.id, Code::Internal, "the client did not answer in time"), upstream);
        call_off(hub, number).await;
    }
}

/// Tells the client that an answer is no longer wanted.
async fn call_off(hub: &Hub, number: u64) {
    let id = asks::id_text(number);
    let text =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
    hub.outbox.send(Cloaked::authored(text)).await;
}
