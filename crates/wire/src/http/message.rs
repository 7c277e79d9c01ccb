//! One body: a message or an array of such, and what is said to it.
//!
//! In: the bytes. Out: an answer with its status, or that none is needed. Invariant: each request is answered once,
//! with its id as written; a message that cannot be read is answered with the id where that is certain.
//! Not here: what methods do, apart from those of the protocol itself: handshake, `ping` and `server/discover`.

use bytes::Bytes;
use cloakgate_json::{Document, Kind, NodeId};
use cloakgate_mcp::errors::{self, Code, quoted};
use cloakgate_mcp::{Envelope, InvalidReason, RawId, Request, Revision};
use http::{HeaderMap, StatusCode};

use super::Server;
use super::endpoint::{About, Answer, Call, Endpoint};
use super::era::{self, SERVED, Said, Spoken, Unfit};
use super::settings::MAX_BATCH_MESSAGES;

/// How long clients may take what a server says of itself for true, in milliseconds.
const DISCOVERY_TTL_MS: u64 = 3_600_000;

/// Longest version that is repeated to whoever asked for it.
const MAX_VERSION_BYTES: usize = 32;

/// What came of a body.
pub(super) enum Outcome {
    /// It wanted no answer.
    Taken,
    /// An answer.
    Said { status: StatusCode, message: String },
}

impl Outcome {
    fn said(message: String) -> Self {
        Self::Said { status: StatusCode::OK, message }
    }

    fn bad(id: &RawId, code: Code, text: &str) -> Self {
        Self::Said { status: StatusCode::BAD_REQUEST, message: errors::error(id, code, text) }
    }
}

impl<E: Endpoint> Server<E> {
    /// Answers a body.
    pub(super) async fn answer(&self, caller: &E::Caller, headers: &HeaderMap, bytes: Bytes) -> Outcome {
        let document = match cloakgate_json::scan(&bytes) {
            Ok(document) => document,
            Err(error) => return Outcome::bad(&RawId::null(), Code::Parse, &error.to_string()),
        };
        if document.kind(NodeId::ROOT) == Kind::Array {
            return self.answer_all(caller, headers, (&bytes, &document)).await;
        }
        self.answer_one(caller, headers, bytes, document).await
    }

    /// Answers an array of messages, one after the other.
    async fn answer_all(
        &self,
        caller: &E::Caller,
        headers: &HeaderMap,
        (bytes, document): (&Bytes, &Document),
    ) -> Outcome {
        let refused = |text: &str| Outcome::bad(&RawId::null(), Code::InvalidRequest, text);
        match era::said(headers) {
            Said::Nothing => {}
            Said::Version(version) if version == Revision::V2025_03_26.as_str() => {}
            _ => return refused("arrays of messages are of revision 2025-03-26: send one message a request"),
        }
        let messages = document.children(NodeId::ROOT).take(MAX_BATCH_MESSAGES + 1).count();
        if messages == 0 {
            return refused("an array must hold messages");
        }
        if messages > MAX_BATCH_MESSAGES {
            return refused(&format!("an array may hold at most {MAX_BATCH_MESSAGES} messages"));
        }
        let mut answers = String::new();
        for node in document.children(NodeId::ROOT) {
            let message = bytes.slice(document.span(node).range());
            let outcome = match cloakgate_json::scan(&message) {
                Ok(inner) if inner.kind(NodeId::ROOT) == Kind::Array => {
                    refused("an array may not hold arrays")
                }
                Ok(inner) => match inner.member(&message, NodeId::ROOT, "method") {
                    Some(method) if inner.text(&message, method).is_some_and(|name| name == "initialize") => {
                        refused("`initialize` may not stand in an array")
                    }
                    _ => self.answer_one(caller, headers, message, inner).await,
                },
                // It was scanned with the array.
                Err(error) => refused(&error.to_string()),
            };
            if let Outcome::Said { message, .. } = outcome {
                answers.push(if answers.is_empty() { '[' } else { ',' });
                answers.push_str(&message);
            }
        }
        if answers.is_empty() {
            return Outcome::Taken;
        }
        answers.push(']');
        Outcome::said(answers)
    }

