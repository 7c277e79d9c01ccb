//! What handlers take from a request: its body, its parameters, the version that it means.
//!
//! In: the parts of a request. Out: checked values, or a fault. Invariant: a parameter that nobody asked for is refused.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use serde_json::json;
use uuid::Uuid;

use crate::fault::{Fault, shown};
use crate::fields::{Fields, nearest};
use crate::records::Page;
use crate::reply::read_cursor;

/// Bytes of a body of the management API.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;
/// Most records that a page holds.
const MAX_PAGE: usize = 1000;

/// A body that is a JSON object.
pub(crate) struct Body(pub(crate) Fields);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Fault;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Fault> {
        require_json(request.headers())?;
        Ok(Self(Fields::read(&read(request).await?)?))
    }
}

/// A body that may be missing.
pub(crate) struct OptionalBody(pub(crate) Fields);

impl<S: Send + Sync> FromRequest<S> for OptionalBody {
    type Rejection = Fault;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Fault> {
        let headers = request.headers().clone();
        let body = read(request).await?;
        if body.is_empty() {
            return Ok(Self(Fields::read(b"{}")?));
        }
        require_json(&headers)?;
        Ok(Self(Fields::read(&body)?))
    }
}

/// Reads a body up to its limit.
pub(crate) async fn read(request: Request) -> Result<Bytes, Fault> {
    axum::body::to_bytes(request.into_body(), MAX_BODY_BYTES).await.map_err(|_| {
        Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is larger than 1 MiB or was cut off")
    })
}

fn require_json(headers: &HeaderMap) -> Result<(), Fault> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if essence == "application/json" || essence.ends_with("+json") {
        return Ok(());
    }
    Err(Fault::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "media_type",
        "the body must be sent as `Content-Type: application/json`",
    ))
}

/// The parameters behind the path.
pub(crate) struct Parameters {
    pairs: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Fault> {
        let query = axum::extract::Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let pairs = query.map_err(|_| Fault::bad("query", "the parameters cannot be read"))?.0;
        Ok(Self { pairs, known: Vec::new() })
    }
}

impl Parameters {
    /// Takes a parameter.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Fault> {
        self.known.push(name);
        let mut found = None;
        while let Some(place) = self.pairs.iter().position(|(key, _)| key == name) {
            if found.replace(self.pairs.remove(place).1).is_some() {
                return Err(wrong(name, "given once"));
            }
        }
        Ok(found)
    }

    /// Takes `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, Fault> {
        match self.text(name)?.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(wrong(name, "`true` or `false`")),
        }
    }

    /// Takes an id.
    pub(crate) fn id(&mut self, name: &'static str) -> Result<Option<Uuid>, Fault> {
        self.text(name)?.map(|text| text.parse().map_err(|_| wrong(name, "a UUID"))).transpose()
    }

    /// Takes `limit` and `cursor`.
    pub(crate) fn page(&mut self) -> Result<Page, Fault> {
        let limit = self.text("limit")?.map(|text| {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_PAGE).contains(limit));
            limit.ok_or_else(|| wrong("limit", "a number from 1 to 1000"))
        });
        let after = self.text("cursor")?.map(|text| {
            read_cursor(&text)
                .ok_or_else(|| wrong("cursor", "what the header `Link` of the page before said"))
        });
        Ok(Page { after: after.transpose()?, limit: limit.transpose()? })
    }

    /// Refuses what is left.
    ///
    /// # Errors
    /// When a parameter was never asked for.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let Some((name, _)) = self.pairs.first() else { return Ok(()) };
        let shown = shown(name);
        let mut message = format!("unknown parameter `{shown}`");
        if let Some(nearest) = nearest(name, &self.known) {
            message.push_str(&format!("; did you mean `{nearest}`?"));
        }
        Err(Fault::bad("unknown_parameter", message)
            .with("parameter", json!(shown))
            .with("allowed", json!(self.known)))
    }
}

/// Which part of a list is wanted, where nothing else may be asked.
pub(crate) struct Part(pub(crate) Page);

impl<S: Send + Sync> FromRequestParts<S> for Part {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Fault> {
        let mut parameters = Parameters::from_request_parts(parts, state).await?;
        let page = parameters.page()?;
        parameters.finish()?;
        Ok(Self(page))
    }
}

fn wrong(name: &str, must_be: &str) -> Fault {
    Fault::bad("parameter", format!("`{name}` must be {must_be}")).with("parameter", json!(name))
}

/// The tag of a version.
pub(crate) fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

/// Refuses a change of another version than the one that the request names, if it names one.
///
/// # Errors
/// When `If-Match` names another version.
pub(crate) fn require_match(headers: &HeaderMap, version: u64) -> Result<(), Fault> {
    let Some(wanted) = headers.get(header::IF_MATCH) else { return Ok(()) };
    let tag = etag(version);
    let wanted = wanted.to_str().unwrap_or_default();
    let met = wanted.split(',').map(str::trim).any(|wanted| wanted == "*" || wanted == tag);
    if met { Ok(()) } else { Err(Fault::changed()) }
}
