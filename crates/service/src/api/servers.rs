//! MCP servers, as the reference has them, and the rotation of their keys.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::fields::{Fields, missing, wrong};
use crate::keys::{self, KeptKey};
use crate::records::{Billing, Directions, GoneServer, Kept, Page, Server, Service, now};
use crate::reply;
use crate::request::{Body, OptionalBody, Parameters, Part, require_match};
use crate::settings::{Settings, role_name};

/// The tiers of the reference.
pub(crate) const TIERS: [&str; 2] = ["free", "Paid tokens"];
/// Seconds that an old key goes on to count.
const DEFAULT_OVERLAP_SECONDS: u64 = 86_400;
/// Longest overlap.
const MAX_OVERLAP_SECONDS: u64 = 90 * 86_400;
/// Most keys of one server and role at the same time.
const MAX_KEYS: usize = 10;
/// Most roles of the keys of one server at the same time.
const MAX_ROLES: usize = 20;

/// An MCP server.
#[derive(Serialize, ToSchema)]
pub(super) struct McpServer {
    id: Uuid,
    service_id: Uuid,
    cloak_settings_id: Uuid,
    #[serde(flatten)]
    directions: DirectionsView,
    name: String,
    mcp_server_url: String,
    /// Shown once: when the server is made and when its key is rotated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    api_key: Option<String>,
    #[schema(example = "free")]
    tier: String,
    /// What is known of its keys.
    keys: Vec<KeyView>,
}

/// Settings by direction.
#[derive(Serialize, ToSchema)]
struct DirectionsView {
    /// For texts of prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    prompts_cloak_settings_id: Option<Uuid>,
    /// For texts that are sent to a tool; `cloak` uses these.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    requests_cloak_settings_id: Option<Uuid>,
    /// For results of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    responses_cloak_settings_id: Option<Uuid>,
}

/// What is known of a key.
#[derive(Serialize, ToSchema)]
pub(super) struct KeyView {
    /// First letters of the secret.
    prefix: String,
    /// Last letters of the secret.
    last: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    #[schema(format = DateTime)]
    last_used_at: Option<String>,
    /// What it gets back, by `role_based_acl` of the settings; everything where it has none.
    role: Option<String>,
}

/// Who pays; kept and counted, never charged.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct BillingBody {
    #[schema(value_type = Tier)]
    tier: &'static str,
    /// The billing provider.
    provider: Option<String>,
    /// The customer there.
    customer_id: Option<String>,
}

/// The tiers.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
enum Tier {
    #[schema(rename = "free")]
    Free,
    #[schema(rename = "Paid tokens")]
    Paid,
}

/// A new MCP server.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct NewMcpServer {
    #[schema(min_length = 1, max_length = 200, example = "my-mcp-server")]
    name: String,
    /// Settings of the same environment.
    cloak_settings_id: Uuid,
    prompts_cloak_settings_id: Option<Uuid>,
    requests_cloak_settings_id: Option<Uuid>,
    responses_cloak_settings_id: Option<Uuid>,
    billing: BillingBody,
    /// Role of its key, one of `role_based_acl` of its settings; a key without one gets everything back.
    #[schema(pattern = "^[A-Za-z0-9._-]{1,64}$")]
    role: Option<String>,
}

/// What to change of an MCP server.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct McpServerChange {
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    cloak_settings_id: Option<Uuid>,
    /// `null` takes it away, as in the other two.
    prompts_cloak_settings_id: Option<Uuid>,
    requests_cloak_settings_id: Option<Uuid>,
    responses_cloak_settings_id: Option<Uuid>,
    billing: Option<BillingBody>,
}

/// How long the keys that there are go on to count.
#[derive(ToSchema)]
pub(super) struct KeyRotation {
    /// A day where it is not said; 0 ends them at once.
    #[schema(minimum = 0, maximum = 7_776_000)]
    overlap_seconds: Option<u64>,
    /// Role of the new key, and of the keys that it replaces; `null` for keys without one. It may be left out where all
    /// keys of the server are of one role.
    #[schema(pattern = "^[A-Za-z0-9._-]{1,64}$")]
    role: Option<String>,
}

