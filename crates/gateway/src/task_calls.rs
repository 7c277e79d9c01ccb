//! Requests of the client about tasks that servers run.
//!
//! In: `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`. Out: the server's answer. Invariant: a task goes to the
//! server that runs it; a result is cloaked by the rules of the request that began the task, a tool's own settings
//! and schema included; sessions of other revisions are refused by name. Not here: what a name stands for, what
//! servers ask about tasks of the client.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ToolSchema};
use cloakgate_json::NodeId;
use cloakgate_mcp::errors::Code;
use cloakgate_mcp::{Part, Revision};

use crate::failure::Failure;
use crate::listing::{self, List};
use crate::pages::{ListError, Page};
use crate::passage::Passage;
use crate::request::{forward, unknown_method};
use crate::session::{Call, Session};
use crate::upstream::Upstream;

/// Lists the tasks of all servers that this session has begun.
pub(crate) async fn list(session: &Arc<Session>, call: &Call) -> Result<Cloaked<Bytes>, Failure> {
    refuse_other_revisions(session, call)?;
    listing::list(session, call, List::Tasks).await
}

/// Carries out a request about one task.
pub(crate) async fn call(session: &Arc<Session>, call: &mut Call) -> Result<Cloaked<Bytes>, Failure> {
    refuse_other_revisions(session, call)?;
    if session.able(|upstream| upstream.can().tasks.is_some()).is_empty() {
        return Err(unknown_method());
    }
    let (_, name) = call.text_param(&["taskId"])?;
    let task = session.hub.tasks.of_server(&name).ok_or_else(unknown_task)?;
    let upstream = session.upstream(&task.upstream).ok_or_else(unknown_task)?;
    let can = upstream.can().tasks.unwrap_or_default();
    if call.method == "tasks/cancel" && !can.cancel {
        let text = format!("upstream `{}` cannot cancel tasks", upstream.name());
        return Err(Failure::new(Code::MethodNotFound, text));
    }
    upstream.link().map_err(|error| Failure::upstream(upstream.name(), error))?;
    let id = upstream.take_id();
    let passage = Passage::of(&call.method, Part::Params).with_edits(call.numbered(id));
    let request = session.hub.cloaker.up(&upstream, call.message.clone(), passage).await?;
    let schema = match call.method.as_str() {
        "tasks/result" => schema_of(session, &upstream, task.tool.as_deref()).await,
        _ => None,
    };
    // Whatever is said of the task may be of what the tool works on.
    call.tool.clone_from(&task.tool);
    call.task = Some(task);
    Ok(forward(session, call, &upstream, (id, request), schema).await?.message)
}

/// Of one server's pages the tasks that this session has begun, each cloaked by the settings of the tool that began it.
pub(crate) async fn items(
    session: &Session,
    upstream: &Upstream,
    pages: &[Page],
) -> Result<Vec<Cloaked<Bytes>>, ListError> {
    let mut items = Vec::new();
    for page in pages {
        let message = &page.reply.message;
        let tasks = tasks_by_tool(session, upstream, page);
        let tools: BTreeSet<_> = tasks.iter().filter_map(|(_, tool)| tool.as_ref()).collect();
        let mut own = Vec::new();
        for tool in tools {
            let (of_tool, others): (Vec<_>, Vec<_>) =
                tasks.iter().partition(|(_, of)| of.as_ref() == Some(tool));
            let passage = Passage::of(List::Tasks.method(), Part::Result)
                .of_tool(tool.as_deref())
                .leaving_out(message, others.into_iter().map(|(item, _)| *item));
            let cloaked = listing::cloaked_page(session, upstream, message, passage).await?;
            let document = cloakgate_json::scan(cloaked.bytes()).map_err(|_| ListError::Withheld)?;
            for (item, _) in of_tool {
                own.push((*item, cloaked.part(document.span(*item)).ok_or(ListError::Withheld)?));
            }
        }
        own.sort_by_key(|(item, _)| *item);
        items.extend(own.into_iter().map(|(_, item)| item));
    }
    Ok(items)
}

/// The tasks on a page, each with the tool that began it, if one did; `None` for those that nobody has begun.
fn tasks_by_tool(
    session: &Session,
    upstream: &Upstream,
    page: &Page,
) -> Vec<(NodeId, Option<Option<String>>)> {
    let message = &page.reply.message;
    let of = |item| {
        let id = message.text_at(item, &[List::Tasks.key()])?;
        session.hub.tasks.for_client(upstream, &id)?;
        Some(session.hub.tasks.origin(upstream.name(), &id).and_then(|(_, tool)| tool))
    };
    message.document.children(page.items).map(|item| (item, of(item))).collect()
}

/// The schemas of the tool that began a task.
async fn schema_of(
    session: &Arc<Session>,
    upstream: &Arc<Upstream>,
    tool: Option<&str>,
) -> Option<Arc<ToolSchema>> {
    let tool = tool.filter(|_| upstream.terms.sanitize)?;
    listing::index(session, upstream, List::Tools).await.schemas.get(tool).cloned()
}

fn refuse_other_revisions(session: &Session, call: &Call) -> Result<(), Failure> {
    if session.hub.has_tasks() {
        return Ok(());
    }
    let (method, revision) = (&call.method, Revision::V2025_11_25);
    let text = format!("`{method}` is of protocol version {revision}, which this session does not speak");
    Err(Failure::new(Code::MethodNotFound, text))
}

fn unknown_task() -> Failure {
    Failure::new(Code::InvalidParams, "unknown task: this session has not begun it")
}
