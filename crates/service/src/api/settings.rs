//! Cloak settings, as the reference has them.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::app::App;
use crate::config::DeleteLinked;
use crate::fault::Fault;
use crate::openapi::{CloakSettings, CloakSettingsBody};
use crate::records::{Kept, Page, Proxy, Server, Service};
use crate::reply;
use crate::request::{Body, Parameters, Part, require_match};
use crate::settings::Settings;

fn view(kept: &Kept<Settings>) -> Map<String, Value> {
    let mut shown = kept.record.shown().clone();
    shown.insert("id".to_owned(), json!(kept.id));
    shown.insert("environment_id".to_owned(), json!(kept.parent));
    shown.insert("created_at".to_owned(), json!(reply::reference_moment(kept.created_at)));
    let warnings = kept.record.warnings();
    if !warnings.is_empty() {
        shown.insert("warnings".to_owned(), json!(warnings));
    }
    shown
}

fn read_body(app: &App, Body(fields): Body) -> Result<Settings, Fault> {
    let settings = Settings::read(fields)?;
    if settings.names().is_some_and(|names| !app.config().reads_names(names)) {
        let most = app.config().names;
        return Err(Fault::field("names", format!("`names` may be at most `{most}` on this service")));
    }
    Ok(settings)
}

/// List cloak settings.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/cloak-settings", tag = "Cloak settings",
    responses((status = 200, description = "All settings of the environment.", body = Vec<CloakSettings>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    Part(page): Part,
) -> Result<Response, Fault> {
    reply::page(app.records(), environment, page, |kept| view(&kept)).await
}

/// Make cloak settings. Fields that are missing are filled from the default: a placeholder, units as they are.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/cloak-settings", tag = "Cloak settings",
    request_body = CloakSettingsBody,
    responses((status = 201, description = "The settings, every field filled.", body = CloakSettings)))]
pub(super) async fn create(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    body: Body,
) -> Result<Response, Fault> {
    let settings = read_body(&app, body)?;
    let kept = app.records().add(environment, settings).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(&kept))
}

/// Read cloak settings.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/cloak-settings/{cloak_settings_uuid}",
    tag = "Cloak settings",
    responses((status = 200, description = "The settings.", body = CloakSettings)))]
pub(super) async fn read(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
) -> Result<Response, Fault> {
    let kept = app.records().get::<Settings>(environment, id).await?;
    reply::record(StatusCode::OK, kept.version, &view(&kept))
}

/// Replace cloak settings: what is not sent is gone. Answers 201, as the reference does.
#[utoipa::path(patch, path = "/api/environments/{environment_uuid}/cloak-settings/{cloak_settings_uuid}",
    tag = "Cloak settings", request_body = CloakSettingsBody,
    responses((status = 201, description = "The new settings.", body = CloakSettings)))]
pub(super) async fn replace(
    State(app): State<App>,
    Path(path): Path<(Uuid, Uuid)>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let kept = replaced(&app, path, &headers, body).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(&kept))
}

/// Replace cloak settings: what is not sent is gone.
#[utoipa::path(put, path = "/api/environments/{environment_uuid}/cloak-settings/{cloak_settings_uuid}",
    tag = "Cloak settings", request_body = CloakSettingsBody,
    responses((status = 200, description = "The new settings.", body = CloakSettings)))]
pub(super) async fn put(
    State(app): State<App>,
    Path(path): Path<(Uuid, Uuid)>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let kept = replaced(&app, path, &headers, body).await?;
    reply::record(StatusCode::OK, kept.version, &view(&kept))
}

async fn replaced(
    app: &App,
    (environment, id): (Uuid, Uuid),
    headers: &HeaderMap,
    body: Body,
) -> Result<Kept<Settings>, Fault> {
    let old = app.records().get::<Settings>(environment, id).await?;
    let settings = read_body(app, body)?;
    require_match(headers, old.version)?;
    app.records().replace(&old, settings).await
}

/// Delete cloak settings. Those that a server uses are deleted with `force=true` only; the server cloaks no more.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}/cloak-settings/{cloak_settings_uuid}",
    tag = "Cloak settings",
    params(("force" = Option<bool>, Query, description = "Delete them though servers use them.")),
    responses((status = 204, description = "They are gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
    headers: HeaderMap,
    mut parameters: Parameters,
) -> Result<Response, Fault> {
    let force = parameters.flag("force")?;
    parameters.finish()?;
    let old = app.records().get::<Settings>(environment, id).await?;
    require_match(&headers, old.version)?;
    if !force && app.config().delete_linked == DeleteLinked::Conflict {
        let linked = linked(&app, environment, id).await?;
        if !linked.is_empty() {
            let message =
                "the settings are used by servers; link those to others, or delete with `force=true`";
            return Err(Fault::conflict("linked", message).with("linked", json!(linked)));
        }
    }
    app.records().delete::<Settings>(id).await?;
    Ok(reply::empty())
}

/// The servers that use settings.
async fn linked(app: &App, environment: Uuid, settings: Uuid) -> Result<Vec<Value>, Fault> {
    let mut linked = Vec::new();
    for service in app.records().list::<Service>(environment, Page::default()).await? {
        for server in app.records().list::<Server>(service.id, Page::default()).await? {
            if server.record.all_settings().any(|id| id == settings) {
                linked.push(json!({ "id": server.id, "name": server.record.name }));
            }
        }
        for proxy in app.records().list::<Proxy>(service.id, Page::default()).await? {
            if proxy.record.cloak_settings_id == settings {
                linked.push(json!({ "id": proxy.id, "name": proxy.record.name }));
            }
        }
    }
    Ok(linked)
}