async fn view(app: &App, service: &Kept<Service>, kept: Kept<Server>) -> Result<McpServer, Fault> {
    let Kept { id, parent, record, .. } = kept;
    let Directions { prompts_cloak_settings_id, requests_cloak_settings_id, responses_cloak_settings_id } =
        record.directions;
    let mut keys = Vec::with_capacity(record.keys.len());
    for key in &record.keys {
        keys.push(KeyView {
            prefix: key.prefix.clone(),
            last: key.last.clone(),
            created_at: reply::standard_time(key.created_at),
            expires_at: key.expires_at.map(reply::standard_time),
            last_used_at: app.records().last_use(key.id()).await?.map(reply::standard_time),
            role: key.role.clone(),
        });
    }
    Ok(McpServer {
        id,
        service_id: parent,
        cloak_settings_id: record.cloak_settings_id,
        directions: DirectionsView {
            prompts_cloak_settings_id,
            requests_cloak_settings_id,
            responses_cloak_settings_id,
        },
        name: record.name,
        mcp_server_url: app.service_url(service).await?,
        api_key: None,
        tier: record.billing.tier,
        keys,
    })
}

/// Reads the settings that a field names, which must be of the same environment.
async fn linked_settings(
    app: &App,
    environment: Uuid,
    fields: &mut Fields,
    name: &'static str,
) -> Result<Option<Uuid>, Fault> {
    let refused = || Fault::field(name, format!("{name} required parameter"));
    let Some(id) = fields.id(name).map_err(|_| refused())? else { return Ok(None) };
    app.records().find::<Settings>(environment, id).await?.ok_or_else(refused)?;
    Ok(Some(id))
}

fn billing(fields: &mut Fields) -> Result<Option<Billing>, Fault> {
    let Some(mut fields) = fields.object("billing")? else { return Ok(None) };
    let read = |fields: &mut Fields| {
        let tier = fields.choice("tier", &TIERS)?.ok_or_else(|| missing("tier"))?;
        let billing =
            BillingBody { tier, provider: fields.text("provider")?, customer_id: fields.text("customerId")? };
        Ok(billing)
    };
    let BillingBody { tier, provider, customer_id } =
        read(&mut fields).map_err(|fault: Fault| fault.below("billing"))?;
    fields.finish().map_err(|fault| fault.below("billing"))?;
    Ok(Some(Billing { tier: tier.to_owned(), provider, customer_id }))
}

/// List MCP servers.
#[utoipa::path(get, path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers",
    tag = "MCP servers",
    responses((status = 200, description = "All servers of the service, without keys.", body = Vec<McpServer>)))]
pub(super) async fn list(
    State(app): State<App>,
    Path((environment, service)): Path<(Uuid, Uuid)>,
    Part(page): Part,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let (found, next) = reply::part::<Server>(app.records(), service.id, page).await?;
    let mut views = Vec::with_capacity(found.len());
    for kept in found {
        views.push(view(&app, &service, kept).await?);
    }
    reply::page_of(&views, next)
}

/// Make an MCP server. Its key is shown in this answer only.
#[utoipa::path(post, path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers",
    tag = "MCP servers", request_body = NewMcpServer,
    responses((status = 201, description = "The server with its key.", body = McpServer)))]
