//! Reads a body, as far as it may be long and take time.
//!
//! Invariant: no more than the limit is held, whatever the head says and however the body comes.

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;

use super::fault::Fault;
use super::settings::Settings;

/// The bytes of a body.
pub(super) async fn read(headers: &HeaderMap, body: Body, settings: &Settings) -> Result<Bytes, Fault> {
    let too_large = Fault::TooLarge { max: settings.max_body_bytes };
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length
        .is_some_and(|length| usize::try_from(length).map_or(true, |length| length > settings.max_body_bytes))
    {
        return Err(too_large);
    }
    let reading = axum::body::to_bytes(body, settings.max_body_bytes);
    match tokio::time::timeout(settings.body_timeout, reading).await {
        Err(_) => Err(Fault::Slow),
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_limit(&error) => Err(too_large),
        // The client left, or its chunks are none; nobody reads the answer.
        Ok(Err(_)) => Err(Fault::Broken),
    }
}

/// True when it was the limit that ended the reading.
fn is_limit(error: &axum::Error) -> bool {
    std::error::Error::source(error)
        .is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>)
}
