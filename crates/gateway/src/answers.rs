//! What the client says to servers beside its requests: answers to what they asked, and notifications.
//!
//! In: answers and notifications of the client. Out: the same for the server that they are for, restored. Invariant: an
//! answer goes to the server that asked and to no other, through the same checkpoint as arguments; one that may not
//! go there becomes an error for the server, which never holds a token. Not here: asking.

use bytes::Bytes;
use cloakgate_cloak::{ExactReason, Restored};
use cloakgate_json::NodeId;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Outcome, Part, RawId, begun_task};

use crate::asks::{self, Ask};
use crate::hub::Hub;
use crate::message::Message;
use crate::passage::Passage;
use crate::session::Session;
use crate::task_asks;

/// Brings the client's answer to the server that asked.
pub(crate) async fn deliver(hub: &Hub, ask: Ask, message: Message) {
    let Envelope::Response(response) = &message.envelope else { return };
    let part = match response.outcome {
        Outcome::Result(_) => Part::Result,
        Outcome::Error(_) => Part::Error,
    };
    let begun = match response.outcome {
        Outcome::Result(result) if ask.wants_task => begun_task(&message.document, &message.bytes, result),
        _ => None,
    };
    let begun = begun.and_then(|node| message.text(node)).map(std::borrow::Cow::into_owned);
    if ask.called_off {
        if let Some(task) = begun {
            task_asks::cancel(hub, &task).await;
        }
        return;
    }
    if let Some(task) = &begun {
        hub.tasks.began_at_client(task.clone(), ask.clone());
    }
    let edit = message.replaced(response.id_node, ask.id.as_str());
    let answer = if part == Part::Result && ask.method == "tasks/list" {
        task_asks::list(hub, &ask, message).await
    } else {
        let passage = Passage::of(&ask.method, part).with_edits([edit]);
        hub.cloaker.up(&ask.upstream, message, passage).await
    };
    match answer {
        Ok(answer) => send(&ask, answer).await,
        Err(failure) => {
            let name = ask.upstream.name();
            tracing::warn!(upstream.name = %name, %failure, "the client's answer may not go to the server");
            fail(&ask, "the answer may not be passed on").await;
            // The server never hears of this task.
            if let Some(task) = begun {
                task_asks::cancel(hub, &task).await;
            }
        }
    }
}

/// Ends a server's request whose answer cannot be had.
pub(crate) async fn fail(ask: &Ask, text: &str) {
    if ask.called_off {
        return;
    }
    send(ask, Restored::authored(errors::error(&ask.id, Code::Internal, text))).await;
}

async fn send(ask: &Ask, answer: Restored<Bytes>) {
    if ask.link.post(answer).await.is_err() {
        tracing::debug!(upstream.name = %ask.upstream.name(), "the server has stopped");
    }
}

/// The request of a server that has this id, taken out.
pub(crate) fn ask_of(hub: &Hub, id: &RawId) -> Option<Ask> {
    hub.asks.take(asks::number_of(id)?)
}

/// Passes on that the client is ready, or that its roots have changed.
pub(crate) async fn broadcast(session: &Session, method: &str, message: &Message) {
    // It says nothing but its method.
    let Ok(note) = Restored::exact(&message.bytes, Vec::new(), ExactReason::Contract) else { return };
    let introduces = method == "notifications/initialized";
    if introduces {
        session.hub.set_initialized(note.clone());
    }
    for upstream in &session.upstreams {
        let Ok(link) = upstream.link() else { continue };
        let sent =
            if introduces { link.introduce(note.clone()).await } else { link.post(note.clone()).await };
        if sent.is_err() {
            tracing::debug!(upstream.name = %upstream.name(), "the server has stopped");
        }
    }
}

/// Passes on how far the client is with what a server asked.
pub(crate) async fn progress(hub: &Hub, message: Message) {
    let Some(node) = message.find(NodeId::ROOT, &["params", "progressToken"]) else { return };
    let token = RawId::from_raw(&message.raw(node)).ok();
    let asked = |token: RawId| hub.asks.by_progress(&token).or_else(|| hub.tasks.progress_at_client(&token));
    let Some(ask) = token.and_then(asked) else { return };
    let Some(original) = &ask.progress else { return };
    let edit = message.replaced(node, original.as_str());
    let passage = Passage::of("notifications/progress", Part::Notification).with_edits([edit]);
    if let Ok(note) = hub.cloaker.up(&ask.upstream, message, passage).await {
        send(&ask, note).await;
    }
}
