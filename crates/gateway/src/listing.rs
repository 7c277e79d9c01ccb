//! Lists of all servers as one.
//!
//! In: a client's request for a list. Out: one list, without a cursor: servers in the order of the configuration, items in
//! the order of the server. Invariant: an item of tools or prompts is the server's own bytes but for its name; an
//! item of resources went through cloaking with its whole page; a server that fails leaves the others listed.
//! Not here: walking one list.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, ToolSchema};
use cloakgate_json::{Document, Edit, Kind, NodeId};
use cloakgate_mcp::Part;
use cloakgate_mcp::errors::Code;
use cloakgate_vocab::{Span, UpstreamName};

use crate::failure::Failure;
use crate::fan_out;
use crate::index::NameIndex;
use crate::message::Message;
use crate::pages::{ListError, Page, walk};
use crate::passage::Passage;
use crate::request::unknown_method;
use crate::session::{Call, Session};
use crate::upstream::Upstream;

pub(crate) use crate::pages::List;

/// Answers a client's request for a list.
pub(crate) async fn list(session: &Arc<Session>, call: &Call, list: List) -> Result<Cloaked<Bytes>, Failure> {
    let cursor = call.param(&["cursor"]);
    if cursor.is_some_and(|cursor| call.message.document.kind(cursor) != Kind::Null) {
        // Lists are given whole, so no cursor is ours.
        return Err(Failure::new(Code::InvalidParams, "unknown cursor"));
    }
    let able = session.able(|upstream| list.is_of(upstream.can()));
    if able.is_empty() {
        return Err(unknown_method());
    }
    let outcomes = fan_out::each(able, |upstream| {
        let session = Arc::clone(session);
        async move { listed(&session, &upstream, list).await }
    });
    let outcomes = outcomes.await;
    let failed: Vec<_> = outcomes.iter().filter(|(_, items)| items.is_none_or_failed()).collect();
    if failed.len() == outcomes.len() {
        let names = fan_out::names(failed.into_iter().map(|(upstream, _)| upstream));
        return Err(Failure::new(Code::Internal, format!("no list could be had from {names}")));
    }
    for (upstream, _) in failed {
        tracing::warn!(upstream.name = %upstream.name(), list = list.method(), "the list goes out without this server");
    }
    if list == List::Resources {
        let listed: Vec<_> = outcomes.iter().map(|(upstream, _)| Arc::clone(upstream)).collect();
        session.warn_of_shared_addresses(&listed);
    }
    let items = outcomes.into_iter().filter_map(|(_, items)| items.and_then(Result::ok)).flatten();
    Ok(composed(call, list, items))
}

/// What came of asking one server.
type Items = Result<Vec<Cloaked<Bytes>>, ()>;

/// Lets both kinds of failure be counted.
trait Failed {
    fn is_none_or_failed(&self) -> bool;
}

impl Failed for Option<Items> {
    fn is_none_or_failed(&self) -> bool {
        !matches!(self, Some(Ok(_)))
    }
}

