//! Bearer tokens of the management API.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::fields::{missing, wrong};
use crate::guard::Caller;
use crate::keys::{self, KeptKey};
use crate::records::{Environment, Kept, Page, Role, Token, now};
use crate::reply;
use crate::request::{Body, Parameters};

/// Longest life that may be asked for.
const MAX_LIFETIME_SECONDS: u64 = 10 * 366 * 86_400;

/// A token. Its text is shown once, when it is made.
#[derive(Serialize, ToSchema)]
pub(super) struct TokenView {
    id: Uuid,
    name: String,
    #[schema(example = "viewer")]
    role: String,
    /// The one environment that it reaches; all where there is none.
    environment_id: Option<Uuid>,
    prefix: String,
    last: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    #[schema(format = DateTime)]
    last_used_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    token: Option<String>,
}

/// The roles.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only a name in the document")]
enum RoleName {
    Admin,
    Editor,
    Auditor,
    Viewer,
}

/// A new token.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only a name in the document")]
pub(super) struct NewToken {
    #[schema(min_length = 1, max_length = 200, example = "build server")]
    name: String,
    role: RoleName,
    /// The one environment that it reaches; all where there is none.
    environment_id: Option<Uuid>,
    /// For good where it is not said.
    #[schema(minimum = 1, maximum = 316_224_000)]
    lifetime_seconds: Option<u64>,
}

pub(super) async fn view(app: &App, kept: Kept<Token>) -> Result<TokenView, Fault> {
    let Token { name, role, environment_id, key } = kept.record;
    Ok(TokenView {
        id: kept.id,
        name,
        role: role.name().to_owned(),
        environment_id,
        prefix: key.prefix,
        last: key.last,
        created_at: reply::standard_moment(kept.created_at),
        expires_at: key.expires_at.map(reply::standard_time),
        last_used_at: app.records().last_use(kept.id).await?.map(reply::standard_time),
        token: None,
    })
}

/// List tokens.
#[utoipa::path(get, path = "/api/tokens", tag = "Tokens",
    responses((status = 200, description = "The tokens, without their texts.", body = Vec<TokenView>)))]
pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let own = caller.0.record.environment_id;
    let mut views = Vec::new();
    let mut found = app.records().list::<Token>(Uuid::nil(), Page::default()).await?;
    found.sort_by_key(|kept| (kept.created_at, kept.id));
    for kept in found {
        if own.is_none() || kept.record.environment_id == own {
            views.push(view(&app, kept).await?);
        }
    }
    reply::json(StatusCode::OK, &views)
}

/// Make a token. Its text is shown in this answer only.
#[utoipa::path(post, path = "/api/tokens", tag = "Tokens", request_body = NewToken,
    responses((status = 201, description = "The token with its text.", body = TokenView)))]
pub(super) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(mut fields): Body,
) -> Result<Response, Fault> {
    let name = fields.name("name")?.ok_or_else(|| missing("name"))?;
    let role = fields.choice("role", &Role::ALL.map(Role::name))?.ok_or_else(|| missing("role"))?;
    let environment_id = fields.id("environment_id")?;
    let lifetime = fields.number("lifetime_seconds")?;
    fields.finish()?;
    if lifetime.is_some_and(|seconds| !(1..=MAX_LIFETIME_SECONDS).contains(&seconds)) {
        return Err(wrong("lifetime_seconds", "1 to ten years"));
    }
    // Who reaches one environment gives tokens for that one.
    let environment_id = environment_id.or(caller.0.record.environment_id);
    if let Some(id) = environment_id {
        let known = app.records().find::<Environment>(Uuid::nil(), id).await?;
        if known.is_none() || !caller.reaches(id) {
            return Err(Fault::field("environment_id", "no such environment"));
        }
    }
    let role = Role::ALL.into_iter().find(|known| known.name() == role).unwrap_or(Role::Viewer);
    let text = format!("{}{}", keys::TOKEN_PREFIX, keys::secret()?);
    let mut key = KeptKey::of(&text, now());
    key.expires_at = lifetime.and_then(|seconds| i64::try_from(seconds).ok()).map(|seconds| now() + seconds);
    let token = Token { name, role, environment_id, key };
    let kept = app.records().add_as(keys::token_id(&text), Uuid::nil(), token).await?;
    let mut shown = view(&app, kept).await?;
    shown.token = Some(text);
    reply::json(StatusCode::CREATED, &shown)
}

/// Revoke a token. It dies at once here, and within two seconds on other nodes.
#[utoipa::path(delete, path = "/api/tokens/{token_uuid}", tag = "Tokens",
    responses((status = 204, description = "It is gone.")))]
pub(super) async fn delete(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<Uuid>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    let found = app.records().get::<Token>(Uuid::nil(), id).await?;
    let own = caller.0.record.environment_id;
    if own.is_some() && found.record.environment_id != own {
        return Err(Fault::unknown("token"));
    }
    if id == caller.0.id {
        return Err(Fault::conflict("own_token", "a token cannot revoke itself; use another one"));
    }
    app.records().delete::<Token>(id).await?;
    Ok(reply::empty())
}
