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
use crate::hub::Settings;
use crate::upstream::{CallError, Question, Reply, Upstream};

/// Pages of one list that are read.
const MAX_PAGES: usize = 1000;

/// A kind of list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
}

impl List {
    /// The method that asks for it.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Tasks => "tasks/list",
        }
    }

    /// The member of the result that holds its items.
    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Tasks => "tasks",
        }
    }

    /// The member of an item that names it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
            Self::Tasks => "taskId",
        }
    }

    /// Whether a server has such a list.
    pub(crate) fn is_of(self, capabilities: Capabilities) -> bool {
        match self {
            Self::Tools => capabilities.tools.is_some(),
            Self::Prompts => capabilities.prompts.is_some(),
            Self::Resources | Self::Templates => capabilities.resources.is_some(),
            Self::Tasks => capabilities.tasks.is_some_and(|tasks| tasks.list),
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
    #[error("a page of the list could not be cloaked")]
    Withheld,
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

/// Where a walk begins and how far it goes.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The server's cursor to begin with, as raw JSON.
    pub(crate) from: Option<Bytes>,
    /// Items after which no further page is asked for.
    pub(crate) items: usize,
    /// Bytes after which no further page is asked for.
    pub(crate) bytes: usize,
}

/// Pages of a list, in order.
#[derive(Debug)]
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
    pub(crate) items: usize,
    pub(crate) bytes: usize,
    /// The server's cursor for what follows, as raw JSON; `None` at the end.
    pub(crate) next: Option<Bytes>,
}

/// All pages of a list.
pub(crate) async fn walk(
    upstream: &Upstream,
    list: List,
    settings: &Settings,
) -> Result<Vec<Page>, ListError> {
    let whole = Walk { from: None, items: usize::MAX, bytes: settings.max_message_bytes };
    let pages = walk_some(upstream, list, settings, whole).await?;
    if pages.next.is_some() { Err(ListError::TooLong) } else { Ok(pages.pages) }
}

/// Pages of a list until enough are there.
pub(crate) async fn walk_some(
    upstream: &Upstream,
    list: List,
    settings: &Settings,
    walk: Walk,
) -> Result<Pages, ListError> {
    let limit = settings.request_timeout;
    let walk = walk_on(upstream, list, walk, limit);
    timeout(limit, walk).await.unwrap_or(Err(ListError::Call(CallError::TimedOut)))
}

async fn walk_on(upstream: &Upstream, list: List, walk: Walk, limit: Duration) -> Result<Pages, ListError> {
    let mut walked = Pages { pages: Vec::new(), items: 0, bytes: 0, next: walk.from };
    let mut seen = HashSet::new();
    loop {
        let id = upstream.take_id();
        let request = request(id, list, walked.next.as_ref());
        let reply = upstream.call(Question::new(id, request, limit)).await?;
        let (page, next) = page(reply, list)?;
        let message = &page.reply.message;
        walked.bytes = walked.bytes.saturating_add(message.bytes.len());
        walked.items = walked.items.saturating_add(message.document.children(page.items).count());
        walked.pages.push(page);
        walked.next = next;
        match &walked.next {
            None => return Ok(walked),
            Some(next) if !seen.insert(next.clone()) => {
                tracing::warn!(upstream.name = %upstream.name(), list = list.method(), "a cursor came twice");
                walked.next = None;
                return Ok(walked);
            }
            Some(_) => {}
        }
        let enough = walked.items >= walk.items || walked.bytes >= walk.bytes;
        if enough || walked.pages.len() >= MAX_PAGES {
            return Ok(walked);
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
