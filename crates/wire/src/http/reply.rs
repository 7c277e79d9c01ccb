//! Answers as responses of HTTP.
//!
//! Invariant: nothing on the way may keep an answer: it may hold what was restored.

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, CACHE_CONTROL, CONTENT_TYPE,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// How long a browser may remember that a page may call, in seconds.
const PREFLIGHT_AGE_S: u32 = 600;

/// One JSON text.
pub(super) fn json(status: StatusCode, message: String) -> Response {
    with(status, message, "application/json")
}

/// A stream of one event, which ends after it. A message holds no line end.
pub(super) fn event(message: &str) -> Response {
    let mut response =
        with(StatusCode::OK, ["event: message\ndata: ", message, "\n\n"].concat(), "text/event-stream");
    // Reverse proxies hold events back otherwise.
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// What needs no answer was taken.
pub(super) fn accepted() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// Tells a browser that a page of a shared origin may call with the headers that it asked for.
pub(super) fn preflight(asked: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(ACCESS_CONTROL_MAX_AGE, PREFLIGHT_AGE_S.into());
    if let Some(wanted) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    response
}

fn with(status: StatusCode, text: String, media: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