    async fn answer_one(
        &self,
        caller: &E::Caller,
        headers: &HeaderMap,
        bytes: Bytes,
        document: Document,
    ) -> Outcome {
        let request = match cloakgate_mcp::read(&document, &bytes) {
            Ok(Envelope::Request(request)) => request,
            Ok(Envelope::Notification(_)) => return Outcome::Taken,
            // Nothing is ever asked of a client, so nothing waits for it.
            Ok(Envelope::Response(_)) if !is_modern(headers) => return Outcome::Taken,
            Ok(Envelope::Response(_)) => {
                let text = "since 2026-07-28 clients send no answers";
                return Outcome::bad(&RawId::null(), Code::InvalidRequest, text);
            }
            Err(invalid) => {
                let text = match invalid.why {
                    InvalidReason::Batch => "an array may not stand here".to_owned(),
                    why => why.to_string(),
                };
                return Outcome::bad(&invalid.id.unwrap_or_else(RawId::null), Code::InvalidRequest, &text);
            }
        };
        let id = request.id.clone();
        if !document.duplicates().is_empty() {
            return Outcome::bad(&id, Code::InvalidParams, "an object may not have a key twice");
        }
        let Request { method, params, .. } = request;
        let spoken = Spoken { document: &document, bytes: &bytes, method: &method, params };
        let revision = match spoken.revision(headers) {
            Ok(revision) => revision,
            Err(unfit) => return unfit_answer(&id, unfit),
        };
        let about = self.endpoint.about();
        let answer = match method.as_str() {
            "initialize" if revision.has_handshake() => {
                Answer::Result(handshake(about, asked_version(&document, &bytes, params)))
            }
            "ping" if revision.has_handshake() => Answer::Result(String::new()),
            "server/discover" if !revision.has_handshake() => Answer::Result(discovery(about)),
            "initialize" | "ping" | "server/discover" => Answer::UnknownMethod,
            _ => {
                let call = Call { bytes, document, method, params, revision };
                let answering = self.endpoint.answer(caller, call);
                match tokio::time::timeout(self.settings.answer_timeout, answering).await {
                    Ok(answer) => answer,
                    Err(_) => {
                        tracing::warn!("a request took too long to answer");
                        Answer::Failed
                    }
                }
            }
        };
        finished(&id, revision, answer)
    }
}

/// The message of an answer.
fn finished(id: &RawId, revision: Revision, answer: Answer) -> Outcome {
    let (code, text) = match answer {
        Answer::Result(members) => {
            let mark = match (revision.has_handshake(), members.is_empty()) {
                (true, _) => "",
                (false, true) => r#""resultType":"complete""#,
                (false, false) => r#""resultType":"complete","#,
            };
            let id = id.as_str();
            let parts = [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":{"#, mark, members.as_str(), "}}"];
            return Outcome::said(parts.concat());
        }
        Answer::UnknownMethod => (Code::MethodNotFound, "there is no such method here"),
        Answer::InvalidParams(text) => (Code::InvalidParams, text),
        Answer::Failed => (Code::Internal, "Internal error"),
    };
    let status = match code {
        // Older clients take this status for a session that has ended.
        Code::MethodNotFound if !revision.has_handshake() => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    Outcome::Said { status, message: errors::error(id, code, text) }
}

fn unfit_answer(id: &RawId, unfit: Unfit) -> Outcome {
    match unfit {
        Unfit::Headers(text) => Outcome::bad(id, Code::HeaderMismatch, text),
        Unfit::Meta(text) => Outcome::bad(id, Code::InvalidParams, &format!("in `_meta`: {text}")),
        Unfit::Unknown(requested) => {
            let (code, supported) = (Code::UnsupportedVersion.number(), served());
            let requested = quoted(shown(&requested));
            let message = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"Unsupported protocol version","data":{{"supported":{supported},"requested":{requested}}}}}}}"#
            );
            Outcome::Said { status: StatusCode::BAD_REQUEST, message }
        }
    }
}

/// A version as the protocol wants it repeated. What has not the form of one may be anything, and is not.
fn shown(requested: &str) -> &str {
    let fits = requested.len() <= MAX_VERSION_BYTES
        && requested.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    if fits { requested } else { "no version" }
}

/// The revisions that are served, as JSON.
fn served() -> String {
    let names: Vec<String> = SERVED.iter().map(|revision| quoted(revision.as_str())).collect();
    format!("[{}]", names.join(","))
}

fn is_modern(headers: &HeaderMap) -> bool {
    era::said(headers) == Said::Version(Revision::V2026_07_28.as_str())
}

/// The revision that a handshake asks for.
fn asked_version(document: &Document, bytes: &[u8], params: Option<NodeId>) -> Option<Revision> {
    let version = document.member(bytes, params?, "protocolVersion")?;
    document.text(bytes, version)?.parse().ok()
}

/// The result of `initialize`: the revision that was asked for, or the newest one that has handshakes.
fn handshake(about: &About, asked: Option<Revision>) -> String {
    let agreed = asked.filter(|asked| asked.has_handshake()).unwrap_or(Revision::NEWEST_WITH_HANDSHAKE);
    format!(
        r#""protocolVersion":"{agreed}","capabilities":{},"serverInfo":{},"instructions":{}"#,
        about.capabilities,
        info(about),
        quoted(about.instructions),
    )
}

/// The result of `server/discover`.
fn discovery(about: &About) -> String {
    format!(
        r#""supportedVersions":{},"capabilities":{},"instructions":{},"ttlMs":{DISCOVERY_TTL_MS},"cacheScope":"public","_meta":{{"io.modelcontextprotocol/serverInfo":{}}}"#,
        served(),
        about.capabilities,
        quoted(about.instructions),
        info(about),
    )
}

fn info(about: &About) -> String {
    let (name, title, version) = (quoted(about.name), quoted(about.title), quoted(about.version));
    format!(r#"{{"name":{name},"title":{title},"version":{version}}}"#)
}
