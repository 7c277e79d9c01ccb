//! Lists of all servers as one.
//!
//! In: a client's request for a list. Out: one page: servers in the order of the configuration, items in the order of the
//! server, and a cursor of our own where there is more than one page may hold. Invariant: an item of tools or prompts
//! is the server's own bytes but for its name; an item of resources or tasks went through cloaking with its whole
//! page; tasks that this session has not begun are left out; a server that fails leaves the others listed; small
//! lists are one page. Not here: walking one list.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, ToolSchema};
use cloakgate_json::{Document, Edit, Kind, NodeId};
use cloakgate_mcp::Part;
use cloakgate_mcp::errors::Code;
use cloakgate_vocab::{Span, UpstreamName};

use crate::cursors::Place;
use crate::failure::Failure;
use crate::fan_out;
use crate::index::{Epoch, NameCache, NameIndex};
use crate::message::Message;
use crate::pages::{ListError, Page, Pages, Walk, walk, walk_some};
use crate::passage::Passage;
use crate::request::unknown_method;
use crate::session::{Call, Session};
use crate::task_calls;
use crate::upstream::{Upstream, Upstreams};

pub(crate) use crate::pages::List;

/// Items after which the client gets a cursor for the rest.
const PAGE_ITEMS: usize = 2_000;
/// Bytes of servers' answers after which the client gets a cursor for the rest.
const PAGE_BYTES: usize = 4 << 20;

/// Answers a client's request for a list.
pub(crate) async fn list(session: &Arc<Session>, call: &Call, list: List) -> Result<Cloaked<Bytes>, Failure> {
    let able = session.able(|upstream| list.is_of(upstream.can()));
    if able.is_empty() {
        return Err(unknown_method());
    }
    let page =
        match call.param(&["cursor"]).filter(|cursor| call.message.document.kind(*cursor) != Kind::Null) {
            None => first(session, &able, list).await?,
            Some(cursor) => {
                let cursor = call.message.text(cursor);
                let place = cursor.and_then(|cursor| session.hub.cursors.open(list.method(), &cursor));
                following(session, &able, list, place.ok_or_else(unknown_cursor)?).await?
            }
        };
    if list == List::Resources {
        session.warn_of_shared_addresses(&able);
    }
    let next = match page.next {
        None => None,
        Some(place) => {
            let sealed = session.hub.cursors.seal(list.method(), &place);
            let too_long = || {
                let text = format!("upstream `{}`: its cursor is too long", place.upstream);
                Failure::new(Code::Internal, text)
            };
            Some(sealed.ok_or_else(too_long)?)
        }
    };
    Ok(composed(call, list, page.items, next))
}

fn unknown_cursor() -> Failure {
    Failure::new(Code::InvalidParams, "unknown cursor")
}

/// One page for the client.
#[derive(Default)]
struct ClientPage {
    items: Vec<Cloaked<Bytes>>,
    bytes: usize, // of the servers' answers
    next: Option<Place>,
}

impl ClientPage {
    /// Adds what a server listed, if there is room for it. False when this was the last that fits.
    fn take(&mut self, upstream: &Upstream, stretch: Stretch) -> bool {
        let place = |cursor| Some(Place { upstream: upstream.name().clone(), cursor });
        let items = self.items.len().saturating_add(stretch.items.len());
        let bytes = self.bytes.saturating_add(stretch.bytes);
        // The first always fits, or the client would ask for ever.
        if !self.items.is_empty() && (items > PAGE_ITEMS || bytes > PAGE_BYTES) {
            self.next = place(None);
            return false;
        }
        self.items.extend(stretch.items);
        self.bytes = bytes;
        if stretch.next.is_some() {
            self.next = place(stretch.next);
            return false;
        }
        true
    }
}

/// What one server listed.
struct Stretch {
    items: Vec<Cloaked<Bytes>>,
    bytes: usize,
    next: Option<Bytes>,
}