pub(super) async fn create(
    State(app): State<App>,
    Path((environment, service)): Path<(Uuid, Uuid)>,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
    let settings = linked_settings(&app, environment, &mut fields, "cloak_settings_id").await?;
    let cloak_settings_id =
        settings.ok_or_else(|| Fault::field("cloak_settings_id", "cloak_settings_id required parameter"))?;
    let directions = Directions {
        prompts_cloak_settings_id: linked_settings(
            &app,
            environment,
            &mut fields,
            "prompts_cloak_settings_id",
        )
        .await?,
        requests_cloak_settings_id: linked_settings(
            &app,
            environment,
            &mut fields,
            "requests_cloak_settings_id",
        )
        .await?,
        responses_cloak_settings_id: linked_settings(
            &app,
            environment,
            &mut fields,
            "responses_cloak_settings_id",
        )
        .await?,
    };
    let billing = billing(&mut fields)?.ok_or_else(|| missing("billing"))?;
    let role = fields.text("role")?;
    fields.finish()?;
    let (secret, key) = new_key()?;
    let mut record = Server { name, cloak_settings_id, directions, billing, keys: Vec::new() };
    if let Some(role) = &role {
        require_role(&app, environment, &record, role).await?;
    }
    record.keys.push(key.with_role(role));
    let name = record.name.clone();
    let kept = app.records().add(service.id, record).await?;
    take_over(&app, &service, &name, kept.id).await?;
    with_key(&app, StatusCode::CREATED, &service, kept, &secret).await
}

/// Binds the sessions of a deleted server of the same name and service to the one that was made in its place: so the
/// reference's way to a new key, deleting and making anew, keeps old ids.
async fn take_over(app: &App, service: &Kept<Service>, name: &str, id: Uuid) -> Result<(), Fault> {
    for gone in app.records().list::<GoneServer>(service.id, Page::default()).await? {
        if gone.record.name == name {
            app.rebind(service, gone.id, id).await?;
            app.records().delete::<GoneServer>(gone.id).await?;
        }
    }
    Ok(())
}

/// Read an MCP server.
#[utoipa::path(get,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}",
    tag = "MCP servers",
    responses((status = 200, description = "The server, without keys.", body = McpServer)))]
pub(super) async fn read(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let kept = app.records().get::<Server>(service.id, id).await?;
    reply::record(StatusCode::OK, kept.version, &view(&app, &service, kept).await?)
}

/// Change an MCP server: its name, its settings, its billing.
#[utoipa::path(patch,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}",
    tag = "MCP servers", request_body = McpServerChange,
    responses((status = 200, description = "The server, without keys.", body = McpServer)))]
pub(super) async fn change(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
    headers: HeaderMap,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let old = app.records().get::<Server>(service.id, id).await?;
    let mut record = old.record.clone();
    if let Some(name) = fields.name("name")? {
        record.name = name;
    }
    if let Some(settings) = linked_settings(&app, environment, &mut fields, "cloak_settings_id").await? {
        record.cloak_settings_id = settings;
    }
    let Directions { prompts_cloak_settings_id, requests_cloak_settings_id, responses_cloak_settings_id } =
        &mut record.directions;
    for (name, held) in [
        ("prompts_cloak_settings_id", prompts_cloak_settings_id),
        ("requests_cloak_settings_id", requests_cloak_settings_id),
        ("responses_cloak_settings_id", responses_cloak_settings_id),
    ] {
        if fields.has(name) {
            *held = linked_settings(&app, environment, &mut fields, name).await?;
        }
    }
    if let Some(billing) = billing(&mut fields)? {
        record.billing = billing;
    }
    fields.finish()?;
    require_match(&headers, old.version)?;
    let kept = app.records().replace(&old, record).await?;
    reply::record(StatusCode::OK, kept.version, &view(&app, &service, kept).await?)
}

/// Delete an MCP server. Its key dies at once; its sessions stay, and a new server of the same name and service takes
/// them over.
#[utoipa::path(delete,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}",
    tag = "MCP servers",
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
    headers: HeaderMap,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let service = app.records().get::<Service>(environment, service).await?;
    let old = app.records().get::<Server>(service.id, id).await?;
    require_match(&headers, old.version)?;
    app.records().delete::<Server>(id).await?;
    app.records().add_as(id, service.id, GoneServer { name: old.record.name }).await?;
    Ok(reply::empty())
}

/// Checks that the settings of a server name a role.
async fn require_role(app: &App, environment: Uuid, server: &Server, role: &str) -> Result<(), Fault> {
    let settings = app.records().find::<Settings>(environment, server.request_settings()).await?;
    let acl = settings.map(|kept| kept.record.acl()).unwrap_or_default();
    if acl.roles().any(|named| named == role) {
        return Ok(());
    }
    role_name(role)?;
    let allowed: Vec<&str> = acl.roles().collect();
    let message = "`role` must be one of `role_based_acl` of the server's settings";
    Err(Fault::field("role", message).with("allowed", json!(allowed)))
}

