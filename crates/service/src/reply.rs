//! What handlers answer: one record, part of a list, nothing.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use cloakgate_vault::{After, Moment};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::fault::Fault;
use crate::records::{Kept, Page, Record, Records};
use crate::request::etag;

/// An answer with a body.
///
/// # Errors
/// When the body cannot be written.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Result<Response, Fault> {
    let text = serde_json::to_vec(body).map_err(|error| Fault::internal(&error))?;
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// One record, with the tag of its version.
///
/// # Errors
/// When the body cannot be written.
pub(crate) fn record(status: StatusCode, version: u64, body: &impl Serialize) -> Result<Response, Fault> {
    let mut response = json(status, body)?;
    if let Ok(tag) = HeaderValue::from_str(&etag(version)) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

/// Nothing.
pub(crate) fn empty() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// Part of a list, with the way to the next part.
///
/// # Errors
/// When records cannot be read.
pub(crate) async fn page<R: Record, V: Serialize>(
    records: &Records,
    parent: Uuid,
    page: Page,
    view: impl Fn(Kept<R>) -> V,
) -> Result<Response, Fault> {
    let (found, next) = part(records, parent, page).await?;
    page_of(&found.into_iter().map(view).collect::<Vec<V>>(), next)
}

/// Where a list goes on: after how many more there is a part, and behind which record.
pub(crate) type Next = Option<(usize, After)>;

/// The records of a part.
///
/// # Errors
/// When records cannot be read.
pub(crate) async fn part<R: Record>(
    records: &Records,
    parent: Uuid,
    page: Page,
) -> Result<(Vec<Kept<R>>, Next), Fault> {
    let wanted = Page { limit: page.limit.map(|limit| limit + 1), ..page };
    let mut found = records.list::<R>(parent, wanted).await?;
    let next = page.limit.filter(|limit| found.len() > *limit).and_then(|limit| {
        found.truncate(limit);
        Some((limit, found.last()?.place()))
    });
    Ok((found, next))
}

/// The answer with a part.
///
/// # Errors
/// When the body cannot be written.
pub(crate) fn page_of(views: &impl Serialize, next: Next) -> Result<Response, Fault> {
    let mut response = json(StatusCode::OK, views)?;
    if let Some((limit, cursor)) = next {
        link_next(&mut response, limit, &write_cursor(cursor));
    }
    Ok(response)
}

/// Says where a list goes on.
pub(crate) fn link_next(response: &mut Response, limit: usize, cursor: &str) {
    let link = format!("<?limit={limit}&cursor={cursor}>; rel=\"next\"");
    if let Ok(link) = HeaderValue::from_str(&link) {
        response.headers_mut().insert(header::LINK, link);
    }
}

/// A place in a list, as clients send it back.
pub(crate) fn write_cursor(after: After) -> String {
    format!("{}.{}", after.created_at.millis(), after.id.simple())
}

/// Reads such a place.
pub(crate) fn read_cursor(text: &str) -> Option<After> {
    let (millis, id) = text.split_once('.')?;
    Some(After { created_at: Moment::from_millis(millis.parse().ok()?), id: id.parse().ok()? })
}

/// A moment as the reference writes it: UTC without a zone.
pub(crate) fn reference_moment(moment: Moment) -> String {
    time(moment.millis().div_euclid(1000), "%Y-%m-%dT%H:%M:%S")
}

/// A moment as RFC 3339 has it.
pub(crate) fn standard_moment(moment: Moment) -> String {
    standard_time(moment.millis().div_euclid(1000))
}

/// Unix seconds as RFC 3339 has them.
pub(crate) fn standard_time(seconds: i64) -> String {
    time(seconds, "%Y-%m-%dT%H:%M:%SZ")
}

fn time(seconds: i64, format: &str) -> String {
    Timestamp::from_second(seconds).unwrap_or_default().strftime(format).to_string()
}
