//! Requests whose server is told by a name: `upstream__tool`.
//!
//! In: `tools/call`, `prompts/get`, `completion/complete`. Out: the server's answer. Invariant: the server gets the name
//! that it gave; nothing else of the request changes but the id and tokens. Not here: requests that name addresses.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Part, may_be_shortened, split};

use crate::failure::Failure;
use crate::index::NameIndex;
use crate::listing::{self, List};
use crate::passage::Passage;
use crate::request::forward;
use crate::resources;
use crate::session::{Call, Session};
use crate::upstream::Upstream;

/// Calls a tool or gets a prompt.
pub(crate) async fn call(
    session: &Arc<Session>,
    call: &mut Call,
    list: List,
) -> Result<Cloaked<Bytes>, Failure> {
    let (name_node, published) = call.text_param(&["name"])?;
    let upstream = session.owner(&published)?;
    if session.hub.has_tasks() && call.wants_task() {
        refuse_task(&upstream, list)?;
    }
    let index = index(session, &upstream, &published, list).await;
    let original = original(index.as_deref(), &published)?;
    let schema = index.as_ref().and_then(|index| index.schemas.get(&original)).cloned();
    call.tool = (list == List::Tools).then(|| original.clone());
    let id = upstream.take_id();
    let mut edits = call.numbered(id);
    edits.push(call.message.replaced(name_node, errors::quoted(&original)));
    let arguments = call.param(&["arguments"]).zip(schema.clone());
    let passage = Passage::of(&call.method, Part::Params).with_edits(edits).with_schema(arguments);
    let request = session.hub.cloaker.up(&upstream, call.message.clone(), passage).await?;
    Ok(forward(session, call, &upstream, (id, request), schema).await?.message)
}

/// The client was told that tools run as tasks where one server can do so; the others cannot.
fn refuse_task(upstream: &Upstream, list: List) -> Result<(), Failure> {
    if list != List::Tools || upstream.can().tasks.is_some_and(|tasks| tasks.call) {
        return Ok(());
    }
    let text = format!("upstream `{}` does not run tools as tasks: call without `task`", upstream.name());
    Err(Failure::new(Code::MethodNotFound, text))
}

/// Completes an argument of a prompt or of a resource template.
pub(crate) async fn complete(session: &Arc<Session>, call: &mut Call) -> Result<Cloaked<Bytes>, Failure> {
    let (_, kind) = call.text_param(&["ref", "type"])?;
    if kind == "ref/resource" {
        return resources::call(session, call, &["ref", "uri"]).await;
    }
    let (name_node, published) = call.text_param(&["ref", "name"])?;
    let upstream = session.owner(&published)?;
    let index = index(session, &upstream, &published, List::Prompts).await;
    let original = original(index.as_deref(), &published)?;
    let id = upstream.take_id();
    let mut edits = call.numbered(id);
    edits.push(call.message.replaced(name_node, errors::quoted(&original)));
    let passage = Passage::of(&call.method, Part::Params).with_edits(edits);
    let request = session.hub.cloaker.up(&upstream, call.message.clone(), passage).await?;
    Ok(forward(session, call, &upstream, (id, request), None).await?.message)
}

/// What the server has listed, where the request needs it: the schemas of tools that are cloaked, and the way back
/// from names that may have been shortened.
async fn index(
    session: &Arc<Session>,
    upstream: &Arc<Upstream>,
    published: &str,
    list: List,
) -> Option<Arc<NameIndex>> {
    let schemas = list == List::Tools && upstream.terms.sanitize;
    if !schemas && !may_be_shortened(published) {
        return None;
    }
    Some(listing::index(session, upstream, list).await)
}

/// What the server calls it.
fn original(index: Option<&NameIndex>, published: &str) -> Result<String, Failure> {
    let original = match index {
        Some(index) => index.names.original(published),
        None => split(published).map(|(_, name)| name),
    };
    original.map(ToOwned::to_owned).ok_or_else(|| Failure::new(Code::InvalidParams, "unknown name"))
}