/// The role whose keys are rotated: the one that is said, or the only one that there is.
async fn rotated_role(
    app: &App,
    environment: Uuid,
    server: &Server,
    fields: &mut Fields,
) -> Result<Option<String>, Fault> {
    let roles: BTreeSet<Option<&str>> = server.keys.iter().map(|key| key.role.as_deref()).collect();
    if fields.has("role") {
        let Some(role) = fields.text("role")? else { return Ok(None) };
        if roles.contains(&Some(&role)) {
            return Ok(Some(role));
        }
        require_role(app, environment, server, &role).await?;
        if roles.len() >= MAX_ROLES {
            return Err(wrong("role", "one of the 20 that the server's keys have"));
        }
        return Ok(Some(role));
    }
    let mut all = roles.iter();
    match (all.next(), all.next()) {
        (Some(_), Some(_)) => {
            let message = "the server has keys of several roles: `role` must say which are rotated";
            Err(Fault::field("role", message).with("allowed", json!(roles)))
        }
        (only, _) => Ok(only.copied().flatten().map(str::to_owned)),
    }
}

/// Give an MCP server a new key. The keys of the same role that it has go on to count for `overlap_seconds`.
#[utoipa::path(post,
    path = "/api/environments/{environment_uuid}/services/{service_uuid}/mcp-servers/{mcp_server_uuid}/rotate-key",
    tag = "MCP servers", request_body = Option<KeyRotation>,
    responses((status = 200, description = "The server with its new key.", body = McpServer)))]
pub(super) async fn rotate_key(
    State(app): State<App>,
    Path((environment, service, id)): Path<(Uuid, Uuid, Uuid)>,
    headers: HeaderMap,
    OptionalBody(mut fields): OptionalBody,
) -> Result<Response, Fault> {
    let service = app.records().get::<Service>(environment, service).await?;
    let old = app.records().get::<Server>(service.id, id).await?;
    let now = now();
    let mut record = old.record.clone();
    record.keys.retain(|key| key.counts(now));
    let role = rotated_role(&app, environment, &record, &mut fields).await?;
    let KeyRotation { overlap_seconds, role } =
        KeyRotation { overlap_seconds: fields.number("overlap_seconds")?, role };
    fields.finish()?;
    let overlap = overlap_seconds.unwrap_or(DEFAULT_OVERLAP_SECONDS);
    if overlap > MAX_OVERLAP_SECONDS {
        return Err(wrong("overlap_seconds", "at most 90 days"));
    }
    require_match(&headers, old.version)?;
    let (secret, key) = new_key()?;
    let end = now + i64::try_from(overlap).unwrap_or(i64::MAX);
    for key in record.keys.iter_mut().filter(|key| key.role == role) {
        key.expires_at = Some(key.expires_at.map_or(end, |known| known.min(end)));
    }
    record.keys.insert(0, key.with_role(role.clone()));
    let mut of_role = 0;
    record.keys.retain(|key| {
        of_role += usize::from(key.role == role);
        key.counts(now) && (key.role != role || of_role <= MAX_KEYS)
    });
    let kept = app.records().replace(&old, record).await?;
    with_key(&app, StatusCode::OK, &service, kept, &secret).await
}

/// A new secret and what is kept of it.
pub(crate) fn new_key() -> Result<(String, KeptKey), Fault> {
    let secret = keys::secret()?;
    let key = KeptKey::of(&secret, now());
    Ok((secret, key))
}

async fn with_key(
    app: &App,
    status: StatusCode,
    service: &Kept<Service>,
    kept: Kept<Server>,
    secret: &str,
) -> Result<Response, Fault> {
    let version = kept.version;
    let mut view = view(app, service, kept).await?;
    view.api_key = Some(format!("{}:{secret}", view.id));
    reply::record(status, version, &view)
}
