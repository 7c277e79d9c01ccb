//! Sessions: what is known of them, which is never a value, and their erasure.

use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use cloakgate_vault::{After, Ended, Moment, NewEnd, SessionMeta};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::access::Act;
use crate::app::App;
use crate::fault::Fault;
use crate::fields::{Fields, missing, wrong};
use crate::guard::Caller;
use crate::records::{GoneServer, Page, Server, Service, failed};
use crate::reply;
use crate::request::{Body, Parameters};
use crate::settings::MAX_LIFETIME_SECONDS;

/// Sessions of a page where no number is named.
const DEFAULT_PAGE: usize = 100;
/// Letters of the longest value that is erased by.
const MAX_VALUE: usize = 16_000;

/// What may be told of a session.
#[derive(Serialize, ToSchema)]
pub(super) struct SessionView {
    id: Uuid,
    mcp_server_id: Uuid,
    /// The settings that it was made with.
    cloak_settings_id: Uuid,
    region: String,
    /// Rises with each text that is cloaked into it.
    version: u64,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// A value whose sessions are to be erased.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct ErasureBody {
    /// The value as it stood in a text; case and the length of blanks make no difference.
    #[schema(min_length = 1, max_length = 16000)]
    value: String,
}

/// When a session ends: one of both.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct SessionChange {
    /// A moment from now to ten years from now; `null` for no end.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Seconds from now.
    #[schema(minimum = 1, maximum = 316_224_000)]
    ttl_seconds: Option<u64>,
}

/// Servers between which sessions move.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct RebindingBody {
    /// The server that they are bound to; it may be deleted.
    from_mcp_server_id: Uuid,
    /// Another server of the same service.
    to_mcp_server_id: Uuid,
}

/// How many sessions there were.
#[derive(Serialize, ToSchema)]
pub(super) struct SessionCount {
    sessions: u64,
}

fn view(region: &str, meta: &SessionMeta) -> SessionView {
    SessionView {
        id: meta.id,
        mcp_server_id: meta.server,
        cloak_settings_id: meta.settings,
        region: region.to_owned(),
        version: meta.version,
        created_at: reply::standard_moment(meta.created_at),
        updated_at: reply::standard_moment(meta.updated_at),
        expires_at: meta.expires_at.map(reply::standard_moment),
    }
}

/// List sessions, newest first, region by region.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/sessions", tag = "Sessions",
    params(
        ("mcp_server_id" = Option<Uuid>, Query, description = "Only those of this server."),
        ("limit" = Option<usize>, Query, description = "The most to answer, at most 1000; 100 where it is not said.",
            minimum = 1, maximum = 1000),
        ("cursor" = Option<String>, Query, description = "Where to go on, from the header `Link`."),
    ),
    responses((status = 200, description = "What is known of them.", body = Vec<SessionView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    mut parameters: Parameters,
) -> Result<Response, Fault> {
    let server = parameters.id("mcp_server_id")?;
    let cursor = parameters.text("cursor")?;
    let limit = parameters.page()?.limit.unwrap_or(DEFAULT_PAGE);
    parameters.finish()?;
    let regions = app.regions_of(environment).await?;
    let (first, mut after) = match cursor.as_deref().map(|cursor| place(&regions, cursor)) {
        None => (0, None),
        Some(Some((region, after))) => (region, Some(after)),
        Some(None) => {
            return Err(Fault::bad(
                "parameter",
                "`cursor` must be what the header `Link` of the page before said",
            ));
        }
    };
    let mut views = Vec::new();
    let mut next = None;
    for region in regions.iter().skip(first) {
        let sessions = app.sessions(region)?;
        let wanted = u32::try_from(limit + 1 - views.len()).unwrap_or(u32::MAX);
        let found = sessions.list(environment, server, after.take(), wanted).await.map_err(failed)?;
        for meta in found {
            if views.len() == limit {
                next = next.or_else(|| {
                    views.last().map(|last: &(String, After, SessionView)| {
                        format!("{}.{}", last.0, reply::write_cursor(last.1))
                    })
                });
                break;
            }
            let at = After { created_at: meta.created_at, id: meta.id };
            views.push((region.clone(), at, view(region, &meta)));
        }
        if next.is_some() {
            break;
        }
    }
    let views: Vec<SessionView> = views.into_iter().map(|(.., view)| view).collect();
    let mut response = reply::json(StatusCode::OK, &views)?;
    if let Some(next) = next {
        reply::link_next(&mut response, limit, &next);
    }
    Ok(response)
}

/// Reads a place in the list of several regions.
fn place(regions: &[String], cursor: &str) -> Option<(usize, After)> {
    let (region, after) = cursor.split_once('.')?;
    let region = regions.iter().position(|known| known == region)?;
    Some((region, reply::read_cursor(after)?))
}

/// Read what is known of a session.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/sessions/{session_uuid}", tag = "Sessions",
    responses((status = 200, description = "What is known of it.", body = SessionView)))]
pub(super) async fn read(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
) -> Result<Response, Fault> {
    for region in app.regions_of(environment).await? {
        let found = app.sessions(&region)?.look_up(id, environment, Moment::now()).await.map_err(failed)?;
        if let Some(meta) = found {
            return reply::json(StatusCode::OK, &view(&region, &meta));
        }
    }
    Err(Fault::unknown("session"))
}

