//! Requests that are done once for a key, whatever happens to whoever asked or answers.
//!
//! In: a request with an `Idempotency-Key`. Out: its answer, or the one that was given before, without what is shown once.
//! Invariant: of requests with one key at most one runs at a time, and none after one that was done. A request whose
//! process ended while it ran keeps others away for `LEASE_SECONDS` only.

use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::Value;
use tokio::time::{Instant, interval_at};
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::keys::{hash, token_id};
use crate::records::{Done, Kept, Page, Records, now};
use crate::request;

/// Header by which a client says that two requests are the same.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Header of an answer that was given before.
const REPLAYED: &str = "idempotency-replayed";
/// Longest key.
const MAX_KEY: usize = 255;
/// Seconds that an answer is kept.
const KEPT_SECONDS: i64 = 86_400;
/// Seconds for which a request that runs keeps others of its key away. It says anew that it runs while it does.
const LEASE_SECONDS: i64 = 60;
/// How often it says so.
const RENEW_EVERY: Duration = Duration::from_secs(20);
/// Answers that are forgotten in one turn.
const SWEPT_AT_ONCE: usize = 500;
/// Members of answers that are shown once.
const SHOWN_ONCE: [&str; 2] = ["api_key", "token"];

/// What is to be done with a request.
enum Turn {
    /// It runs.
    Run(Kept<Done>),
    /// It was done, and this was answered.
    Was(Kept<Done>),
}

