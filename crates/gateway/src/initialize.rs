//! The handshake: one for the client, one with each server.
//!
//! In: the client's `initialize`. Out: one answer for all servers, and which of them serve. Invariant: a server that
//! fails is named in the log and the others serve; none is told of abilities that the gateway does not pass on;
//! instructions reach the client cloaked or not at all. Not here: starting servers.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, Restored};
use cloakgate_json::{Edit, NodeId};
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Outcome, Part, Revision};
use cloakgate_vocab::Span;

use crate::capabilities::Capabilities;
use crate::failure::Failure;
use crate::fan_out;
use crate::passage::Passage;
use crate::session::{Call, Session};
use crate::upstream::{CallError, GivingUp, Reply, Upstream, Upstreams};

/// What a server said in its handshake.
struct Greeting {
    version: String,
    capabilities: Capabilities,
    /// Inside of a JSON string.
    instructions: Option<Cloaked<Bytes>>,
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
enum GreetError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("it refused the handshake, with code {0}")]
    Refused(String),
    #[error("its answer to the handshake lacks `{0}`")]
    Lacks(&'static str),
    #[error("it speaks a protocol version that the gateway does not")]
    Version,
}

/// Shakes hands with every server. Gives the client's answer, and settles who serves.
pub(crate) async fn initialize(session: &Arc<Session>, call: &Call) -> Result<Cloaked<Bytes>, Failure> {
    let (version_node, asked) = call.text_param(&["protocolVersion"])?;
    let version = version_to_speak(session, &asked);
    let mut edits = vec![];
    if version != asked {
        edits.push(call.message.replaced(version_node, errors::quoted(&version)));
    }
    if let Some(capabilities) = call.param(&["capabilities"]) {
        // What the client can do for servers is not passed on yet, so servers must not count on it.
        edits.push(call.message.replaced(capabilities, "{}"));
    }
    let outcomes = fan_out::each(session.started.clone(), |upstream| {
        let id = upstream.take_id();
        let mut edits = edits.clone();
        edits.push(call.message.replaced(call.id_node, id.to_string()));
        let request = greeting_request(&call.message.bytes, edits);
        let session = Arc::clone(session);
        let version = version.clone();
        async move { greet(&session, &upstream, (id, request?), &version).await }
    });
    let mut serving = Upstreams::new();
    let mut greetings = Vec::new();
    for (upstream, outcome) in outcomes.await {
        match outcome {
            Some(Ok(greeting)) => {
                serving.push(upstream);
                greetings.push(greeting);
            }
            Some(Err(error)) => {
                tracing::error!(upstream.name = %upstream.name(), %error, "the server does not serve");
            }
            None => tracing::error!(upstream.name = %upstream.name(), "the handshake failed"),
        }
    }
    if serving.is_empty() {
        let names =
            if session.started.is_empty() { "any upstream".into() } else { fan_out::names(&session.started) };
        return Err(Failure::new(
            Code::Internal,
            format!("cannot serve: no handshake with {names}; see the log"),
        ));
    }
    let answer = composed(call, &version, &serving, &greetings);
    session.set_serving(serving);
    Ok(answer)
}

/// The version that servers are asked for.
fn version_to_speak(session: &Session, asked: &str) -> String {
    let known = asked.parse::<Revision>().is_ok_and(Revision::has_handshake);
    if known || session.settings.allow_unknown_protocol_version {
        return asked.to_owned();
    }
    tracing::info!("the client asked for a protocol version that the gateway does not know");
    Revision::NEWEST_WITH_HANDSHAKE.as_str().to_owned()
}

fn greeting_request(original: &Bytes, mut edits: Vec<Edit>) -> Result<Restored<Bytes>, GreetError> {
    edits.sort_by_key(|edit| edit.span);
    // Who the client is and what it speaks are words of the protocol; nothing here was ever cloaked.
    Restored::exact(original, edits, ExactReason::Contract).map_err(|_| GreetError::Lacks("sense"))
}

