//! Countries of an environment: the regions that it keeps data in.

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
use crate::records::{Country, Kept, Page, Service};
use crate::reply;
use crate::request::{Body, Parameters, Part};

/// A country.
#[derive(Serialize, ToSchema)]
pub(super) struct CountryView {
    id: Uuid,
    environment_id: Uuid,
    name: String,
    /// The region of the configuration whose database keeps the data.
    region: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A country to activate.
#[derive(ToSchema)]
pub(super) struct NewCountry {
    /// A region of the configuration.
    #[schema(example = "local")]
    region: String,
    /// What people call it; the region's name where it is not said.
    #[schema(min_length = 1, max_length = 200, example = "Germany")]
    name: Option<String>,
}

impl NewCountry {
    fn read(app: &App, Body(mut fields): Body) -> Result<Self, Fault> {
        let region = fields.text("region")?.ok_or_else(|| missing("region"))?;
        let name = fields.name("name")?;
        fields.finish()?;
        let known: Vec<&str> = app.config().regions.iter().map(|region| &*region.name).collect();
        if !known.contains(&&*region) {
            let message = format!("`region` must be one of: {}", known.join(", "));
            return Err(Fault::field("region", message).with("allowed", json!(known)));
        }
        Ok(Self { region, name })
    }
}

fn view(kept: Kept<Country>) -> CountryView {
    CountryView {
        id: kept.id,
        environment_id: kept.parent,
        name: kept.record.name,
        region: kept.record.region,
        created_at: reply::standard_moment(kept.created_at),
    }
}

/// List countries.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/countries", tag = "Countries",
    responses((status = 200, description = "The countries.", body = Vec<CountryView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    Part(page): Part,
) -> Result<Response, Fault> {
    reply::page(app.records(), environment, page, view).await
}

/// Activate a country.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/countries", tag = "Countries",
    request_body = NewCountry,
    responses((status = 201, description = "The country.", body = CountryView)))]
pub(super) async fn create(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    body: Body,
) -> Result<Response, Fault> {
    let NewCountry { region, name } = NewCountry::read(&app, body)?;
    let name = name.unwrap_or_else(|| region.clone());
    let kept = app.records().add(environment, Country { region, name }).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(kept))
}

/// Deactivate a country that no service is in.
#[utoipa::path(delete, path = "/api/environments/{environment_uuid}/countries/{country_uuid}", tag = "Countries",
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, id)): Path<(Uuid, Uuid)>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let records = app.records();
    records.get::<Country>(environment, id).await?;
    let services = records.list::<Service>(environment, Page::default()).await?;
    if services.iter().any(|service| service.record.country_id == id) {
        return Err(Fault::conflict("linked", "a service is in this country; delete it first"));
    }
    records.delete::<Country>(id).await?;
    Ok(reply::empty())
}