/// The message that holds `items`.
fn composed(call: &Call, list: List, items: impl Iterator<Item = Cloaked<Bytes>>) -> Cloaked<Bytes> {
    let (id, member) = (&call.id, list.member());
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"{member}":["#);
    let mut parts = vec![Cloaked::authored(head)];
    for (place, item) in items.enumerate() {
        if place > 0 {
            parts.push(Cloaked::authored(","));
        }
        parts.push(item);
    }
    parts.push(Cloaked::authored("]}}"));
    Cloaked::concat(&parts)
}

/// One server's items, fit to leave. What the walk shows is indexed on the way.
async fn listed(session: &Session, upstream: &Upstream, list: List) -> Items {
    let pages = match walk(upstream, list, &session.settings).await {
        Ok(pages) => pages,
        // A server may have resources and no templates, and say so in this way.
        Err(ListError::Refused(code)) if code == i64::from(Code::MethodNotFound.number()) => Vec::new(),
        Err(error) => {
            tracing::warn!(upstream.name = %upstream.name(), list = list.method(), %error, "cannot list");
            return Err(());
        }
    };
    let items = match list {
        List::Tools | List::Prompts => named_items(session, upstream, list, &pages).map_err(|_| ())?,
        List::Resources | List::Templates => addressed_items(session, upstream, list, &pages).await?,
    };
    if let Some(last) = pages.last() {
        upstream.caught_up(last.reply.after).await;
    }
    Ok(items)
}

/// Tools or prompts under the names that the client sees.
fn named_items(
    session: &Session,
    upstream: &Upstream,
    list: List,
    pages: &[Page],
) -> Result<Vec<Cloaked<Bytes>>, cloakgate_cloak::CloakError> {
    let mut index = NameIndex::default();
    let mut items = Vec::new();
    for page in pages {
        let message = &page.reply.message;
        for item in message.document.children(page.items) {
            // An item without a name cannot be called, and what else it is is unknown.
            let Some(name_node) = message.find(item, &[list.key()]) else { continue };
            let Some(name) = message.text(name_node) else { continue };
            let published =
                index_item(&mut index, message, (item, &name), upstream.name(), session.settings.name_budget);
            let start = message.document.span(item).start();
            let name_span = message.document.span(name_node);
            let span = Span::sized(name_span.start() - start, name_span.len());
            let edit = Edit { span, text: format!("\"{published}\"").into_bytes() };
            items.push(Cloaked::exact(&message.raw(item), vec![edit], ExactReason::Contract)?);
        }
    }
    set_index(upstream, list, index);
    Ok(items)
}

/// Adds an item to the index, with the schemas that tools have, and gives its published name.
fn index_item(
    index: &mut NameIndex,
    message: &Message,
    (item, name): (NodeId, &str),
    upstream: &UpstreamName,
    budget: usize,
) -> String {
    let raw = |member| message.find(item, &[member]).map(|node| message.raw(node));
    let (input, output) = (raw("inputSchema"), raw("outputSchema"));
    if input.is_some() || output.is_some() {
        let schema = ToolSchema::parse(input.as_deref(), output.as_deref());
        index.schemas.insert(name.to_owned(), Arc::new(schema));
    }
    index.names.insert(upstream, name, budget)
}

fn set_index(upstream: &Upstream, list: List, index: NameIndex) {
    let renamed = index.names.renamed();
    if renamed > 0 {
        tracing::info!(upstream.name = %upstream.name(), names = renamed, list = list.method(), "names were shortened");
    }
    match list {
        List::Tools => upstream.tools.set(index),
        _ => upstream.prompts.set(index),
    }
}

/// The index of a server's tools or prompts, walked if it is not there. A server that cannot list has an empty one.
pub(crate) async fn index(session: &Session, upstream: &Upstream, list: List) -> Arc<NameIndex> {
    let cache = if list == List::Tools { &upstream.tools } else { &upstream.prompts };
    let ask = async {
        let mut index = NameIndex::default();
        if !list.is_of(upstream.can()) {
            return index;
        }
        match walk(upstream, list, &session.settings).await {
            Ok(pages) => {
                for page in &pages {
                    let message = &page.reply.message;
                    for item in message.document.children(page.items) {
                        if let Some(name) = message.text_at(item, &[list.key()]) {
                            index_item(
                                &mut index,
                                message,
                                (item, &name),
                                upstream.name(),
                                session.settings.name_budget,
                            );
                        }
                    }
                }
            }
            Err(error) => {
                tracing::warn!(upstream.name = %upstream.name(), list = list.method(), %error, "cannot list");
            }
        }
        index
    };
    cache.get_or_ask(ask).await
}

/// Resources or templates, cloaked by the page.
async fn addressed_items(session: &Session, upstream: &Upstream, list: List, pages: &[Page]) -> Items {
    let mut items = Vec::new();
    for page in pages {
        let message = &page.reply.message;
        let passage = Passage::of(list.method(), Part::Result);
        let cloaked = session.cloaker.down(upstream, message.clone(), passage).await.map_err(|error| {
            tracing::error!(upstream.name = %upstream.name(), list = list.method(), %error, "a page was withheld");
        })?;
        let document = cloakgate_json::scan(cloaked.bytes()).map_err(|_| ())?;
        // Cloaking replaces text inside strings and whole numbers, so values keep their places.
        for item in message.document.children(page.items) {
            remember(upstream, list, message, item);
            if let Some(uri) = text_of(&document, cloaked.bytes(), item, list.key()) {
                remember_uri(upstream, list, &uri);
            }
            items.push(cloaked.part(document.span(item)).ok_or(())?);
        }
    }
    Ok(items)
}

fn text_of(document: &Document, bytes: &[u8], item: NodeId, key: &str) -> Option<String> {
    Some(document.text(bytes, document.member(bytes, item, key)?)?.into_owned())
}

fn remember(upstream: &Upstream, list: List, message: &Message, item: NodeId) {
    if let Some(uri) = message.text_at(item, &[list.key()]) {
        remember_uri(upstream, list, &uri);
    }
}

fn remember_uri(upstream: &Upstream, list: List, uri: &str) {
    match list {
        List::Templates => upstream.uris.insert_template(uri),
        _ => upstream.uris.insert(uri),
    }
}

/// Walks a server's resources and templates for their addresses alone.
pub(crate) async fn index_uris(session: &Session, upstream: &Upstream) {
    // Whatever comes of it, it is not tried again before the lists change.
    upstream.uris.set_listed();
    for list in [List::Resources, List::Templates] {
        match walk(upstream, list, &session.settings).await {
            Ok(pages) => {
                for page in &pages {
                    let message = &page.reply.message;
                    for item in message.document.children(page.items) {
                        remember(upstream, list, message, item);
                    }
                }
            }
            Err(error) => {
                tracing::debug!(upstream.name = %upstream.name(), list = list.method(), %error, "cannot list");
            }
        }
    }
}