/// Give a session an end, another end or none. It moves no more when the session is used. To end it later than it would
/// have ended, or never, takes an administrator.
#[utoipa::path(patch, path = "/api/environments/{environment_uuid}/sessions/{session_uuid}", tag = "Sessions",
    request_body = SessionChange,
    responses((status = 200, description = "What is known of it.", body = SessionView)))]
pub(super) async fn change(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
    Extension(caller): Extension<Caller>,
    Body(fields): Body,
) -> Result<Response, Fault> {
    let now = Moment::now();
    let role = caller.0.record.role;
    let end = match (new_end(fields, now)?, role.may(Act::Administer)) {
        (Some(at), true) => NewEnd::At(at),
        (Some(at), false) => NewEnd::Sooner(at),
        (None, true) => NewEnd::Never,
        (None, false) => return Err(Fault::forbidden(role.name())),
    };
    for region in app.regions_of(environment).await? {
        match app.sessions(&region)?.end(id, environment, end, now).await.map_err(failed)? {
            Ended::Changed(meta) => {
                tracing::info!(environment.id = %environment, "a session was given another end");
                return reply::json(StatusCode::OK, &view(&region, &meta));
            }
            Ended::Later => return Err(Fault::forbidden(role.name())),
            Ended::Gone => {}
        }
    }
    Err(Fault::unknown("session"))
}

/// The end that a body names; `None` for none.
fn new_end(mut fields: Fields, now: Moment) -> Result<Option<Moment>, Fault> {
    const ALLOWED: &str = "a moment of RFC 3339 from now to ten years from now, or null";
    let has_end = fields.has("expires_at");
    let (end, seconds) = (fields.text("expires_at")?, fields.number("ttl_seconds")?);
    fields.finish()?;
    let length = |seconds| Duration::from_secs(seconds);
    let last = now.after(length(MAX_LIFETIME_SECONDS));
    match (has_end, end, seconds) {
        (false, _, Some(seconds)) if (1..=MAX_LIFETIME_SECONDS).contains(&seconds) => {
            Ok(Some(now.after(length(seconds))))
        }
        (false, _, Some(_)) => Err(wrong("ttl_seconds", "1 to ten years")),
        (true, Some(end), None) => {
            let at = end.parse::<Timestamp>().map_err(|_| wrong("expires_at", ALLOWED))?;
            let at = Moment::from_millis(at.as_millisecond());
            if now < at && at <= last { Ok(Some(at)) } else { Err(wrong("expires_at", ALLOWED)) }
        }
        (true, None, None) => Ok(None),
        (true, _, Some(_)) => {
            Err(Fault::field("ttl_seconds", "give `expires_at` or `ttl_seconds`, not both"))
        }
        (false, _, None) => Err(missing("expires_at")),
    }
}

/// Erase a session with its key. Its texts cannot be restored any more.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}/sessions/{session_uuid}", tag = "Sessions",
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let mut erased = false;
    for region in app.regions_of(environment).await? {
        erased |= app.sessions(&region)?.erase(id, environment).await.map_err(failed)?;
    }
    app.forget_sessions();
    if erased { Ok(reply::empty()) } else { Err(Fault::unknown("session")) }
}

/// Erase all sessions of an environment.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}/sessions", tag = "Sessions",
    responses((status = 200, description = "How many there were.", body = SessionCount)))]
pub(super) async fn delete_all(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let sessions = app.erase_tenant(environment).await?;
    reply::json(StatusCode::OK, &SessionCount { sessions })
}

/// Erase all sessions of an environment that hold a value: the right to be forgotten.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/sessions/erase", tag = "Sessions",
    request_body = ErasureBody,
    responses((status = 200, description = "How many there were.", body = SessionCount)))]
pub(super) async fn erase_by_value(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let value = fields.text("value")?.filter(|value| !value.is_empty()).ok_or_else(|| missing("value"))?;
    fields.finish()?;
    if value.chars().count() > MAX_VALUE {
        return Err(wrong("value", "1 to 16000 letters"));
    }
    let mut sessions = 0;
    for region in app.regions_of(environment).await? {
        let key = app.database(&region)?.lookup_key(environment).await.map_err(failed)?;
        let hash = key.hash(&value);
        sessions += app.sessions(&region)?.erase_by_value(environment, hash).await.map_err(failed)?;
    }
    app.forget_sessions();
    tracing::info!(environment.id = %environment, sessions, "sessions were erased by a value");
    reply::json(StatusCode::OK, &SessionCount { sessions })
}

/// Bind the sessions of one server to another one of the same service.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/sessions/rebind", tag = "Sessions",
    request_body = RebindingBody,
    responses((status = 200, description = "How many there were.", body = SessionCount)))]
pub(super) async fn rebind(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let from = fields.id("from_mcp_server_id")?.ok_or_else(|| missing("from_mcp_server_id"))?;
    let to = fields.id("to_mcp_server_id")?.ok_or_else(|| missing("to_mcp_server_id"))?;
    fields.finish()?;
    let refused = |field| Fault::field(field, "both servers must be of one service of this environment");
    for service in app.records().list::<Service>(environment, Page::default()).await? {
        if app.records().find::<Server>(service.id, to).await?.is_none() {
            continue;
        }
        let known = app.records().find::<Server>(service.id, from).await?.is_some()
            || app.records().find::<GoneServer>(service.id, from).await?.is_some();
        if !known {
            return Err(refused("from_mcp_server_id"));
        }
        let sessions = app.rebind(&service, from, to).await?;
        return reply::json(StatusCode::OK, &SessionCount { sessions });
    }
    Err(refused("to_mcp_server_id"))
}
