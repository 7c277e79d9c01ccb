//! The management API: its routes, and what holds for all of them.
//!
//! In: requests under `/api`. Out: records as JSON, faults as problem documents. Invariant: what is routed is documented,
//! with the same names; the reference's paths answer faults as `application/json`.

mod countries;
mod documents;
mod environments;
mod proxies;
mod servers;
mod services;
mod sessions;
mod settings;
mod tokens;
mod transfer;
mod usage;

pub(crate) use environments::delete_environment;
pub(crate) use servers::new_key;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::fault::Fault;
use crate::guard::{guard, plain_faults};

/// The routes of the management API with the documents that describe it.
pub(crate) fn router(app: App) -> Router {
    let (routes, _) = routes().split_for_parts();
    let routes = routes
        .route_layer(from_fn_with_state(app.clone(), guard))
        .method_not_allowed_fallback(wrong_method)
        .with_state(app);
    let documents = Router::new()
        .route("/api/openapi.json", get(documents::openapi))
        .route("/api/docs", get(documents::page))
        .route("/api/docs/page.js", get(documents::script))
        .route("/api/docs/page.css", get(documents::style))
        .method_not_allowed_fallback(wrong_method);
    routes.merge(documents).layer(from_fn(plain_faults))
}

/// The document that describes the API.
pub(crate) fn openapi() -> utoipa::openapi::OpenApi {
    routes().split_for_parts().1
}

fn routes() -> OpenApiRouter<App> {
    reference_routes().merge(own_routes())
}

/// The paths of the reference.
fn reference_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(settings::list, settings::create))
        .routes(routes!(settings::read, settings::replace, settings::put, settings::delete))
        .routes(routes!(servers::list, servers::create))
        .routes(routes!(servers::read, servers::change, servers::delete))
        .routes(routes!(servers::rotate_key))
}

/// Our own.
fn own_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(documents::me))
        .routes(routes!(documents::regions))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(tokens::delete))
        .routes(routes!(environments::list, environments::create))
        .routes(routes!(environments::read, environments::change, environments::delete))
        .routes(routes!(countries::list, countries::create))
        .routes(routes!(countries::delete))
        .routes(routes!(services::list, services::create))
        .routes(routes!(services::delete))
        .routes(routes!(proxies::list, proxies::create))
        .routes(routes!(proxies::read, proxies::delete))
        .routes(routes!(sessions::list, sessions::delete_all))
        .routes(routes!(sessions::read, sessions::change, sessions::delete))
        .routes(routes!(sessions::erase_by_value))
        .routes(routes!(sessions::rebind))
        .routes(routes!(usage::list))
        .routes(routes!(transfer::export))
        .routes(routes!(transfer::import))
}

async fn wrong_method() -> Fault {
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, "method", "there is no such operation at this path")
}
