//! What stands before every operation of the API: who asks, whether they may, how often, and whether it was done already.
//!
//! In: a request. Out: the operation's answer, or a fault. Invariant: no operation runs without a token whose role may do
//! it, in an environment that the token may reach; ids in paths are ids.

use std::time::Instant;

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use crate::access::act;
use crate::app::App;
use crate::fault::{Fault, PROBLEM};
use crate::keys::token_id;
use crate::once::{IDEMPOTENCY_KEY, once};
use crate::openapi::is_reference;
use crate::records::{Environment, Kept, Token, now};

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Kept<Token>);

impl Caller {
    /// True when the caller's token reaches this environment.
    pub(crate) fn reaches(&self, environment: Uuid) -> bool {
        self.0.record.environment_id.is_none_or(|own| own == environment)
    }
}

/// Lets a request through to its operation.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    match guarded(&app, request, next).await {
        Ok(response) => response,
        Err(fault) => fault.into_response(),
    }
}

/// Gives faults of the reference's paths the media type that its clients expect.
pub(crate) async fn plain_faults(request: Request, next: Next) -> Response {
    let plain = request.extensions().get::<MatchedPath>().is_some_and(|path| is_reference(path.as_str()));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if plain && headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == PROBLEM) {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    response
}

async fn guarded(app: &App, request: Request, next: Next) -> Result<Response, Fault> {
    let token = authenticate(app, request.headers()).await?;
    app.take_request(token.id, Instant::now())?;
    let (mut parts, body) = request.into_parts();
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str).to_owned();
    // `HEAD` is `GET` without its body.
    let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
    let allowed = act(method.as_str(), &path).is_some_and(|act| token.record.role.may(act));
    let environment = ids(&mut parts).await?;
    let caller = Caller(token);
    if let Some(environment) = environment {
        let reached = caller.reaches(environment);
        if !reached || app.records().find::<Environment>(Uuid::nil(), environment).await?.is_none() {
            return Err(Fault::unknown("environment"));
        }
    }
    if !allowed {
        return Err(Fault::forbidden(caller.0.record.role.name()));
    }
    parts.extensions.insert(caller.clone());
    let request = Request::from_parts(parts, body);
    match request.headers().get(IDEMPOTENCY_KEY).cloned() {
        Some(key) if method == Method::POST => once(app, caller.0.id, &key, request, next).await,
        _ => Ok(next.run(request).await),
    }
}

/// Whose token it is.
async fn authenticate(app: &App, headers: &HeaderMap) -> Result<Kept<Token>, Fault> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let (scheme, token) = value.and_then(|value| value.split_once(' ')).ok_or_else(Fault::unauthorized)?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() {
        return Err(Fault::unauthorized());
    }
    let found = app.token(token_id(token)).await?;
    let now = now();
    let found = found.filter(|kept| kept.record.key.opens(token, now)).ok_or_else(Fault::unauthorized)?;
    app.note_use(found.id, now);
    Ok(found)
}

/// Checks that the ids of the path are ids, and returns the environment's.
async fn ids(parts: &mut Parts) -> Result<Option<Uuid>, Fault> {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    let params = params.map_err(|_| Fault::bad("path", "the path cannot be read"))?;
    let mut environment = None;
    for (name, value) in &params {
        let id = value.parse().map_err(|_| Fault::bad("path", format!("`{name}` must be a UUID")))?;
        if name == "environment_uuid" {
            environment = Some(id);
        }
    }
    Ok(environment)
}
