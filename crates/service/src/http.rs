//! All routes: the API, the tools, and what operators ask.
//!
//! In: an app. Out: a router. Invariant: no path outside a template, no value and no key is in a log line or a metric.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use cloakgate_wire::http::{Gate, GateError, Settings};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::app::App;
use crate::fault::Fault;
use crate::{Tools, api};

/// Bytes of a request to the tools beyond the longest message: JSON escapes may take six for one.
const ENVELOPE_FACTOR: usize = 6;
/// Bytes around a message.
const ENVELOPE_BYTES: usize = 64 << 10;
/// Upper bounds, in seconds, of the buckets that durations are counted in.
const BUCKETS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 10.0];
/// How long a browser keeps what it was told about other origins.
const CORS_MAX_AGE: Duration = Duration::from_secs(3600);

impl App {
    /// All routes of the service.
    ///
    /// # Errors
    /// When a host or an origin of the configuration is none.
    pub fn router(&self) -> Result<Router, GateError> {
        let config = self.config();
        let public = config.regions.iter().filter_map(|region| region.public_url.as_deref()).filter_map(host);
        let hosts = config.allowed_hosts.iter().map(String::as_str).chain(public);
        let gate = Gate::new(hosts, config.cors_origins.iter().map(String::as_str))?;
        let max_body_bytes =
            config.message_bytes.saturating_mul(ENVELOPE_FACTOR).saturating_add(ENVELOPE_BYTES);
        let settings = Settings { gate, max_body_bytes, ..Settings::default() };
        let tools = Tools::new(self.clone(), Arc::clone(self.texts()));
        let mcp = cloakgate_wire::http::router(&["/mcp", "/mcp/{server}"], tools, settings);
        let operations = Router::new()
            .route("/healthz", get(healthy))
            .route("/readyz", get(ready))
            .route("/metrics", get(metrics))
            .route("/", get(|| async { Redirect::temporary("/api/docs") }))
            .with_state(self.clone());
        let mut api = api::router(self.clone());
        if let Some(cors) = cors(&config.cors_origins) {
            api = api.layer(cors);
        }
        Ok(api.merge(mcp).merge(operations).fallback(nowhere).layer(from_fn(observe)))
    }
}

/// The host of an address.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())
}

/// What other origins may do; nothing unless some are configured.
fn cors(origins: &[String]) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    if origins.is_empty() {
        return None;
    }
    let headers = ["authorization", "content-type", "if-match", "idempotency-key"];
    let methods = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    Some(
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins))
            .allow_methods(methods)
            .allow_headers(headers.map(header::HeaderName::from_static))
            .expose_headers([header::ETAG, header::LINK, header::RETRY_AFTER])
            .max_age(CORS_MAX_AGE),
    )
}

async fn healthy() -> &'static str {
    "ok\n"
}

async fn ready(State(app): State<App>) -> Response {
    match app.ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "a database does not answer\n").into_response(),
    }
}

async fn metrics() -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    recorder().map_or_else(
        || StatusCode::SERVICE_UNAVAILABLE.into_response(),
        |handle| (kind, handle.render()).into_response(),
    )
}

async fn nowhere() -> Fault {
    Fault::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this path")
}

/// The one recorder of the process.
pub(crate) fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    RECORDER
        .get_or_init(|| PrometheusBuilder::new().set_buckets(&BUCKETS).ok()?.install_recorder().ok())
        .as_ref()
}

/// Counts a request and logs it by the template of its path.
async fn observe(request: Request, next: Next) -> Response {
    recorder();
    let began = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = method(request.method());
    let mut response = next.run(request).await;
    let status = response.status().as_u16();
    let elapsed = began.elapsed();
    let labels = [("method", method.to_owned()), ("path", path.clone()), ("status", status.to_string())];
    metrics::counter!("cloakgate_requests_total", &labels).increment(1);
    metrics::histogram!("cloakgate_request_seconds", "path" => path.clone()).record(elapsed.as_secs_f64());
    tracing::debug!(
        http.method = method,
        http.route = path,
        http.status = status,
        duration_ms = elapsed.as_millis() as u64,
        "answered"
    );
    let headers = response.headers_mut();
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A method as a label, of which there are few.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
