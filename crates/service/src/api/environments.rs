//! Environments: who owns settings, services and sessions.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::fields::missing;
use crate::guard::Caller;
use crate::records::{Country, Environment, Kept, Page, Service, Token};
use crate::reply;
use crate::request::{Body, Parameters, Part, require_match};
use crate::settings::Settings;

/// An environment.
#[derive(Serialize, ToSchema)]
pub(super) struct EnvironmentView {
    id: Uuid,
    name: String,
    /// RFC 3339, UTC.
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

/// A new environment, or a new name for one.
#[derive(ToSchema)]
pub(super) struct NewEnvironment {
    /// What people call it.
    #[schema(min_length = 1, max_length = 200, example = "Production")]
    name: String,
}

impl NewEnvironment {
    fn read(Body(mut fields): Body) -> Result<Self, Fault> {
        let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
        fields.finish()?;
        Ok(Self { name })
    }
}

fn view(kept: Kept<Environment>) -> EnvironmentView {
    EnvironmentView {
        id: kept.id,
        name: kept.record.name,
        created_at: reply::standard_moment(kept.created_at),
        updated_at: reply::standard_moment(kept.updated_at),
    }
}

/// List environments.
#[utoipa::path(get, path = "/api/environments", tag = "Environments",
    responses((status = 200, description = "The environments that the token reaches.", body = Vec<EnvironmentView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Part(page): Part,
) -> Result<Response, Fault> {
    if let Some(own) = caller.0.record.environment_id {
        let found = app.records().find::<Environment>(Uuid::nil(), own).await?;
        return reply::json(StatusCode::OK, &found.into_iter().map(view).collect::<Vec<_>>());
    }
    reply::page(app.records(), Uuid::nil(), page, view).await
}

/// Make an environment.
#[utoipa::path(post, path = "/api/environments", tag = "Environments", request_body = NewEnvironment,
    responses((status = 201, description = "The environment.", body = EnvironmentView)))]
pub(super) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Result<Response, Fault> {
    let NewEnvironment { name } = NewEnvironment::read(body)?;
    if caller.0.record.environment_id.is_some() {
        return Err(Fault::forbidden("admin of one environment"));
    }
    let kept = app.records().add(Uuid::nil(), Environment { name }).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(kept))
}

/// Read an environment.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}", tag = "Environments",
    responses((status = 200, description = "The environment.", body = EnvironmentView)))]
pub(super) async fn read(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Response, Fault> {
    let kept = app.records().get::<Environment>(Uuid::nil(), id).await?;
    reply::record(StatusCode::OK, kept.version, &view(kept))
}

/// Rename an environment.
#[utoipa::path(patch, path = "/api/environments/{environment_uuid}", tag = "Environments",
    request_body = NewEnvironment,
    responses((status = 200, description = "The environment.", body = EnvironmentView)))]
pub(super) async fn change(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let NewEnvironment { name } = NewEnvironment::read(body)?;
    let old = app.records().get::<Environment>(Uuid::nil(), id).await?;
    require_match(&headers, old.version)?;
    let kept = app.records().replace(&old, Environment { name }).await?;
    reply::record(StatusCode::OK, kept.version, &view(kept))
}

/// Delete an environment. One that has services is deleted with `force=true` only, with its servers, settings and
/// sessions.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}", tag = "Environments",
    params(("force" = Option<bool>, Query, description = "Delete everything in it, sessions included.")),
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    mut parameters: Parameters,
) -> Result<Response, Fault> {
    let force = parameters.flag("force")?;
    parameters.finish()?;
    let records = app.records();
    let old = records.get::<Environment>(Uuid::nil(), id).await?;
    require_match(&headers, old.version)?;
    let services = records.list::<Service>(id, Page::default()).await?;
    if !services.is_empty() && !force {
        return Err(Fault::conflict("linked", "the environment has services; delete it with `force=true`"));
    }
    delete_environment(&app, id).await?;
    Ok(reply::empty())
}

/// Deletes an environment with everything in it.
pub(crate) async fn delete_environment(app: &App, id: Uuid) -> Result<(), Fault> {
    let records = app.records();
    // First what opens sessions, then the sessions, then the rest.
    for service in records.list::<Service>(id, Page::default()).await? {
        super::services::delete_whole(records, service.id).await?;
    }
    app.erase_tenant(id).await?;
    records.delete_all::<Settings>(id).await?;
    records.delete_all::<Country>(id).await?;
    for token in records.list::<Token>(Uuid::nil(), Page::default()).await? {
        if token.record.environment_id == Some(id) {
            records.delete::<Token>(token.id).await?;
        }
    }
    records.delete::<Environment>(id).await.map(drop)
}
