//! What the API answers when it does not do what was asked.
//!
//! In: a status, a code for programs and a sentence for people. Out: a response with both forms of body that clients
//! know: `statusCode` and `message`, and those of a problem document. Invariant: no text holds what a client sent but
//! for names of keys and options; causes inside the service are logged by their own texts, which hold no values.

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cloakgate_vocab::causes;
use serde_json::{Map, Value, json};

/// Media type of a problem document.
pub(crate) const PROBLEM: &str = "application/problem+json";
/// Letters of a client's key that a message repeats.
const MAX_SHOWN: usize = 64;

/// A request that is not done.
#[derive(Debug)]
pub(crate) struct Fault(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: &'static str,
    message: String,
    more: Map<String, Value>,
    retry_after_seconds: Option<u64>,
}

impl Fault {
    /// A fault with a status, a code for programs and a sentence for people.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            message: message.into(),
            more: Map::new(),
            retry_after_seconds: None,
        }))
    }

    /// The request is wrong.
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A field of the body is wrong.
    pub(crate) fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::bad("field", message).with("field", json!(field.into()))
    }

    /// There is no such thing, or it is somebody else's.
    pub(crate) fn unknown(noun: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("no such {noun}"))
    }

    /// Somebody changed the record meanwhile.
    pub(crate) fn changed() -> Self {
        Self::new(
            StatusCode::PRECONDITION_FAILED,
            "changed",
            "the record is not the one that `If-Match` names; read it again",
        )
    }

    /// Another request changed the record at the same time.
    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// No or no known token.
    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is needed")
    }

    /// The token's role may not do this.
    pub(crate) fn forbidden(role: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", format!("the role `{role}` may not do this"))
    }

    /// Too many requests.
    pub(crate) fn too_many(retry_after_seconds: u64) -> Self {
        let mut fault = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            "too many requests; try again later",
        );
        fault.0.retry_after_seconds = Some(retry_after_seconds);
        fault
    }

    /// The store cannot take more now; `error` is logged and not shown.
    pub(crate) fn busy(error: &dyn std::error::Error) -> Self {
        tracing::warn!(cause = causes(error), "the store is busy");
        let mut fault =
            Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "the service is busy; try again later");
        fault.0.retry_after_seconds = Some(1);
        fault
    }

    /// Something of ours failed; `error` is logged and not shown.
    pub(crate) fn internal(error: &dyn std::error::Error) -> Self {
        tracing::error!(cause = causes(error), "a request failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "internal error")
    }

    /// The same with one more member.
    pub(crate) fn with(mut self, name: &str, value: Value) -> Self {
        self.0.more.insert(name.to_owned(), value);
        self
    }

    /// The same for what stands at `path` of a larger object.
    pub(crate) fn below(mut self, path: &str) -> Self {
        if let Some(Value::String(field)) = self.0.more.get_mut("field") {
            *field = format!("{path}.{field}");
        }
        self
    }

    /// True when somebody else was first.
    pub(crate) fn is_conflict(&self) -> bool {
        self.0.status == StatusCode::CONFLICT
    }

    /// Which field is wrong, if one is.
    #[cfg(test)]
    pub(crate) fn field_path(&self) -> Option<&str> {
        self.0.more.get("field").and_then(Value::as_str)
    }

    /// The sentence for people.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Fault {}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let Parts { status, code, message, more, retry_after_seconds } = *self.0;
        let mut error = more;
        error.insert("code".to_owned(), json!(code));
        let body = json!({
            "statusCode": status.as_u16(),
            "message": message,
            "error": error,
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or("Error"),
            "status": status.as_u16(),
            "detail": message,
        });
        let mut response = (status, [(header::CONTENT_TYPE, PROBLEM)], body.to_string()).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"cloakgate\""));
        }
        response
    }
}

/// What of a client's key a message repeats.
pub(crate) fn shown(name: &str) -> String {
    let mut shown: String =
        name.chars().filter(|character| !character.is_control()).take(MAX_SHOWN).collect();
    if name.chars().count() > MAX_SHOWN {
        shown.push('…');
    }
    shown
}
