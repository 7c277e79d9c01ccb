//! Walks a server's list page by page.
//!
//! In: a server and a kind of list. Out: its pages as they came. Invariant: the walk ends: pages, bytes and time have
//! limits, and a cursor that comes twice is the last. Not here: what becomes of the pages.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{ExactReason, Restored};
use cloakgate_json::{Kind, NodeId};
use cloakgate_mcp::{Envelope, Outcome};
use tokio::time::timeout;

use crate::capabilities::Capabilities;
use crate::session::Settings;
use crate::upstream::{CallError, GivingUp, Reply, Upstream};

/// Pages of one list that are read.
const MAX_PAGES: usize = 1000;

/// A kind of list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl List {
    /// The method that asks for it.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    /// The member of the result that holds its items.
    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// The member of an item that names it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }

    /// Whether a server has such a list.
    pub(crate) const fn is_of(self, capabilities: Capabilities) -> bool {
        match self {
            Self::Tools => capabilities.tools.is_some(),
            Self::Prompts => capabilities.prompts.is_some(),
            Self::Resources | Self::Templates => capabilities.resources.is_some(),
        }
    }
}

/// Why a list could not be had.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum ListError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("the server refused to list, with code {0}")]
    Refused(i64),
    #[error("the server's list is no list")]
    Shape,
    #[error("the server's list has more pages or bytes than are read")]
    TooLong,
}

/// One page of a list.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) reply: Reply,
    /// The array of items.
    pub(crate) items: NodeId,
}

/// All pages of a list, in order.
pub(crate) async fn walk(
    upstream: &Upstream,
    list: List,
    settings: &Settings,
) -> Result<Vec<Page>, ListError> {
    let limit = settings.request_timeout;
    let walk = walk_all(upstream, list, settings.max_message_bytes, limit);
    timeout(limit, walk).await.unwrap_or(Err(ListError::Call(CallError::TimedOut)))
}

async fn walk_all(
    upstream: &Upstream,
    list: List,
    max_bytes: usize,
    limit: Duration,
) -> Result<Vec<Page>, ListError> {
    let mut pages = Vec::new();
    let mut cursor: Option<Bytes> = None;
    let mut seen = HashSet::new();
    let mut bytes = 0usize;
    loop {
        let id = upstream.take_id();
        let reply = upstream.call(id, request(id, list, cursor.as_ref()), limit, GivingUp::CallOff).await?;
        let (page, next) = page(reply, list)?;
        bytes = bytes.saturating_add(page.reply.message.bytes.len());
        pages.push(page);
        match next {
            None => return Ok(pages),
            Some(next) if !seen.insert(next.clone()) => {
                tracing::warn!(upstream.name = %upstream.name(), list = list.method(), "a cursor came twice");
                return Ok(pages);
            }
            Some(_) if pages.len() >= MAX_PAGES || bytes > max_bytes => return Err(ListError::TooLong),
            next => cursor = next,
        }
    }
}

fn request(id: u64, list: List, cursor: Option<&Bytes>) -> Restored<Bytes> {
    let method = list.method();
    let Some(cursor) = cursor else {
        return Restored::authored(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#));
    };
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"cursor":"#);
    // The cursor is the server's own and goes back to it as it came.
    let cursor = Restored::exact(cursor, Vec::new(), ExactReason::Contract);
    let cursor = cursor.unwrap_or_else(|_| Restored::authored("null"));
    Restored::concat(&[Restored::authored(head), cursor, Restored::authored("}}")])
}

/// The page in an answer, and the raw cursor of the next.
fn page(reply: Reply, list: List) -> Result<(Page, Option<Bytes>), ListError> {
    let message = &reply.message;
    let Envelope::Response(response) = &message.envelope else { return Err(ListError::Shape) };
    let result = match response.outcome {
        Outcome::Result(result) => result,
        Outcome::Error(error) => {
            let code = message.find(error, &["code"]).map(|code| message.raw(code));
            let code = code.and_then(|code| std::str::from_utf8(&code).ok()?.parse().ok());
            return Err(ListError::Refused(code.unwrap_or_default()));
        }
    };
    let items = message.find(result, &[list.member()]).ok_or(ListError::Shape)?;
    if message.document.kind(items) != Kind::Array {
        return Err(ListError::Shape);
    }
    let cursor = message.find(result, &["nextCursor"]);
    let cursor = cursor.filter(|cursor| message.document.kind(*cursor) == Kind::String);
    let next = cursor.map(|cursor| message.raw(cursor));
    Ok((Page { reply, items }, next))
}
