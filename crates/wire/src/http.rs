//! MCP over HTTP, in the server role: Streamable HTTP of every revision that has it.
//!
//! In: HTTP requests at the given paths. Out: what an [`Endpoint`] answers, as JSON or as a stream of one event.
//! Who calls is decided by the head alone, before a byte of the body is read. Invariant: at most
//! `max_concurrent` bodies of `max_body_bytes` are held at once; ids are echoed byte for byte; the bytes of a
//! message are never parsed into another form and written again.
//! Not here: connections and TLS, what methods do, what an answer holds. An endpoint answers for what it says: there
//! is no model behind this door whose messages were cloaked on the way.

mod body;
mod endpoint;
mod era;
mod fault;
mod gate;
mod message;
mod negotiate;
mod reply;
mod settings;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use http::Method;
use http::request::Parts;
use tokio::sync::Semaphore;

pub use endpoint::{About, Answer, Call, Endpoint, Head, Refusal};
pub use gate::{Gate, GateError};
pub use settings::{
    ANSWER_TIMEOUT, BODY_TIMEOUT, MAX_BATCH_MESSAGES, MAX_BODY_BYTES, MAX_CONCURRENT, RETRY_AFTER_S, Settings,
};

use self::fault::Fault;
use self::message::Outcome;
use self::negotiate::Form;

/// A router that serves an endpoint at these paths, which are patterns of `axum`.
pub fn router<E: Endpoint>(paths: &[&str], endpoint: E, settings: Settings) -> Router {
    let slots = Semaphore::new(settings.max_concurrent);
    let server = Arc::new(Server { endpoint, settings, slots });
    let router = paths.iter().fold(Router::new(), |router, path| router.route(path, any(handle::<E>)));
    router.with_state(server)
}

/// An endpoint with the rules of its door.
struct Server<E> {
    endpoint: E,
    settings: Settings,
    slots: Semaphore,
}

async fn handle<E: Endpoint>(State(server): State<Arc<Server<E>>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let mut response = match server.serve(&head, body).await {
        Ok(response) => response,
        Err(fault) => fault.response(),
    };
    server.settings.gate.share(&head.headers, response.headers_mut());
    response
}

impl<E: Endpoint> Server<E> {
    async fn serve(&self, head: &Parts, body: axum::body::Body) -> Result<Response, Fault> {
        self.settings.gate.check(head)?;
        if head.method == Method::OPTIONS && self.settings.gate.shares(&head.headers) {
            return Ok(reply::preflight(&head.headers));
        }
        // There are no streams of their own and no sessions to end, so GET and DELETE have nothing to do.
        if head.method != Method::POST {
            return Err(Fault::Method);
        }
        let caller = self.endpoint.admit(Head { path: head.uri.path(), headers: &head.headers }).await?;
        negotiate::content_type(&head.headers)?;
        let form = negotiate::form(&head.headers)?;
        let _slot = self.slots.try_acquire().map_err(|_| Fault::Busy)?;
        let bytes = body::read(&head.headers, body, &self.settings).await?;
        let answering = self.answer(&caller, &head.headers, bytes);
        Ok(match answering.await {
            Outcome::Taken => reply::accepted(),
            Outcome::Said { status, message } => match form {
                // What is no answer to a request is never an event.
                Form::Events if status.is_success() => reply::event(&message),
                _ => reply::json(status, message),
            },
        })
    }
}
