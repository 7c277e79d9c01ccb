//! What servers ask and hear about tasks that the client runs for them.
//!
//! In: `tasks/*` of servers, and what the client says of its tasks. Out: the same for the other side. Invariant: a server
//! hears of its own tasks and of no other's; a result is restored by the rules of the request that began the task.
//! Not here: tasks that servers run.

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, Restored};
use cloakgate_json::{Edit, Kind, NodeId};
use cloakgate_mcp::Part;
use cloakgate_mcp::errors::{self, Code};

use crate::asks::{self, Ask};
use crate::cursors::Place;
use crate::failure::Failure;
use crate::hub::Hub;
use crate::message::Message;
use crate::passage::Passage;
use crate::upstream::Upstream;

const LIST: &str = "tasks/list";
/// What cursors of the client are sealed for: they are not to be taken for those of servers.
const CURSORS: &str = "tasks/list of the client";
const STATUS: &str = "notifications/tasks/status";

/// How a server's request is passed on and its answer read.
pub(crate) struct Way {
    /// The method by whose rules the answer is restored.
    pub(crate) answered_as: String,
    /// The client's own cursor, in the place of ours.
    pub(crate) cursor: Option<(NodeId, Edit)>,
}

/// The way of any request of a server.
///
/// # Errors
/// When it is about a task that is not its own, or at an unknown place of a list.
pub(crate) fn way(
    hub: &Hub,
    upstream: &Upstream,
    message: &Message,
    (method, params): (&str, Option<NodeId>),
) -> Result<Way, Failure> {
    let param = |name: &str| message.find(params?, &[name]);
    let mut way = Way { answered_as: method.to_owned(), cursor: None };
    match method {
        "tasks/get" | "tasks/result" | "tasks/cancel" => {
            let name = param("taskId").and_then(|node| message.text(node));
            let task = name.and_then(|name| hub.tasks.of_client(upstream.name(), &name));
            let task = task.ok_or_else(|| Failure::new(Code::InvalidParams, "unknown task"))?;
            if method == "tasks/result" {
                way.answered_as = task.method;
            }
        }
        LIST => {
            let cursor = param("cursor").filter(|node| message.document.kind(*node) != Kind::Null);
            if let Some(node) = cursor {
                let place = message.text(node).and_then(|cursor| hub.cursors.open(CURSORS, &cursor));
                let place = place.filter(|place| place.upstream == *upstream.name());
                let raw = place.and_then(|place| place.cursor);
                let raw = raw.ok_or_else(|| Failure::new(Code::InvalidParams, "unknown cursor"))?;
                way.cursor = Some((node, message.replaced(node, raw)));
            }
        }
        _ => {}
    }
    Ok(way)
}

/// The client's list of tasks with those alone that it runs for the server that asks.
pub(crate) async fn list(hub: &Hub, ask: &Ask, message: Message) -> Result<Restored<Bytes>, Failure> {
    let items = message.find(NodeId::ROOT, &["result", "tasks"]);
    let items: Vec<NodeId> = items.into_iter().flat_map(|items| message.document.children(items)).collect();
    let is_own = |node: &NodeId| {
        let owner = message.text_at(*node, &["taskId"]).and_then(|id| hub.tasks.at_client(&id));
        owner.is_some_and(|owner| owner.upstream.name() == ask.upstream.name())
    };
    let (own, others): (Vec<NodeId>, Vec<NodeId>) = items.into_iter().partition(is_own);
    let cursor = message.find(NodeId::ROOT, &["result", "nextCursor"]);
    let cursor = cursor.filter(|node| message.document.kind(*node) == Kind::String);
    let place =
        cursor.map(|node| Place { upstream: ask.upstream.name().clone(), cursor: Some(message.raw(node)) });
    let next = place.and_then(|place| hub.cursors.seal(CURSORS, &place));
    let passage = Passage::of(LIST, Part::Result).leaving_out(&message, others);
    let restored = hub.cloaker.up(&ask.upstream, message, passage).await?;
    composed(ask, &restored, &own, next)
        .ok_or_else(|| Failure::new(Code::Internal, "the list cannot be read"))
}

fn composed(
    ask: &Ask,
    page: &Restored<Bytes>,
    own: &[NodeId],
    next: Option<String>,
) -> Option<Restored<Bytes>> {
    // Restoring replaces text inside strings, so values keep their places.
    let document = cloakgate_json::scan(page.bytes()).ok()?;
    let head = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tasks":["#, ask.id);
    let mut parts = vec![Restored::authored(head)];
    for (place, item) in own.iter().enumerate() {
        if place > 0 {
            parts.push(Restored::authored(","));
        }
        parts.push(page.part(document.span(*item))?);
    }
    parts.push(match next {
        Some(cursor) => Restored::authored(format!(r#"],"nextCursor":"{cursor}"}}}}"#)),
        None => Restored::authored("]}}"),
    });
    Some(Restored::concat(&parts))
}

/// Has the client cancel a task that nobody wants any more, if it can; nobody waits for what it says to that.
pub(crate) async fn cancel(hub: &Hub, id: &str) {
    let can = hub.hello().and_then(|hello| hello.abilities.tasks).is_some_and(|tasks| tasks.cancel);
    // The id is the client's own and goes back to it.
    let id = Cloaked::exact(&Bytes::from(errors::quoted(id)), Vec::new(), ExactReason::Contract);
    let Some(id) = id.ok().filter(|_| can) else { return };
    let number = asks::id_text(hub.asks.next_number());
    let head = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tasks/cancel","params":{{"taskId":"#);
    let message = Cloaked::concat(&[Cloaked::authored(head), id, Cloaked::authored("}}")]);
    hub.outbox.send(message).await;
}

/// Tells a server how far the client is with its task.
pub(crate) async fn status(hub: &Hub, message: Message) {
    let id = message.text_at(NodeId::ROOT, &["params", "taskId"]);
    let Some(ask) = id.and_then(|id| hub.tasks.at_client(&id)) else {
        return tracing::debug!("the client speaks of a task that no server has begun");
    };
    let passage = Passage::of(STATUS, Part::Notification);
    match hub.cloaker.up(&ask.upstream, message, passage).await {
        // Not over the connection that began it: a task outlives it.
        Ok(note) => drop(ask.upstream.post(note).await),
        Err(failure) => {
            tracing::warn!(upstream.name = %ask.upstream.name(), %failure, "the state of a task may not be passed on");
        }
    }
}