/// The first page: all servers are asked at once.
async fn first(session: &Arc<Session>, able: &Upstreams, list: List) -> Result<ClientPage, Failure> {
    let outcomes = fan_out::each(able.clone(), |upstream| {
        let session = Arc::clone(session);
        async move { listed(&session, &upstream, list, None).await }
    });
    let mut page = ClientPage::default();
    let mut failed = Vec::new();
    let mut is_open = true;
    for (upstream, stretch) in outcomes.await {
        match stretch {
            Some(Ok(stretch)) if is_open => is_open = page.take(&upstream, stretch),
            // Asked again when its turn comes.
            Some(Ok(_)) => {}
            Some(Err(_)) | None => {
                // One that failed before the page was full is passed over, like one that comes later will be.
                tracing::warn!(upstream.name = %upstream.name(), list = list.method(), "the list goes out without this server");
                failed.push(upstream);
            }
        }
    }
    if failed.len() == able.len() {
        let names = fan_out::names(&failed);
        return Err(Failure::new(Code::Internal, format!("no list could be had from {names}")));
    }
    Ok(page)
}

/// A later page: servers are asked one after the other until it is full.
async fn following(
    session: &Session,
    able: &Upstreams,
    list: List,
    place: Place,
) -> Result<ClientPage, Failure> {
    let mut page = ClientPage::default();
    let at =
        able.iter().position(|upstream| *upstream.name() == place.upstream).ok_or_else(unknown_cursor)?;
    let mut from = place.cursor;
    for upstream in able.iter().skip(at) {
        let continued = from.is_some();
        match listed(session, upstream, list, from.take()).await {
            Ok(stretch) => {
                if !page.take(upstream, stretch) {
                    break;
                }
            }
            Err(ListError::Refused(_)) if continued => return Err(unknown_cursor()),
            Err(error) if continued => {
                let text = format!("upstream `{}`: {error}", upstream.name());
                return Err(Failure::new(Code::Internal, text));
            }
            Err(_) => {
                tracing::warn!(upstream.name = %upstream.name(), list = list.method(), "the list goes out without this server");
            }
        }
    }
    Ok(page)
}