/// Runs an operation at most once for a key of a caller.
pub(crate) async fn once(
    app: &App,
    caller: Uuid,
    key: &HeaderValue,
    request: Request,
    next: Next,
) -> Result<Response, Fault> {
    let key = key.to_str().ok().filter(|key| (1..=MAX_KEY).contains(&key.len()));
    let key =
        key.ok_or_else(|| Fault::bad("idempotency_key", "`Idempotency-Key` must have 1 to 255 letters"))?;
    // The token is part of the key: nobody is answered what somebody else asked.
    let id = token_id(&format!("{caller}\n{key}"));
    let (parts, body) = request.into_parts();
    let body = request::read(Request::new(body)).await?;
    let asked = hash(&format!("{} {}\n{}", parts.method, parts.uri, hash(&String::from_utf8_lossy(&body))));
    let begun = match take(app.records(), id, asked, now()).await? {
        Turn::Run(begun) => begun,
        Turn::Was(done) => return replay(&done.record),
    };
    let running = next.run(Request::from_parts(parts, body.into()));
    let (response, begun) = held(app.records(), begun, running).await;
    if !response.status().is_success() {
        app.records().delete::<Done>(id).await?;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = request::read(Request::new(body)).await?;
    finish(app.records(), &begun, (parts.status, &body), now()).await?;
    Ok(Response::from_parts(parts, body.into()))
}

/// Takes the turn of a key, or finds what was answered.
async fn take(records: &Records, id: Uuid, asked: String, now: i64) -> Result<Turn, Fault> {
    let begun = Done { request: asked, status: 0, body: Value::Null, until: now + LEASE_SECONDS };
    let taken = match records.anywhere::<Done>(id).await? {
        None => records.add_as(id, Uuid::nil(), begun).await,
        // It was kept long enough, or its process ended while it ran.
        Some(old) if old.record.until <= now => records.replace(&old, begun).await,
        Some(known) if known.record.request != begun.request => {
            return Err(Fault::conflict("idempotency", "the `Idempotency-Key` was used for another request"));
        }
        Some(running) if running.record.status == 0 => return Err(still_running()),
        Some(done) => return Ok(Turn::Was(done)),
    };
    // Somebody who asked at the same time was first.
    taken.map(Turn::Run).map_err(|fault| if fault.is_conflict() { still_running() } else { fault })
}

fn still_running() -> Fault {
    Fault::conflict("idempotency", "the same request is still running")
}

/// Runs work and says as long as it runs that it does.
async fn held<T>(records: &Records, mut begun: Kept<Done>, work: impl Future<Output = T>) -> (T, Kept<Done>) {
    tokio::pin!(work);
    let mut renew = interval_at(Instant::now() + RENEW_EVERY, RENEW_EVERY);
    loop {
        tokio::select! {
            done = &mut work => return (done, begun),
            _ = renew.tick() => {
                let record = Done { until: now() + LEASE_SECONDS, ..begun.record.clone() };
                match records.replace(&begun, record).await {
                    Ok(renewed) => begun = renewed,
                    // It runs on; whoever asks again may run beside it once the lease has ended.
                    Err(fault) => tracing::warn!(cause = fault.message(), "a request could not say that it runs"),
                }
            }
        }
    }
}

/// Keeps an answer, without what is shown once.
async fn finish(
    records: &Records,
    begun: &Kept<Done>,
    (status, body): (StatusCode, &[u8]),
    now: i64,
) -> Result<(), Fault> {
    let mut kept: Value = serde_json::from_slice(body).unwrap_or_default();
    if let Value::Object(members) = &mut kept {
        members.retain(|name, _| !SHOWN_ONCE.contains(&name.as_str()));
    }
    let until = now + KEPT_SECONDS;
    let done = Done { status: status.as_u16(), body: kept, until, ..begun.record.clone() };
    records.replace(begun, done).await.map(drop)
}

/// The answer that was given, without keys.
fn replay(done: &Done) -> Result<Response, Fault> {
    let status = StatusCode::from_u16(done.status).unwrap_or(StatusCode::OK);
    let mut response = crate::reply::json(status, &done.body)?;
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

/// Forgets answers that are kept no more.
///
/// # Errors
/// When the catalog fails.
pub(crate) async fn sweep(records: &Records) -> Result<(), Fault> {
    let oldest = Page { after: None, limit: Some(SWEPT_AT_ONCE) };
    for done in records.list::<Done>(Uuid::nil(), oldest).await? {
        if done.record.until <= now() {
            records.delete::<Done>(done.id).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cloakgate_vault::{DatabaseConfig, KeySource, Regions};

    use super::*;

    #[tokio::test]
    async fn what_was_cut_off_runs_again_after_its_lease_and_what_was_done_does_not() {
        let folder = std::env::temp_dir().join(format!("cloakgate-once-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let config = DatabaseConfig {
            address: folder.join("local.db").display().to_string(),
            keys: KeySource::File(folder.join("master.key")),
            region: "local".parse().expect("a region"),
        };
        let regions = Regions::open(&config).await.expect("a database");
        let records = Records::new(regions.catalog().clone());
        let id = Uuid::from_u128(7);
        let taken = async |asked: &str, now| match take(&records, id, asked.to_owned(), now).await {
            Ok(Turn::Run(begun)) => Ok(Some(begun)),
            Ok(Turn::Was(done)) => {
                assert_eq!((done.record.status, &done.record.body), (201, &serde_json::json!({ "id": 1 })));
                Ok(None)
            }
            Err(fault) => Err(fault.message().to_owned()),
        };
        let running = Err("the same request is still running".to_owned());
        let cut_off = taken("a", 1000).await.expect("it is free").expect("it runs");
        let said = |result: Result<Option<Kept<Done>>, String>| result.map(drop);
        assert_eq!(said(taken("a", 1000).await), running);
        assert_eq!(said(taken("a", 1000 + LEASE_SECONDS - 1).await), running);
        let begun = taken("a", 1000 + LEASE_SECONDS).await.expect("it is free again").expect("it runs");
        // Whoever was thought dead and is not cannot answer for the one that runs.
        let answer = (StatusCode::CREATED, &br#"{"id":1,"api_key":"secret"}"#[..]);
        assert!(finish(&records, &cut_off, answer, 1070).await.is_err_and(|fault| fault.is_conflict()));
        finish(&records, &begun, answer, 1080).await.expect("it is kept");
        assert!(taken("a", 1080 + KEPT_SECONDS - 1).await.expect("it was done").is_none());
        let other = Err("the `Idempotency-Key` was used for another request".to_owned());
        assert_eq!(said(taken("b", 1090).await), other);
        assert!(taken("b", 1080 + KEPT_SECONDS).await.expect("it is free").is_some());
        regions.close().await;
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
