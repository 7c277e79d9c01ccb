//! Counts of what servers did, by day.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::records::{Page, Server, Service};
use crate::reply;
use crate::request::Parameters;
use crate::usage::Usage;

/// A count of one server on one day.
#[derive(Serialize, ToSchema)]
pub(super) struct UsageView {
    mcp_server_id: Uuid,
    /// UTC.
    #[schema(format = Date)]
    day: String,
    #[schema(example = "cloak")]
    name: String,
    number: i64,
}

/// Count what the servers of an environment did.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/usage", tag = "Usage",
    responses((status = 200, description = "Counts by server, day and name, some seconds old.", body = Vec<UsageView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path(environment): Path<Uuid>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let mut views = Vec::new();
    for service in app.records().list::<Service>(environment, Page::default()).await? {
        for server in app.records().list::<Server>(service.id, Page::default()).await? {
            let counts = Usage::of(app.records(), server.id).await?.into_iter();
            views.extend(counts.map(|(day, name, number)| UsageView {
                mcp_server_id: server.id,
                day,
                name,
                number,
            }));
        }
    }
    reply::json(StatusCode::OK, &views)
}
