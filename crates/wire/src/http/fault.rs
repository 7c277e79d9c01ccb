//! Why a request is turned away before it is a message, and with what.
//!
//! Invariant: the texts are ours, but for limits and names of headers; nothing of the request is quoted.

use axum::response::Response;
use cloakgate_mcp::RawId;
use cloakgate_mcp::errors::{self, Code};
use http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};

use super::endpoint::Refusal;
use super::reply;
use super::settings::RETRY_AFTER_S;

/// Why a request is turned away.
#[derive(Debug)]
pub(super) enum Fault {
    Host,
    Origin,
    Method,
    Refused(Refusal),
    ContentType,
    Accept,
    Busy,
    TooLarge { max: usize },
    Slow,
    Broken,
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Fault {
    pub(super) fn response(self) -> Response {
        let (status, text) = self.said();
        let message = errors::error(&RawId::null(), Code::Refused, &text);
        let mut response = reply::json(status, message);
        if let Some((name, value)) = self.header() {
            response.headers_mut().insert(name, value);
        }
        response
    }

    fn said(&self) -> (StatusCode, String) {
        let (status, text) = match self {
            Self::Host => (
                StatusCode::FORBIDDEN,
                "this host name is not served here; name it in the configuration if it should be",
            ),
            Self::Origin => (
                StatusCode::FORBIDDEN,
                "pages of this origin may not call; name it in the configuration if they should",
            ),
            Self::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                "only POST is served: there are no streams to open and no sessions to end",
            ),
            Self::Refused(Refusal::Forbidden(text)) => (StatusCode::FORBIDDEN, *text),
            Self::Refused(Refusal::Unauthorized { text, .. }) => (StatusCode::UNAUTHORIZED, *text),
            Self::Refused(Refusal::TooMany { .. }) => (StatusCode::TOO_MANY_REQUESTS, "too many requests"),
            Self::Refused(Refusal::Unavailable) => {
                (StatusCode::SERVICE_UNAVAILABLE, "keys cannot be checked now")
            }
            Self::ContentType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be sent as `Content-Type: application/json`, in UTF-8 and not compressed",
            ),
            Self::Accept => (
                StatusCode::NOT_ACCEPTABLE,
                "answers come as application/json or text/event-stream; `Accept` takes neither",
            ),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "too many requests are under way"),
            Self::TooLarge { max } => {
                return (StatusCode::PAYLOAD_TOO_LARGE, format!("a body may have at most {max} bytes"));
            }
            Self::Slow => (StatusCode::REQUEST_TIMEOUT, "the body took too long to come"),
            Self::Broken => (StatusCode::BAD_REQUEST, "the body ended before it was whole"),
        };
        (status, text.to_owned())
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        Some(match self {
            Self::Method => (ALLOW, HeaderValue::from_static("POST")),
            Self::Busy | Self::Refused(Refusal::Unavailable) => (RETRY_AFTER, RETRY_AFTER_S.into()),
            Self::Refused(Refusal::TooMany { retry_after_s }) => (RETRY_AFTER, (*retry_after_s).into()),
            Self::Refused(Refusal::Unauthorized { challenge, .. }) => {
                (WWW_AUTHENTICATE, HeaderValue::try_from(challenge).ok()?)
            }
            _ => return None,
        })
    }
}
