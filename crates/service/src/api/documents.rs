//! What the API says of itself: its description, a page to read it by, who asks, which regions there are.

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::tokens::{self, TokenView};
use crate::app::App;
use crate::fault::Fault;
use crate::guard::Caller;
use crate::request::Parameters;
use crate::{openapi as description, reply};

/// What the page may load: its own files, and nothing of others.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A region.
#[derive(Serialize, ToSchema)]
pub(super) struct RegionView {
    #[schema(example = "local")]
    name: String,
    /// The one that holds the records.
    home: bool,
    mcp_server_url: String,
}

/// Say whose token it is.
#[utoipa::path(get, path = "/api/me", tag = "Tokens",
    responses((status = 200, description = "The token that asks.", body = TokenView)))]
pub(super) async fn me(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    parameters: Parameters,
) -> Result<Response, Fault> {
    parameters.finish()?;
    reply::json(StatusCode::OK, &tokens::view(&app, caller.0).await?)
}

/// List the regions of the configuration.
#[utoipa::path(get, path = "/api/regions", tag = "Countries",
    responses((status = 200, description = "The regions.", body = Vec<RegionView>)))]
pub(super) async fn regions(State(app): State<App>, parameters: Parameters) -> Result<Response, Fault> {
    parameters.finish()?;
    let regions = app.config().regions.iter().enumerate().map(|(place, region)| RegionView {
        name: region.name.clone(),
        home: place == 0,
        mcp_server_url: app.mcp_url(&region.name),
    });
    reply::json(StatusCode::OK, &regions.collect::<Vec<_>>())
}

/// The description of the API.
pub(super) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], description::text()).into_response()
}

/// The page to read it by.
pub(super) async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, include_str!("documents/page.html")).into_response()
}

/// The page's script.
pub(super) async fn script() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, include_str!("documents/page.js")).into_response()
}

/// The page's style.
pub(super) async fn style() -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, include_str!("documents/page.css")).into_response()
}
