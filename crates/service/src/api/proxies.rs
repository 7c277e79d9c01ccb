//! MCP proxies: servers of others that are to be put behind a gateway. Records alone: nothing is proxied by the service.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::fields::{Fields, missing, wrong};
use crate::records::{Kept, Proxy, Service};
use crate::reply;
use crate::request::{Body, Parameters, Part};
use crate::settings::Settings;

/// What may happen to the texts of one direction.
const DIRECTIONS: [&str; 3] = ["cloak", "restore", "pass"];
/// What every proxy is.
const NOT_RUNNING: &str = "not_running";
/// Longest address.
const MAX_URL: usize = 2048;

/// An MCP proxy.
#[derive(Serialize, ToSchema)]
pub(super) struct McpProxy {
    id: Uuid,
    service_id: Uuid,
    name: String,
    url: String,
    cloak_settings_id: Uuid,
    /// `cloak`, `restore` or `pass`.
    requests: String,
    /// `cloak`, `restore` or `pass`.
    responses: String,
    /// `not_running`: it is kept and listed, and nothing is proxied.
    #[schema(example = "not_running")]
    status: &'static str,
    #[schema(format = DateTime)]
    created_at: String,
}

/// What happens to texts.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only a name in the document")]
enum Direction {
    Cloak,
    Restore,
    Pass,
}

/// A new MCP proxy.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct NewMcpProxy {
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Where the server is: `http` or `https`.
    #[schema(pattern = "^https?://[^\\s/]+", max_length = 2048, example = "https://mcp.example.org/mcp")]
    url: String,
    cloak_settings_id: Uuid,
    /// What happens to arguments: `restore` lets tools work with real values, `cloak` hides what a model writes.
    requests: Direction,
    /// What happens to results; `cloak` where it is not said.
    responses: Option<Direction>,
}

fn view(kept: Kept<Proxy>) -> McpProxy {
    let Proxy { name, url, cloak_settings_id, requests, responses } = kept.record;
    McpProxy {
        id: kept.id,
        service_id: kept.parent,
        name,
        url,
        cloak_settings_id,
        requests,
        responses,
        status: NOT_RUNNING,
        created_at: reply::standard_moment(kept.created_at),
    }
}

/// An address of the web, without a name and password in it.
fn url(fields: &mut Fields) -> Result<String, Fault> {
    let url = fields.text("url")?.ok_or_else(|| missing("url"))?;
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let plain = !url.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    if host.is_empty() || host.contains('@') || !plain || url.len() > MAX_URL {
        return Err(wrong("url", "an address `https://...` without a name and password"));
    }
    Ok(url)
}

/// Reads name, address, settings, and what happens to arguments and results.
pub(super) fn read_fields(fields: &mut Fields) -> Result<(String, String, Uuid, String, String), Fault> {
    let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
    let url = url(fields)?;
    let settings = fields.id("cloak_settings_id")?.ok_or_else(|| missing("cloak_settings_id"))?;
    let requests = fields.choice("requests", &DIRECTIONS)?.ok_or_else(|| {
        Fault::field(
            "requests",
            "requests required field: `restore` gives tools real values, `cloak` hides them",
        )
    })?;
    let responses = fields.choice("responses", &DIRECTIONS)?.unwrap_or("cloak");
    Ok((name, url, settings, requests.to_owned(), responses.to_owned()))
}

/// List MCP proxies.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies",
    tag = "MCP proxies",
    responses((status = 200, description = "The proxies.", body = Vec<McpProxy>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path((environment, service)): Path<(Uuid, Uuid)>,
    Part(page): Part,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    reply::page(app.records(), service.id, page, view).await
}

/// Keep an MCP proxy. It is listed, and does not run.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies",
    tag = "MCP proxies", request_body = NewMcpProxy,
    responses((status = 201, description = "The proxy.", body = McpProxy)))]
pub(super) async fn create(
    State(app): State<App>,
    Path((environment, service)): Path<(Uuid, Uuid)>,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let (name, url, cloak_settings_id, requests, responses) = read_fields(&mut fields)?;
    fields.finish()?;
    let found = app.records().find::<Settings>(environment, cloak_settings_id).await?;
    found.ok_or_else(|| Fault::field("cloak_settings_id", "cloak_settings_id required parameter"))?;
    let record = Proxy { name, url, cloak_settings_id, requests, responses };
    let kept = app.records().add(service.id, record).await?;
    reply::record(StatusCode::CREATED, kept.version, &view(kept))
}

/// Read an MCP proxy.
#[utoipa::path(get,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies/{mcp_proxy_uuid}",
    tag = "MCP proxies",
    responses((status = 200, description = "The proxy.", body = McpProxy)))]
pub(super) async fn read(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let kept = app.records().get::<Proxy>(service.id, id).await?;
    reply::record(StatusCode::OK, kept.version, &view(kept))
}

/// Delete an MCP proxy.
#[utoipa::path(delete,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-proxies/{mcp_proxy_uuid}",
    tag = "MCP proxies",
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let service = app.records().get::<Service>(environment, service).await?;
    app.records().get::<Proxy>(service.id, id).await?;
    app.records().delete::<Proxy>(id).await?;
    Ok(reply::empty())
}