/// The message that holds `items`.
fn composed(call: &Call, list: List, items: Vec<Cloaked<Bytes>>, next: Option<String>) -> Cloaked<Bytes> {
    let (id, member) = (&call.id, list.member());
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"{member}":["#);
    let mut parts = vec![Cloaked::authored(head)];
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            parts.push(Cloaked::authored(","));
        }
        parts.push(item);
    }
    parts.push(match next {
        // Hexadecimal digits that stand for nothing without our key.
        Some(cursor) => Cloaked::authored(format!(r#"],"nextCursor":"{cursor}"}}}}"#)),
        None => Cloaked::authored("]}}"),
    });
    Cloaked::concat(&parts)
}

/// One server's items from a cursor on, fit to leave. What the walk shows is indexed on the way.
async fn listed(
    session: &Session,
    upstream: &Upstream,
    list: List,
    from: Option<Bytes>,
) -> Result<Stretch, ListError> {
    let from_start = from.is_none();
    let asked = cache(upstream, list).epoch();
    let some = Walk { from, items: PAGE_ITEMS, bytes: PAGE_BYTES };
    let walked = match walk_some(upstream, list, &session.hub.settings, some).await {
        Ok(walked) => walked,
        // A server may have resources and no templates, and say so in this way.
        Err(ListError::Refused(code)) if code == i64::from(Code::MethodNotFound.number()) => {
            Pages { pages: Vec::new(), items: 0, bytes: 0, next: None }
        }
        Err(error) => {
            tracing::warn!(upstream.name = %upstream.name(), list = list.method(), %error, "cannot list");
            return Err(error);
        }
    };
    let pages = &walked.pages;
    let items = match list {
        List::Tools | List::Prompts => {
            let (items, index) = named_items(session, upstream, list, pages).map_err(|_| ListError::Shape)?;
            // Part of a list says nothing of the rest.
            if from_start && walked.next.is_none() {
                set_index(upstream, list, index, asked);
            }
            items
        }
        List::Resources | List::Templates => inspected_items(session, upstream, list, pages).await?,
        List::Tasks => task_calls::items(session, upstream, pages).await?,
    };
    if let Some(last) = pages.last() {
        upstream.caught_up(last.reply.after).await;
    }
    Ok(Stretch { items, bytes: walked.bytes, next: walked.next })
}

/// What is remembered of a server's tools or prompts.
fn cache(upstream: &Upstream, list: List) -> &NameCache {
    if list == List::Tools { &upstream.tools } else { &upstream.prompts }
}

/// Tools or prompts under the names that the client sees.
fn named_items(
    session: &Session,
    upstream: &Upstream,
    list: List,
    pages: &[Page],
) -> Result<(Vec<Cloaked<Bytes>>, NameIndex), cloakgate_cloak::CloakError> {
    let mut index = NameIndex::default();
    let mut items = Vec::new();
    for page in pages {
        let message = &page.reply.message;
        for item in message.document.children(page.items) {
            // An item without a name cannot be called, and what else it is is unknown.
            let Some(name_node) = message.find(item, &[list.key()]) else { continue };
            let Some(name) = message.text(name_node) else { continue };
            let published = index_item(
                &mut index,
                message,
                (item, &name),
                upstream.name(),
                session.hub.settings.name_budget,
            );
            let start = message.document.span(item).start();
            let name_span = message.document.span(name_node);
            let span = Span::sized(name_span.start() - start, name_span.len());
            let edit = Edit { span, text: format!("\"{published}\"").into_bytes() };
            items.push(Cloaked::exact(&message.raw(item), vec![edit], ExactReason::Contract)?);
        }
    }
    Ok((items, index))
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

fn set_index(upstream: &Upstream, list: List, index: NameIndex, asked: Epoch) {
    let renamed = index.names.renamed();
    if renamed > 0 {
        tracing::info!(upstream.name = %upstream.name(), names = renamed, list = list.method(), "names were shortened");
    }
    cache(upstream, list).set(index, asked);
}

/// The index of a server's tools or prompts, walked if it is not there. A server that cannot list has an empty one.
pub(crate) async fn index(session: &Session, upstream: &Upstream, list: List) -> Arc<NameIndex> {
    let ask = async {
        let mut index = NameIndex::default();
        if !list.is_of(upstream.can()) {
            return index;
        }
        match walk(upstream, list, &session.hub.settings).await {
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
                                session.hub.settings.name_budget,
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
    cache(upstream, list).get_or_ask(ask).await
}

/// Resources or templates, cloaked by the page.
async fn inspected_items(
    session: &Session,
    upstream: &Upstream,
    list: List,
    pages: &[Page],
) -> Result<Vec<Cloaked<Bytes>>, ListError> {
    let mut items = Vec::new();
    for page in pages {
        let message = &page.reply.message;
        let passage = Passage::of(list.method(), Part::Result);
        let cloaked = cloaked_page(session, upstream, message, passage).await?;
        let document = cloakgate_json::scan(cloaked.bytes()).map_err(|_| ListError::Withheld)?;
        // Cloaking replaces text inside strings and whole numbers, so values keep their places.
        for item in message.document.children(page.items) {
            remember(upstream, list, message, item);
            if let Some(uri) = text_of(&document, cloaked.bytes(), item, list.key()) {
                remember_uri(upstream, list, &uri);
            }
            items.push(cloaked.part(document.span(item)).ok_or(ListError::Withheld)?);
        }
    }
    Ok(items)
}

/// A page of a list, fit to leave.
pub(crate) async fn cloaked_page(
    session: &Session,
    upstream: &Upstream,
    message: &Message,
    passage: Passage<'_>,
) -> Result<Cloaked<Bytes>, ListError> {
    session.hub.cloaker.down(upstream, message.clone(), passage).await.map_err(|error| {
        tracing::error!(upstream.name = %upstream.name(), %error, "a page of a list was withheld");
        ListError::Withheld
    })
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
        match walk(upstream, list, &session.hub.settings).await {
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
