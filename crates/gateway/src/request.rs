//! Carries out one request of the client.
//!
//! In: a request. Out: the one message that answers it. Invariant: every path ends in a message with the request's id;
//! a method that is not in the list below goes to no server. Not here: reading the client, the handshake.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, Restored, ToolSchema};
use cloakgate_json::NodeId;
use cloakgate_mcp::errors::Code;
use cloakgate_mcp::{Envelope, Outcome, Part, is_terminal};

use crate::config::UnknownMethods;
use crate::failure::Failure;
use crate::listing::{self, List};
use crate::passage::Passage;
use crate::session::{Call, Session};
use crate::upstream::{Question, Reply, Upstream};
use crate::{by_name, levels, resources, task_calls};

/// The answer to a request.
pub(crate) async fn answer(session: &Arc<Session>, call: &mut Call) -> Cloaked<Bytes> {
    match carry_out(session, call).await {
        Ok(message) => message,
        Err(failure) => {
            // The client never hears of a task whose beginning cannot be told.
            session.cancel_task_of(&call.id);
            failure.into_message(&call.id, call.answered_as())
        }
    }
}

async fn carry_out(session: &Arc<Session>, call: &mut Call) -> Result<Cloaked<Bytes>, Failure> {
    match call.method.as_str() {
        "tools/list" => listing::list(session, call, List::Tools).await,
        "prompts/list" => listing::list(session, call, List::Prompts).await,
        "resources/list" => listing::list(session, call, List::Resources).await,
        "resources/templates/list" => listing::list(session, call, List::Templates).await,
        "tools/call" => by_name::call(session, call, List::Tools).await,
        "prompts/get" => by_name::call(session, call, List::Prompts).await,
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
            resources::call(session, call, &["uri"]).await
        }
        "completion/complete" => by_name::complete(session, call).await,
        "logging/setLevel" => levels::set(session, call).await,
        "tasks/list" => task_calls::list(session, call).await,
        "tasks/get" | "tasks/result" | "tasks/cancel" => task_calls::call(session, call).await,
        _ if session.hub.settings.unknown_methods == UnknownMethods::Forward => unknown(session, call).await,
        _ => Err(unknown_method()),
    }
}

/// A method that nobody knows goes to the only server, where the configuration says so: every text of it restored,
/// every text of the answer cloaked.
async fn unknown(session: &Arc<Session>, call: &mut Call) -> Result<Cloaked<Bytes>, Failure> {
    let serving = session.able(|_| true);
    let [upstream] = serving.as_slice() else { return Err(unknown_method()) };
    let id = upstream.take_id();
    let passage = Passage::of(&call.method, Part::Params).with_edits(call.numbered(id));
    let request = session.hub.cloaker.up(upstream, call.message.clone(), passage).await?;
    Ok(forward(session, call, upstream, (id, request), None).await?.message)
}

/// A method that the gateway does not have.
pub(crate) fn unknown_method() -> Failure {
    Failure::new(Code::MethodNotFound, "the gateway does not have this method")
}

/// A server's answer, fit for the client.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) message: Cloaked<Bytes>,
    /// Whether the server did what was asked.
    pub(crate) worked: bool,
}

/// Sends a request to its server and brings the answer back.
pub(crate) async fn forward(
    session: &Session,
    call: &mut Call,
    upstream: &Arc<Upstream>,
    (id, request): (u64, Restored<Bytes>),
    schema: Option<Arc<ToolSchema>>,
) -> Result<Answer, Failure> {
    call.target.set(upstream, id);
    let mut question = Question::new(id, request, upstream.terms.timeout_of(call.tool.as_deref()));
    question.turn = call.turn.take();
    question.progress = call.progress().map(|(_, token)| token);
    if call.method == "tools/call" && session.hub.has_tasks() && upstream.can().tasks.is_some() {
        question.begins = Some(call.begins());
    }
    let reply = upstream.call(question).await;
    let reply = reply.map_err(|error| Failure::upstream(upstream.name(), error))?;
    deliver(session, call, upstream, reply, schema).await
}

/// Makes a server's answer fit for the client, and waits for what has to leave before it.
async fn deliver(
    session: &Session,
    call: &mut Call,
    upstream: &Upstream,
    reply: Reply,
    schema: Option<Arc<ToolSchema>>,
) -> Result<Answer, Failure> {
    let Envelope::Response(response) = &reply.message.envelope else {
        return Err(Failure::upstream(upstream.name(), crate::upstream::CallError::Unreadable));
    };
    let id = reply.message.replaced(response.id_node, call.id.as_str());
    let (part, structured) = match response.outcome {
        Outcome::Result(result) => (Part::Result, structured(&reply, result)),
        Outcome::Error(_) => (Part::Error, None),
    };
    note_end(session, call, &reply);
    let passage = Passage::of(call.answered_as(), part)
        .with_edits([id])
        .of_tool(call.tool.as_deref())
        .with_schema(structured.zip(schema));
    // The server's next messages have room once this one is cloaked.
    let Reply { message, after, room: _room, announcing } = reply;
    let message = session.hub.cloaker.down(upstream, message, passage).await?;
    call.announcing = announcing;
    upstream.caught_up(after).await;
    Ok(Answer { message, worked: part == Part::Result })
}

/// Notes that the task which the request is about has ended, where the answer says so.
fn note_end(session: &Session, call: &Call, reply: &Reply) {
    let Some(task) = &call.task else { return };
    let status = reply.message.text_at(NodeId::ROOT, &["result", "status"]);
    if call.method == "tasks/result" || status.is_some_and(|status| is_terminal(&status)) {
        session.hub.tasks.ended(&task.upstream, &task.id);
    }
}

/// The value that a tool's output schema speaks about. Results that report an error need not obey it.
fn structured(reply: &Reply, result: NodeId) -> Option<NodeId> {
    let is_error = reply.message.find(result, &["isError"]);
    if is_error.is_some_and(|node| reply.message.document.kind(node) == cloakgate_json::Kind::True) {
        return None;
    }
    reply.message.find(result, &["structuredContent"])
}
