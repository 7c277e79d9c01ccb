//! Services of an environment, each in a country.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::fields::missing;
use crate::records::{Country, GoneServer, Kept, Page, Proxy, Records, Server, Service};
use crate::reply;
use crate::request::{Body, Parameters, Part};

/// A service.
#[derive(Serialize, ToSchema)]
pub(super) struct ServiceView {
    id: Uuid,
    environment_id: Uuid,
    country_id: Uuid,
    name: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A service to activate.
#[derive(ToSchema)]
pub(super) struct NewService {
    /// A country of the environment; the only one where it is not said.
    country_id: Option<Uuid>,
    /// What people call it.
    #[schema(min_length = 1, max_length = 200, example = "Cloaking")]
    name: String,
}

impl NewService {
    fn read(Body(mut fields): Body) -> Result<Self, Fault> {
        let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
        let country_id = fields.id("country_id")?;
        fields.finish()?;
        Ok(Self { country_id, name })
    }
}

fn view(kept: Kept<Service>) -> ServiceView {
    ServiceView {
        id: kept.id,
        environment_id: kept.parent,
        country_id: kept.record.country_id,
        name: kept.record.name,
        created_at: reply::standard_moment(kept.created_at),
    }
}

/// List services.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/services", tag = "Services",
    responses((status = 200, description = "The services.", body = Vec<ServiceView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    Part(page): Part,
) -> Result<Response, Fault> {
    reply::page(app.records(), environment, page, view).await
}

/// Activate a service in a country.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/services", tag = "Services",
    request_body = NewService,
    responses((status = 201, description = "The service.", body = ServiceView)))]
pub(super) async fn create(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    body: Body,
) -> Result<Response, Fault> {
    let NewService { country_id, name } = NewService::read(body)?;
    let countries = app.records().list::<Country>(environment, Page::default()).await?;
    let country_id = match (country_id, countries.as_slice()) {
        (Some(wanted), all) if all.iter().any(|country| country.id == wanted) => wanted,
        (None, [only]) => only.id,
        _ => return Err(Fault::field("country_id", "`country_id` must be a country of this environment")),
    };
    let kept = app.records().add(environment, Service { name, country_id }).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(kept))
}

/// Deactivate a service. One that has servers is deleted with `force=true` only; their keys die with them.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}/services/{service_uuid}", tag = "Services",
    params(("force" = Option<bool>, Query, description = "Delete its servers, too.")),
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
    mut parameters: Parameters,
) -> Result<Response, Fault> {
    let force = parameters.flag("force")?;
    parameters.finish()?;
    let records = app.records();
    records.get::<Service>(environment, id).await?;
    let servers = records.list::<Server>(id, Page::default()).await?;
    let proxies = records.list::<Proxy>(id, Page::default()).await?;
    if !(force || servers.is_empty() && proxies.is_empty()) {
        let linked: Vec<Uuid> =
            servers.iter().map(|kept| kept.id).chain(proxies.iter().map(|kept| kept.id)).collect();
        let fault = Fault::conflict("linked", "the service has servers; delete it with `force=true`");
        return Err(fault.with("linked", json!(linked)));
    }
    delete_whole(records, id).await?;
    Ok(reply::empty())
}

/// Deletes a service with all that is in it: first what opens sessions.
pub(super) async fn delete_whole(records: &Records, id: Uuid) -> Result<(), Fault> {
    records.delete_all::<Server>(id).await?;
    records.delete_all::<Proxy>(id).await?;
    records.delete_all::<GoneServer>(id).await?;
    records.delete::<Service>(id).await?;
    Ok(())
}
