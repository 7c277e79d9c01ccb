//! What stands behind a door.
//!
//! In: who calls and one request. Out: the answer. Invariant: an endpoint sees only requests that are whole, of a
//! revision that is served, and from a caller that it admitted. Not here: ids, handshakes, forms of HTTP.

use bytes::Bytes;
use cloakgate_json::{Document, NodeId};
use cloakgate_mcp::Revision;
use http::HeaderMap;

/// Serves requests of MCP.
pub trait Endpoint: Send + Sync + 'static {
    /// Whoever calls, once it is known.
    type Caller: Send + Sync + 'static;

    /// Decides who calls. The body has not been read.
    ///
    /// # Errors
    /// When the caller may not.
    fn admit(&self, head: Head<'_>) -> impl Future<Output = Result<Self::Caller, Refusal>> + Send;

    /// What the server says of itself.
    fn about(&self) -> &About;

    /// Answers one request. Handshakes, `ping` and `server/discover` never come here. When the client leaves, the
    /// future is dropped.
    fn answer(&self, caller: &Self::Caller, call: Call) -> impl Future<Output = Answer> + Send;
}

/// The head of a request, as far as it says who calls.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Path of the URL.
    pub path: &'a str,
    /// The headers; the same one may stand there several times.
    pub headers: &'a HeaderMap,
}

/// Why a caller is turned away. The texts are shown to it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// Its credential is missing or wrong.
    Forbidden(&'static str),
    /// The same, where a challenge tells it how to get one.
    Unauthorized {
        /// Value of `WWW-Authenticate`.
        challenge: String,
        /// What is wrong.
        text: &'static str,
    },
    /// It calls too often.
    TooMany {
        /// Seconds after which it may come again.
        retry_after_s: u64,
    },
    /// Who it is cannot be found out now.
    Unavailable,
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What a model should know of its use.
    pub instructions: &'static str,
    /// What it can do, as JSON.
    pub capabilities: &'static str,
}

/// One request.
#[derive(Debug)]
pub struct Call {
    /// The message.
    pub bytes: Bytes,
    /// Its values. No key stands twice in an object.
    pub document: Document,
    /// The method.
    pub method: String,
    /// The object of parameters, if there is one.
    pub params: Option<NodeId>,
    /// The revision that the caller speaks.
    pub revision: Revision,
}

/// The answer to one request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Answer {
    /// Members of the result: JSON, without the braces around them. `resultType` is added where a revision wants it.
    Result(String),
    /// There is no such method here.
    UnknownMethod,
    /// The parameters cannot be used; the text says why.
    InvalidParams(&'static str),
    /// It failed, and the caller cannot mend it. Nothing is said of why.
    Failed,
}