async fn greet(
    session: &Session,
    upstream: &Upstream,
    (id, request): (u64, Restored<Bytes>),
    asked: &str,
) -> Result<Greeting, GreetError> {
    let reply = upstream.call(id, request, upstream.terms.startup_timeout, GivingUp::Silent).await?;
    let message = &reply.message;
    let Envelope::Response(response) = &message.envelope else { return Err(CallError::Unreadable.into()) };
    let result = match response.outcome {
        Outcome::Result(result) => result,
        Outcome::Error(error) => {
            let code = message.find(error, &["code"]).map(|code| message.raw(code)).unwrap_or_default();
            // Digits only: the rest of an error may quote anything.
            let code = code.iter().filter(|byte| byte.is_ascii_digit() || **byte == b'-').take(12);
            return Err(GreetError::Refused(code.map(|byte| char::from(*byte)).collect()));
        }
    };
    let version =
        message.text_at(result, &["protocolVersion"]).ok_or(GreetError::Lacks("protocolVersion"))?;
    let version = version.into_owned();
    let known = version.parse::<Revision>().is_ok_and(Revision::has_handshake);
    if !known && version != asked {
        return Err(GreetError::Version);
    }
    if version != asked {
        tracing::info!(
            upstream.name = %upstream.name(),
            protocol.asked = asked,
            protocol.version = version,
            "the server speaks another protocol version than the client; messages pass as they are"
        );
    }
    let capabilities = message.find(result, &["capabilities"]).ok_or(GreetError::Lacks("capabilities"))?;
    let capabilities = Capabilities::read(message, capabilities);
    let _only_once = upstream.capabilities.set(capabilities);
    let instructions = match message.find(result, &["instructions"]) {
        Some(_) => instructions(session, upstream, &reply).await,
        None => None,
    };
    Ok(Greeting { version, capabilities, instructions })
}

/// The instructions as the model may see them, or none where that cannot be had.
async fn instructions(session: &Session, upstream: &Upstream, reply: &Reply) -> Option<Cloaked<Bytes>> {
    let passage = Passage::of("initialize", Part::Result);
    let cloaked = match session.cloaker.down(upstream, reply.message.clone(), passage).await {
        Ok(cloaked) => cloaked,
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "the server's instructions are withheld");
            return None;
        }
    };
    let document = cloakgate_json::scan(cloaked.bytes()).ok()?;
    let result = document.member(cloaked.bytes(), NodeId::ROOT, "result")?;
    let text = document.member(cloaked.bytes(), result, "instructions")?;
    if document.kind(text) != cloakgate_json::Kind::String {
        return None;
    }
    let quoted = document.span(text);
    cloaked.part(Span::new(quoted.start() + 1, quoted.end() - 1)?).filter(|text| !text.bytes().is_empty())
}

/// The client's answer.
fn composed(call: &Call, asked: &str, serving: &Upstreams, greetings: &[Greeting]) -> Cloaked<Bytes> {
    let capabilities = greetings
        .iter()
        .map(|greeting| greeting.capabilities)
        .fold(Capabilities::default(), Capabilities::merged);
    // Servers that agree are quoted; where they do not, each gets what the client says in the client's version.
    let agreed = greetings.first().map(|greeting| greeting.version.as_str());
    let agreed = agreed.filter(|version| greetings.iter().all(|greeting| greeting.version == *version));
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"protocolVersion":{},"capabilities":{},"serverInfo":{{"name":"cloakgate","version":"{}"}}"#,
        call.id,
        errors::quoted(agreed.unwrap_or(asked)),
        capabilities.to_json(),
        env!("CARGO_PKG_VERSION"),
    );
    let mut parts = vec![Cloaked::authored(head)];
    let speakers: Vec<_> = serving
        .iter()
        .zip(greetings)
        .filter_map(|(upstream, greeting)| Some((upstream, greeting.instructions.clone()?)))
        .collect();
    let several = speakers.len() > 1;
    for (place, (upstream, text)) in speakers.into_iter().enumerate() {
        parts.push(Cloaked::authored(if place == 0 { r#","instructions":""# } else { r"\n\n" }));
        if several {
            parts.push(Cloaked::authored(format!(r"{}:\n", upstream.name())));
        }
        parts.push(text);
    }
    let speaks = parts.len() > 1;
    parts.push(Cloaked::authored(if speaks { "\"}}" } else { "}}" }));
    Cloaked::concat(&parts)
}
